/** What doctor looks at, one finding at a time, so that a slow check does not hold back the others' lines. */

import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { arch, release } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "../../sandbox/types.ts";
import { chooseModel } from "../choose-model.ts";
import type { Config } from "../config.ts";
import { prepareDataDirectory } from "../data-directory.ts";
import { findDefaultRepo } from "../default-repo.ts";
import { createLog } from "../log.ts";
import { readCatalogue } from "../modes/catalogue.ts";
import type { Model } from "../runtime/ports.ts";
import { systemClock } from "../system-clock.ts";
import { handOver, letThrough } from "../workspace/owner.ts";
import { discordFindings } from "./discord-findings.ts";
import { error, type Finding, ok, warning } from "./finding.ts";
import { slackFindings } from "./slack-findings.ts";

const LEAST_SPACE = 1e9;
const MODEL_PATIENCE = 30_000;

export async function* inspect(config: Config, startedIn: string): AsyncGenerator<Finding> {
  yield ok("node", `${process.versions.node} (${process.execPath})`);
  const data = dataFinding(config.PARLEY_DATA);
  yield data;
  if (data.level !== "error") yield* sandboxFindings(config);
  yield repoFinding(config, startedIn);
  yield modesFinding(config.PARLEY_MODES ?? null);
  yield await modelFinding(config);
  yield* slackFindings(config);
  yield* discordFindings(config);
}

/** Opens the sandbox, whose start tries its own attacks, and then runs what must work and what must not. */
async function* sandboxFindings(config: Config): AsyncGenerator<Finding> {
  const { locateLauncher } = await import("../../sandbox/locate.ts");
  const located = await locateLauncher(join(config.PARLEY_DATA, "bin"));
  if (located.kind === "failed") {
    yield error("launcher", located.reason, "Install a C compiler (cc), or run on linux x64 or arm64.");
    return;
  }
  const { createSandbox } = await import("../../sandbox/server.ts");
  const sandbox = await createSandbox({
    launcher: located.path,
    off: config.PARLEY_SANDBOX === "off",
    acceptShared: config.PARLEY_SHARED_NETWORK,
  });
  yield tierFinding(sandbox);
  yield* unrestrictedFindings(sandbox, config);
  for (const leak of sandbox.probe.residual) yield ok("sandbox", `remains open: ${leak}`);
  if (sandbox.probe.restricted) yield await writeFinding(sandbox, config.PARLEY_DATA);
  await sandbox.close();
}

const tierFinding = ({ probe }: Sandbox): Finding => {
  const kernel = `Linux ${release()} ${arch()}, Landlock ABI ${probe.abi}, tier ${probe.tier}`;
  return probe.restricted
    ? ok("kernel", kernel)
    : error(
        "kernel",
        `${kernel}: ${probe.refusal ?? "Restricted is not available"}`,
        "Start Parley as root or allow user namespaces (docs/operators.md). Until then every conversation is Unrestricted.",
      );
};

/** What the operator has to accept before Unrestricted commands get it, each with the setting that says so. */
function* unrestrictedFindings({ probe }: Sandbox, config: Config): Generator<Finding> {
  if (probe.tier === "T2" && probe.unrestricted.kind === "open") {
    yield config.PARLEY_UNCONFINED_WRITES
      ? ok("unrestricted", `accepted by PARLEY_UNCONFINED_WRITES=on: ${probe.unrestricted.why}`)
      : warning(
          "unrestricted",
          `refused: ${probe.unrestricted.why}`,
          "Allow user namespaces, start as root, or accept it with PARLEY_UNCONFINED_WRITES=on.",
        );
  }
  if (probe.egress === "proxy") return;
  yield probe.egress === "shared"
    ? ok("network", "accepted by PARLEY_SHARED_NETWORK=on: Unrestricted commands share this host's network")
    : warning(
        "network",
        "Unrestricted commands have none: without a network namespace they would share this host's",
        "Allow user namespaces, start as root (in a container: with SYS_ADMIN too, see docs/operators.md), or accept it with PARLEY_SHARED_NETWORK=on.",
      );
}

/** The one promise that matters most, tried where checkouts are: a write into a directory that Restricted may only read. */
const writeFinding = async (sandbox: Sandbox, data: string): Promise<Finding> => {
  await letThrough(sandbox, [data]);
  const directory = mkdtempSync(join(data, "doctor-"));
  // Where commands have users of their own it is theirs, so that only the confinement can refuse the write.
  await handOver(sandbox, directory, 0);
  const target = sandbox.probe.mounts ? "/work" : directory;
  const ran = await sandbox.run({
    policy: {
      profile: "restricted",
      network: "none",
      mounts: [{ source: directory, target, write: false }],
      cwd: target,
      identity: 0,
    },
    argv: ["/bin/bash", "--noprofile", "--norc", "-c", "git --version && touch forbidden"],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    timeoutMs: 10_000,
    keep: { head: 1_000, tail: 1_000 },
  });
  const written = existsSync(join(directory, "forbidden"));
  rmSync(directory, { recursive: true, force: true });
  if (written)
    return error(
      "restricted",
      "a forbidden write succeeded",
      "Do not use Restricted mode here; please report this host.",
    );
  if (ran.kind === "failed") return error("restricted", ran.reason, remedyOf(sandbox, ran.reason, data));
  const output = ran.head.toString("utf8");
  return output.includes("git version")
    ? ok("restricted", "a command ran, and its forbidden write was refused")
    : error(
        "restricted",
        `git does not run in the sandbox: ${output.trim()}`,
        "Install git under /usr (apt-get install git).",
      );
};

const remedyOf = ({ ownerOf }: Sandbox, reason: string, data: string): string =>
  ownerOf(0) !== null && reason.includes("Permission denied")
    ? `Commands have users of their own here, who must pass through each folder above ${data}: chmod o+x those.`
    : "Nothing can run in the sandbox; see the reason.";

const dataFinding = (directory: string): Finding => {
  const prepared = prepareDataDirectory(directory);
  if (prepared.kind === "failed") {
    return error("data", prepared.message, "Set PARLEY_DATA to a directory of this user.");
  }
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  const found = `${directory}, ${(free / 1e9).toFixed(1)} GB free`;
  return free >= LEAST_SPACE
    ? ok("data", found)
    : warning("data", found, "Make room: mirrors and checkouts live here.");
};

const repoFinding = (config: Config, startedIn: string): Finding => {
  const repo = findDefaultRepo(config.PARLEY_REPO, startedIn);
  if (repo === null) {
    return warning(
      "repository",
      "none by default",
      "Start inside a git work tree, or set PARLEY_REPO; the console asks otherwise.",
    );
  }
  return repo.kind === "path" && !existsSync(repo.location)
    ? error("repository", `${repo.location} does not exist`, "Correct PARLEY_REPO.")
    : ok("repository", repo.location);
};

const modesFinding = (directory: string | null): Finding => {
  const read = readCatalogue(directory);
  return read.kind === "invalid"
    ? error("modes", read.problems.join("; "), "Correct the files in PARLEY_MODES.")
    : ok(
        "modes",
        read.modes.all.map(({ key }) => (key === read.modes.initial ? `${key} (default)` : key)).join(", "),
      );
};

const modelFinding = async (config: Config): Promise<Finding> => {
  const log = createLog("silent", []);
  const blobs = { get: () => Promise.resolve(null) };
  const chosen = await chooseModel(config, { blobs, log, clock: systemClock });
  if (chosen.name === "demo") {
    return warning("model", "the scripted demo model", "Set ANTHROPIC_API_KEY for a real model.");
  }
  const failed = await tryModel(chosen.model, chosen.name);
  return failed === null
    ? ok("model", `${chosen.name} answered`)
    : error(
        "model",
        `${chosen.name}: ${failed}`,
        "Check ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL and PARLEY_MODEL.",
      );
};

/** One short request; null when it was answered. */
const tryModel = async (model: Model, name: string): Promise<string | null> => {
  const answer = await model.respond(
    {
      conversation: "c-doctor",
      model: name,
      prefix: { hash: "doctor", system: "Answer with one word.", tools: [] },
      messages: [{ role: "user", content: [{ kind: "text", text: "Say ok." }] }],
    },
    { signal: AbortSignal.timeout(MODEL_PATIENCE), onText: () => undefined },
  );
  if (answer.kind === "failed") return answer.failure.message;
  return answer.kind === "aborted" ? `no answer within ${MODEL_PATIENCE / 1_000} s` : null;
};
