import type { Sandbox } from "../../sandbox/types.ts";
import type { Log } from "../ports/host.ts";
import { createProxyOf } from "./process/outgoing-proxy.ts";
import type { Config } from "./settings/config.ts";

/** `log` receives the output of the launcher and the proxy. */
export const openSandbox = async (config: Config, log: (line: string) => void = () => undefined) => {
  const [{ locateLauncher }, { createSandbox }, { createEgress }] = await Promise.all([
    import("../../sandbox/locate.ts"),
    import("../../sandbox/server.ts"),
    import("../../sandbox/egress/egress.ts"),
  ]);
  const located = await locateLauncher(`${config.PARLEY_DATA}/bin`);
  if (located.kind === "failed")
    return { kind: "failed", problem: `The launcher: ${located.reason}` } as const;
  const opened = await createEgress({
    allow: config.PARLEY_EGRESS ?? null,
    proxyOf: createProxyOf(config),
    log,
  });
  if (opened.kind === "failed")
    return { kind: "failed", problem: `The egress proxy: ${opened.reason}` } as const;
  const sandbox = await createSandbox({
    launcher: located.path,
    off: config.PARLEY_SANDBOX === "off",
    egress: opened.egress,
    acceptOpen: config.PARLEY_ALLOW_T2_WRITES,
    acceptShared: config.PARLEY_SHARED_NETWORK,
    log,
  });
  return { kind: "open", sandbox } as const;
};

/** BASH-009: reported in the log as well as in every conversation. */
export const warnUnconfined = (log: Log, { probe }: Sandbox): void =>
  log.warn("sandbox: Restricted not available, conversations Unrestricted", {
    tier: probe.tier,
    why: probe.refusal,
  });
