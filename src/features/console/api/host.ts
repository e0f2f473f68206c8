import { locationsOf } from "../../../ports/conversation.ts";
import type { About } from "../render/api-types.ts";
import { hostStatusBody } from "../render/host-status.ts";
import type { Handler } from "./handler.ts";
import { LIMITS } from "./messages.ts";

/** Version, model, work modes, models, sandbox, default repository and message limits of this host. */
export const hostFacts: Handler = ({ version, model, modes, models, sandbox, repo, files }, c) => {
  const body: About = {
    version,
    model,
    modes: modes.all.map(({ key, name, whenToUse }) => ({ key, name, when: whenToUse })),
    models: models.all,
    sandbox: { tier: sandbox.tier, abi: sandbox.abi, notice: sandbox.notice },
    defaultRepo: repo === null ? null : locationsOf(repo),
    limits: { ...LIMITS, fileBytes: files.bytes },
  };
  return c.json(body);
};

/** Surfaces, sandbox, queues, spending today, open approvals, disk, memory and version. */
export const hostStatus: Handler = async (deps, c) =>
  c.json(hostStatusBody(await deps.status(), deps.health(), { ...deps, ...deps.budgets.overview() }));
