/** From inside the sandbox, commands must reach only allowed destinations, through the proxy and past it. */

import type { Sandbox } from "../../../../sandbox/types.ts";
import { findingAbout, type Finding } from "../../../ports/finding.ts";

const NETWORK = findingAbout("network");
/** Cloud metadata: no setting allows this address, and attackers request it first. */
const FORBIDDEN = "169.254.169.254:80";
/** Destination to try if no list restricts destinations. */
const USUAL = "github.com:443";
const PATIENCE = 20;

/** Tries two destinations through the proxy, then tries to bypass the proxy. Arguments: allowed (or empty), forbidden. */
const SCRIPT = `
ask() {
  exec 3<>/dev/tcp/127.0.0.1/1023 || return
  printf 'CONNECT %s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' "$2" "$2" >&3
  IFS=' ' read -r -t ${PATIENCE} _ status _ <&3
  echo "$1 $status"
  exec 3>&-
}
[ -z "$1" ] || ask allowed "$1"
ask forbidden "$2"
(exec 4<>"/dev/tcp/\${2%:*}/\${2##*:}") 2>/dev/null && echo "past 200"
true`;

/** Yields nothing without an egress proxy. `allow`: PARLEY_EGRESS. `forbidden`: a destination that must always be refused. */
export async function* networkFindings(
  sandbox: Sandbox,
  allow: readonly string[] | null,
  forbidden = FORBIDDEN,
): AsyncGenerator<Finding> {
  if (sandbox.probe.egress !== "proxy") return;
  const allowed = exampleOf(allow);
  const ran = await sandbox.run({
    policy: {
      profile: "unrestricted",
      network: "egress",
      mounts: [],
      cwd: "/",
      identity: 0,
    },
    argv: ["/bin/bash", "--noprofile", "--norc", "-c", SCRIPT, "doctor", allowed ?? "", forbidden],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    timeoutMs: 2 * PATIENCE * 1_000 + 5_000,
    keep: { head: 1_000, tail: 1_000 },
  });
  if (ran.kind === "failed") {
    yield NETWORK.error(
      `a command with network access cannot be started: ${ran.reason}`,
      ran.reason.startsWith("network relay: ")
        ? "Give root CAP_NET_ADMIN, CAP_NET_BIND_SERVICE and CAP_SYS_CHROOT (install deploy/parley.service again; in a container use the list in deploy/compose.yaml)."
        : "Correct the findings about the sandbox first.",
    );
    return;
  }
  const said = ran.head.toString("utf8");
  if (allowed !== null) yield allowedFinding(allowed, /^allowed (\d+)$/m.exec(said)?.[1]);
  yield forbiddenFinding(forbidden, /^forbidden (\d+)$/m.exec(said)?.[1], said.includes("past 200"));
}

/** Null if the list names no single destination. */
const exampleOf = (allow: readonly string[] | null): string | null => {
  if (allow === null || allow.includes("*")) return USUAL;
  const single = allow.find((entry) => !entry.includes("*") && !entry.includes("/"));
  if (single === undefined || single === "none") return null;
  return /:\d+$/.test(single) && !/^[^[]*:.*:/.test(single) ? single : `${bracketed(single)}:443`;
};

const bracketed = (host: string): string =>
  host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;

const allowedFinding = (destination: string, status: string | undefined): Finding => {
  if (status === "200") return NETWORK.ok(`a command reached ${destination}, which is allowed`);
  return status === "403"
    ? NETWORK.error(`the proxy refused ${destination}, which is allowed`, "Correct PARLEY_EGRESS.")
    : NETWORK.warning(
        `${destination} is allowed but does not answer`,
        "Check the network and DNS of this host; until then commands cannot install or download anything.",
      );
};

const forbiddenFinding = (destination: string, status: string | undefined, isPast: boolean): Finding => {
  if (isPast) {
    return NETWORK.error(
      "a command bypassed the egress proxy",
      "Set PARLEY_EGRESS=none, so that commands have no network on this host, and report the problem.",
    );
  }
  return status === "403"
    ? NETWORK.ok(
        `the proxy refused ${destination} (cloud metadata), and a command could not bypass the proxy`,
      )
    : NETWORK.error(
        `${destination} (cloud metadata) was not refused (the proxy answered ${status ?? "nothing"})`,
        "Set PARLEY_EGRESS=none, so that commands have no network on this host, and report the problem.",
      );
};
