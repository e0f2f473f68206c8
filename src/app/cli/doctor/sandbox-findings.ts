import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { arch, release } from "node:os";
import { join } from "node:path";
import type { Probe, Sandbox } from "../../../../sandbox/types.ts";
import type { Config } from "../../settings/config.ts";
import { chownToSlot, makeTraversable } from "../../../workspace/disk/staging.ts";
import { tierName } from "../shared/tier-name.ts";
import { findingAbout, type Finding, ok } from "../../../ports/finding.ts";

const KERNEL = findingAbout("kernel");
const CHECKOUTS = findingAbout("checkouts");
const UNRESTRICTED = findingAbout("unrestricted");
const RESTRICTED = findingAbout("restricted");
const NETWORK = findingAbout("network");
/** The sandbox's start has already tried its own attacks. */
export async function* sandboxFindings(sandbox: Sandbox, config: Config): AsyncGenerator<Finding> {
  yield* probeFindings(sandbox.probe, config);
  if (!sandbox.probe.restricted) return;
  yield await writeFinding(sandbox, config.PARLEY_DATA);
  yield await checkoutFinding(sandbox, config.PARLEY_DATA);
}

export function* probeFindings(probe: Probe, config: Config, kernel = release()): Generator<Finding> {
  yield tierFinding(probe, kernel);
  yield* unrestrictedFindings(probe, config);
  for (const leak of probe.residual) yield ok("sandbox", `remains open: ${leak}`);
}

const tierFinding = (probe: Probe, release: string): Finding => {
  const kernel = `Linux ${release} ${arch()}, Landlock ABI ${probe.abi}, tier ${tierName(probe)}`;
  return probe.restricted
    ? KERNEL.ok(kernel)
    : KERNEL.error(
        `${kernel}: ${probe.refusal ?? "Restricted is not available"}`,
        `${DESKTOP.test(release) ? IN_DESKTOP : "Start Parley as root or allow user namespaces (docs/install.md)."} Until then every conversation is Unrestricted.`,
      );
};

/** Kernels of Docker Desktop: LinuxKit on macOS and in its own machine, WSL 2 on Windows. */
const DESKTOP = /linuxkit|microsoft/i;
const IN_DESKTOP = "Use a virtual machine or a server whose kernel has Landlock (docs/desktop.md).";

/** Each risk of Unrestricted commands that the operator must accept, with the setting that accepts the risk. */
function* unrestrictedFindings(probe: Probe, config: Config): Generator<Finding> {
  if (probe.tier === "T2" && probe.unrestricted.kind === "open") {
    yield config.PARLEY_ALLOW_T2_WRITES
      ? UNRESTRICTED.ok(`accepted by PARLEY_ALLOW_T2_WRITES=on: ${probe.unrestricted.why}`)
      : UNRESTRICTED.warning(
          `refused: ${probe.unrestricted.why}`,
          "Allow user namespaces, start as root, or accept the risk with PARLEY_ALLOW_T2_WRITES=on.",
        );
  }
  if (probe.egress === "proxy") return;
  yield probe.egress === "shared"
    ? NETWORK.ok("accepted by PARLEY_SHARED_NETWORK=on: Unrestricted commands share this host's network")
    : NETWORK.warning(
        `Unrestricted commands have no network: without a network namespace they would share the network of this host (${probe.whyNoMounts ?? "no network namespace can be created"})`,
        `${namespacesRemedy(probe)}, or accept the risk with PARLEY_SHARED_NETWORK=on.`,
      );
}

/** In a container with SYS_ADMIN, AppArmor refuses every mount (as a permission), and seccomp refuses pivot_root. */
const namespacesRemedy = ({ tier, whyNoMounts }: Probe): string => {
  const why = whyNoMounts ?? "";
  if (tier !== "T0") return "Allow user namespaces, or start as root";
  if (why.startsWith("pivot_root:"))
    return "In a container, add seccomp=unconfined to security_opt (docs/install.md)";
  return why.includes("Permission denied")
    ? "In a container, add apparmor=unconfined and seccomp=unconfined to security_opt (docs/install.md)"
    : "Allow Parley to create mounts: a container needs SYS_ADMIN and the two lines of deploy/compose.yaml (docs/install.md)";
};

/** The first step of every conversation: a command writes into a folder that the host made in the data directory. */
const checkoutFinding = async (sandbox: Sandbox, data: string): Promise<Finding> => {
  const { ran, isMade } = await tryFile(sandbox, data, "setup", "echo made > made");
  if (isMade) return CHECKOUTS.ok("a command wrote into a permitted directory");
  const reason = ran.kind === "failed" ? ran.reason : ran.head.toString("utf8").trim();
  return CHECKOUTS.error(
    `no conversation can start: ${reason}`,
    reason.includes("id-mapped")
      ? "Give root CAP_SETFCAP (install deploy/parley.service again; in a container use the list in deploy/compose.yaml), and put PARLEY_DATA on a file system such as ext4, XFS or btrfs."
      : remedyOf(sandbox, reason, data),
  );
};

/** The most important guarantee: Restricted must not write into a read-only directory. */
const writeFinding = async (sandbox: Sandbox, data: string): Promise<Finding> => {
  await makeTraversable(sandbox, [data]);
  const { ran, isMade } = await tryFile(sandbox, data, "restricted", "git --version && touch made");
  if (isMade)
    return RESTRICTED.error(
      "a forbidden write succeeded",
      "Do not use Restricted on this host, and report the problem.",
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
    ? RESTRICTED.ok(`a command ran (git ${version}), and a forbidden write was refused`)
    : RESTRICTED.error(`git ${version} is too old`, "Install git 2.31 or newer under /usr.");
};

/** Restricted may only read the folder. `isMade`: whether the script created the file `made`. */
const tryFile = async (sandbox: Sandbox, data: string, profile: "setup" | "restricted", script: string) => {
  const directory = mkdtempSync(join(data, "doctor-"));
  // If commands run as separate users, the folder belongs to such a user. Then only the confinement can
  // refuse the write.
  await chownToSlot(sandbox, directory, 0);
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

/** Git 2.31 is the first version that reads configuration from the environment, where Parley passes all settings. */
const LEAST_GIT = 231;

const remedyOf = ({ ownerOf }: Sandbox, reason: string, data: string): string =>
  ownerOf(0) !== null && reason.includes("Permission denied")
    ? `Run chmod o+x on each folder above ${data}; commands run as separate users and must pass through these folders.`
    : "Correct the cause above; until then no command can run in the sandbox.";
