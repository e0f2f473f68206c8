/** The part of network egress in a launch: environment variables for the proxy, and the record of destinations. */

import type { SandboxPolicy, Probe, RunRequest, RunResult } from "./types.ts";
import type { Egress } from "./egress/egress.ts";

interface Outbound {
  /**
   * Adds the proxy's variables; variables of the request take precedence. Removes a network that the operator has not accepted
   * from an Unrestricted request.
   */
  prepare<R extends RunRequest>(request: R): R;
  /** Admits launch `id` if its policy has network. The returned function ends the admission and completes the result. */
  admit(id: number, policy: SandboxPolicy): (result: RunResult) => RunResult;
}

export const createOutbound = (egress: Egress | null, probe: Probe): Outbound => {
  const way = (policy: SandboxPolicy): Egress | null =>
    policy.network === "egress" && probe.egress === "proxy" ? egress : null;
  return {
    prepare: (request) => {
      const { policy } = request;
      if (policy.profile === "unrestricted" && probe.egress === "none")
        return { ...request, policy: { ...policy, network: "none" } };
      return way(policy) === null ? request : { ...request, env: { ...proxyEnvironment, ...request.env } };
    },
    admit: (id, policy) => {
      const end = way(policy)?.admit(id, policy.egressTo ?? null, policy.door ?? null);
      return (result) => {
        if (end === undefined) return result;
        const destinations = end();
        return result.kind === "failed" ? result : { ...result, destinations };
      };
    },
  };
};

/**
 * Address inside the command's network (launcher/server/relay.h). The port is below 1024, so that no program of a command can
 * bind it first.
 */
const PROXY = "http://127.0.0.1:1023";

/** For `ssh -o ProxyCommand=…`: the launcher itself, which connects through the proxy (launcher/server/dial.c). */
export const DIAL = "/opt/parley/launcher dial %h %p";

const proxyEnvironment: Readonly<Record<string, string>> = {
  http_proxy: PROXY,
  https_proxy: PROXY,
  all_proxy: PROXY,
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  ALL_PROXY: PROXY,
  no_proxy: "localhost,127.0.0.1,::1",
  NO_PROXY: "localhost,127.0.0.1,::1",
  NODE_USE_ENV_PROXY: "1",
  GIT_SSH_COMMAND: `ssh -o 'ProxyCommand=${DIAL}'`,
};
