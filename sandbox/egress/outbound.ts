/** What network egress adds to a launch: the environment that names the proxy, and the record of where it went. */

import type { Policy, Probe, RunRequest, RunResult } from "../types.ts";
import type { Egress } from "./egress.ts";
import { proxyEnvironment } from "./environment.ts";

export interface Outbound {
  /** The request as it is launched; what it sets itself wins. An Unrestricted one loses a network that is not accepted. */
  prepare<R extends RunRequest>(request: R): R;
  /** Lets launch `id` in where its policy has the network. The answer ends that and completes the result. */
  admit(id: number, policy: Policy): (result: RunResult) => RunResult;
}

export const createOutbound = (egress: Egress | null, probe: Probe): Outbound => {
  const way = (policy: Policy): Egress | null =>
    policy.network === "egress" && probe.egress === "proxy" ? egress : null;
  return {
    prepare: (request) => {
      const { policy } = request;
      if (policy.profile === "unrestricted" && probe.egress === "none")
        return { ...request, policy: { ...policy, network: "none" } };
      return way(policy) === null ? request : { ...request, env: { ...proxyEnvironment, ...request.env } };
    },
    admit: (id, policy) => {
      const admission = way(policy)?.admit(id, policy.egressTo ?? null, policy.door ?? null);
      return (result) => {
        if (admission === undefined) return result;
        const destinations = admission.end();
        return result.kind === "failed" ? result : { ...result, destinations };
      };
    },
  };
};
