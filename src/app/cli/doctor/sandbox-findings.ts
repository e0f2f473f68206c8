/** What doctor says of the kernel and the sandbox: which tier there is, and a forbidden write that was tried. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { arch, release } from "node:os";
import { join } from "node:path";
import type { Probe, Sandbox } from "../../../../sandbox/types.ts";
import type { Config } from "../../settings/config.ts";
import { handOver, letThrough } from "../../../workspace/disk/aside.ts";
import { about, type Finding, ok } from "../../../ports/finding.ts";

const KERNEL = about("kernel");
const CHECKOUTS = about("checkouts");
const UNRESTRICTED = about("unrestricted");
const RESTRICTED = about("restricted");
const NETWORK = about("network");
/** The sandbox's start has tried its own attacks; here runs what must work and what must not. */
export async function* sandboxFindings(sandbox: Sandbox, config: Config): AsyncGenerator<Finding> {
  yield* probeFindings(sandbox.probe, config);
  if (!sandbox.probe.restricted) return;
  yield await writeFinding(sandbox, config.PARLEY_DATA);
  yield await checkoutFinding(sandbox, config.PARLEY_DATA);
}

/** What follows from what the launcher found out about the host. */
export function* probeFindings(probe: Probe, config: Config): Generator<Finding> {
  yield tierFinding(probe);
  yield* unrestrictedFindings(probe, config);
  for (const leak of probe.residual) yield ok("sandbox", `remains open: ${leak}`);
}

const tierFinding = (probe: Probe): Finding => {
  const tier = probe.tier === "T0" && !probe.mounts ? "T0 without namespaces" : probe.tier;
  const kernel = `Linux ${release()} ${arch()}, Landlock ABI ${probe.abi}, tier ${tier}`;
  return probe.restricted
    ? KERNEL.ok(kernel)
    : KERNEL.error(
        `${kernel}: ${probe.refusal ?? "Restricted is not available"}`,
        "Start Parley as root or allow user namespaces (docs/install.md). Until then every conversation is Unrestricted.",
      );
};

/** What the operator has to accept before Unrestricted commands get it, each with the setting that says so. */
function* unrestrictedFindings(probe: Probe, config: Config): Generator<Finding> {
  if (probe.tier === "T2" && probe.unrestricted.kind === "open") {
    yield config.PARLEY_UNCONFINED_WRITES
      ? UNRESTRICTED.ok(`accepted by PARLEY_UNCONFINED_WRITES=on: ${probe.unrestricted.why}`)
      : UNRESTRICTED.warning(
          `refused: ${probe.unrestricted.why}`,
          "Allow user namespaces, start as root, or accept it with PARLEY_UNCONFINED_WRITES=on.",
        );
  }
  if (probe.egress === "proxy") return;
  yield probe.egress === "shared"
    ? NETWORK.ok("accepted by PARLEY_SHARED_NETWORK=on: Unrestricted commands share this host's network")
    : NETWORK.warning(
        `Unrestricted commands have none: without a network namespace they would share this host's (${probe.whyNoMounts ?? "no network namespace can be made"})`,
        `${namespacesRemedy(probe)}, or accept it with PARLEY_SHARED_NETWORK=on.`,
      );
}

/**
 * What to change for namespaces, by the step that was refused. Docker's profiles refuse two of them to a container that has
 * SYS_ADMIN: AppArmor's every mount (as a permission), seccomp's the last one, pivot_root.
 */
const namespacesRemedy = ({ tier, whyNoMounts }: Probe): string => {
  const why = whyNoMounts ?? "";
  if (tier !== "T0") return "Allow user namespaces, or start as root";
  if (why.startsWith("pivot_root:"))
    return "In a container add seccomp=unconfined to its security_opt (docs/install.md)";
  return why.includes("Permission denied")
    ? "In a container add apparmor=unconfined and seccomp=unconfined to its security_opt (docs/install.md)"
    : "Give it the right to make mounts: in a container SYS_ADMIN and the two lines of deploy/compose.yaml (docs/install.md)";
};

/** What every conversation begins with: a folder of the host's in the data directory that a command may write. */
const checkoutFinding = async (sandbox: Sandbox, data: string): Promise<Finding> => {
  const { ran, isMade } = await tryFile(sandbox, data, "setup", "echo made > made");
  if (isMade) return CHECKOUTS.ok("a command wrote where it may");
  const reason = ran.kind === "failed" ? ran.reason : ran.head.toString("utf8").trim();
  return CHECKOUTS.error(
    `no conversation can begin: ${reason}`,
    reason.includes("id-mapped")
      ? "Root needs CAP_SETFCAP for it (install deploy/parley.service again; in a container take the list of deploy/compose.yaml), and PARLEY_DATA a file system such as ext4, XFS or btrfs."
      : remedyOf(sandbox, reason, data),
  );
};

/** The one promise that matters most, tried where checkouts are: a write into a directory that Restricted may only read. */
const writeFinding = async (sandbox: Sandbox, data: string): Promise<Finding> => {
  await letThrough(sandbox, [data]);
  const { ran, isMade } = await tryFile(sandbox, data, "restricted", "git --version && touch made");
  if (isMade)
    return RESTRICTED.error(
      "a forbidden write succeeded",
      "Do not use Restricted mode here; please report this host.",
    );
  if (ran.kind === "failed") return RESTRICTED.error(ran.reason, remedyOf(sandbox, ran.reason, data));
  const output = ran.head.toString("utf8");
  const [, version, major, minor] = /git version ((\d+)\.(\d+)\S*)/.exec(output) ?? [];
  if (version === undefined) {
    return RESTRICTED.error(
      `git does not run in the sandbox: ${output.trim()}`,
      "Install git under /usr (apt-get install git).",
    );
  }
  return 100 * Number(major) + Number(minor) >= LEAST_GIT
    ? RESTRICTED.ok(`a command ran (git ${version}), and its forbidden write was refused`)
    : RESTRICTED.error(`git ${version} is too old`, "Install git 2.31 or newer under /usr.");
};

/** Runs `script` in a folder of the data directory that Restricted may only read; `isMade`: it left the file `made` there. */
const tryFile = async (sandbox: Sandbox, data: string, profile: "setup" | "restricted", script: string) => {
  const directory = mkdtempSync(join(data, "doctor-"));
  // Where commands have users of their own it is theirs, so that only the confinement can refuse the write.
  await handOver(sandbox, directory, 0);
  const target = sandbox.probe.mounts ? "/work" : directory;
  const ran = await sandbox.run({
    policy: {
      profile,
      network: "none",
      mounts: [{ source: directory, target, write: profile === "setup" }],
      cwd: target,
      identity: 0,
    },
    argv: ["/bin/bash", "--noprofile", "--norc", "-c", script],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    timeoutMs: 10_000,
    keep: { head: 1_000, tail: 1_000 },
  });
  const isMade = existsSync(join(directory, "made"));
  rmSync(directory, { recursive: true, force: true });
  return { ran, isMade };
};

/** 2.31: the first that takes its configuration from the environment, as all of Parley's is given. */
const LEAST_GIT = 231;

const remedyOf = ({ ownerOf }: Sandbox, reason: string, data: string): string =>
  ownerOf(0) !== null && reason.includes("Permission denied")
    ? `Commands have users of their own here, who must pass through each folder above ${data}: chmod o+x those.`
    : "Nothing can run in the sandbox; see the reason.";
