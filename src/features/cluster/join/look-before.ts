/**
 * What an active host looks at before each effect outside of it: whether it still is one. A process that was
 * frozen, or cut off from the database, may have lost that without having heard of it; it ends before it does anything.
 *
 * Calls to platforms and models, and commands, wait where it is not certain, because the database may be back in a moment.
 * Beneath them every request of this process is looked at, whichever client makes it, and again at the moment in which it is
 * written: no adapter and no forge has to remember it, and what is in doubt there ends the process.
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

/** `standDown` ends the process at once; what stands behind it is not carried out. */
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
    /** The observer of the ports, looking before what it observes. */
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

/** Looks before each command, and before each piece that is handed to one. */
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
