/** Commands that did not run: a sandbox that cannot be set up is the operator's business. */

import { Counter, type Registry } from "prom-client";
import type { Sandbox } from "../../sandbox/types.ts";

export const measureSandbox = (registry: Registry): ((sandbox: Sandbox) => Sandbox) => {
  const refused = new Counter({
    name: "parley_sandbox_refused_total",
    help: "Commands that did not run because the sandbox could not be set up, by profile.",
    labelNames: ["profile"],
    registers: [registry],
  });
  return (sandbox) => ({
    ...sandbox,
    run: async (request, hooks) => {
      const result = await sandbox.run(request, hooks);
      if (result.kind === "failed") refused.inc({ profile: request.policy.profile });
      return result;
    },
  });
};
