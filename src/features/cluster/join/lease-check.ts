/**
 * Checks before each external effect that this host is still active. A process that was frozen or cut off from the database
 * might have lost its membership without notice; such a process exits before the effect.
 *
 * Calls to platforms and models, and commands, wait while the membership is uncertain, because the database may be back in a
 * moment. In addition, every request of this process is checked when it is created and again when it is sent, whichever client
 * sends it. Adapters and forges therefore need no separate check. At those two moments an uncertain membership ends the
 * process.
 */

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { RunRequest, Sandbox } from "../../../../sandbox/types.ts";
import type { Observer } from "../../../ports/observer.ts";
import type { Lease } from "../database/member.ts";

const EFFECTS = [
  "undici:request:create",
  "undici:client:sendHeaders",
  "http.client.request.start",
  "child_process",
];

/** `standDown`: ends the process immediately, so that the effect does not happen. */
export const createLeaseCheck = (lease: Pick<Lease, "isHeld" | "held">, standDown: () => never) => {
  const look = (): void => {
    if (!lease.isHeld()) standDown();
  };
  for (const name of EFFECTS) subscribe(name, look);

  const sure = async (): Promise<void> => {
    if (!lease.isHeld() && !(await lease.held())) standDown();
  };
  const after =
    <Given extends readonly unknown[], Answer>(effect: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      await sure();
      return effect(...given);
    };

  return {
    ports: (observer: Observer): Observer => ({
      ...observer,
      model: (model) => observer.model({ ...model, respond: after((...given) => model.respond(...given)) }),
      tools: (tools) => observer.tools({ ...tools, run: after((...given) => tools.run(...given)) }),
      sandbox: (sandbox) => observer.sandbox(looking(sandbox, sure)),
      surface: (name, surface) =>
        observer.surface(name, { ...surface, apply: after((operation) => surface.apply(operation)) }),
    }),
    close: (): void => {
      for (const name of EFFECTS) unsubscribe(name, look);
    },
  };
};

/** Checks before each command, and before each piece of its input. */
const looking = (sandbox: Sandbox, sure: () => Promise<void>): Sandbox => {
  const fed = <Request extends RunRequest>(request: Request): Request => {
    const { stdin } = request;
    if (typeof stdin !== "function") return request;
    const next = async (): Promise<Uint8Array> => {
      const piece = await stdin();
      await sure();
      return piece;
    };
    return { ...request, stdin: next };
  };
  return {
    ...sandbox,
    run: async (request, hooks) => {
      await sure();
      return sandbox.run(fed(request), hooks);
    },
    start: async (request) => {
      await sure();
      return sandbox.start(fed(request));
    },
  };
};
