/** Checks in order of dependency. Each finding is yielded at once, so that a slow check does not delay the lines of others. */

import type { Sandbox } from "../../../../sandbox/types.ts";
import { chooseModel, modelsOf } from "../../choose-model.ts";
import { readFeatures } from "../../features/open.ts";
import { createLog } from "../../log.ts";
import { openSandbox } from "../../open-sandbox.ts";
import { reachOf, readingWith } from "../../outward.ts";
import { readStored } from "../shared/with-stored.ts";
import type { Config } from "../../settings/config.ts";
import { coreSettings } from "../../settings/core-settings.ts";
import { systemClock } from "../../system-clock.ts";
import { readCatalogue } from "../../../modes/catalogue.ts";
import type { GitProxies } from "../../../ports/forge.ts";
import { reachRepository } from "./reachability.ts";
import { modelsFindings } from "./model-finding.ts";
import { certificatesFindings } from "./certificates-finding.ts";
import { listenForDates } from "./clock-finding.ts";
import type { DoctorCore } from "../../../feature.ts";
import { error, type Finding, invalid, judged } from "../../../ports/finding.ts";
import { containerFindings, containerMounts } from "./container-finding.ts";
import { dataFinding, hostFindings, thisMachine, retentionFindings, portFinding } from "./host-findings.ts";
import { networkFindings } from "./network-findings.ts";
import { proxyFindings } from "./proxy-findings.ts";
import { foundSealKey } from "../../settings/seal-key.ts";
import { ownersFindings, platformFindings } from "./platform-findings.ts";
import { namedRepositories, repositoryFindings } from "./repository-findings.ts";
import { sandboxFindings } from "./sandbox-findings.ts";

export async function* inspect(config: Config, startedIn: string): AsyncGenerator<Finding> {
  yield* hostFindings(thisMachine());
  yield* certificatesFindings(process.env["NODE_EXTRA_CA_CERTS"]);
  yield* proxyFindings(config);
  const data = dataFinding(config.PARLEY_DATA);
  yield data;
  yield* containerFindings(containerMounts(), config);
  yield* retentionFindings(config);
  yield* portFindings(config);
  // Starts after the port checks, because the console on that port would report this machine's own clock.
  const dates = listenForDates();
  try {
    yield* withSandbox(config, startedIn, data.level !== "error");
    yield* platformFindings(config);
    yield* dates.findings();
  } finally {
    dates.close();
  }
}

const doctorCore = (config: Config) =>
  ({
    ...coreSettings(config),
    hasConsoleToken: config.PARLEY_CONSOLE_TOKEN !== undefined,
    findSealKey: () => foundSealKey(config),
    receivesPushes: config.features.some(({ hearsPushes }) => hearsPushes),
    stored: (read) => readStored(config.PARLEY_DATA, read),
    reach: reachOf(config),
    log: SILENT,
  }) satisfies Partial<DoctorCore>;

async function* portFindings(config: Config): AsyncGenerator<Finding> {
  const host = config.PARLEY_HOST;
  yield await portFinding("console", host, config.PARLEY_PORT, "PARLEY_PORT");
  for (const { configure } of config.platforms) {
    const state = configure(config);
    if (state.kind === "unset" || state.port === null) continue;
    const { what, port, setting } = state.port;
    yield await portFinding(what, host, port, setting);
  }
}

/** Includes everything that may use the sandbox, such as repositories, because git runs there. */
async function* withSandbox(config: Config, startedIn: string, hasData: boolean): AsyncGenerator<Finding> {
  const opened = hasData ? await openSandbox(config) : null;
  if (opened?.kind === "failed") {
    yield error("sandbox", opened.problem, "Install a C compiler (cc), or run on linux x64 or arm64.");
  }
  const sandbox = opened?.kind === "open" ? opened.sandbox : null;
  try {
    if (sandbox !== null) {
      yield* sandboxFindings(sandbox, config);
      yield* networkFindings(sandbox, config.PARLEY_EGRESS ?? null);
    }
    const reading = readingWith(config);
    const read = await readFeatures(config.features, reading);
    const { forge } = read;
    yield* repositoryFindings(config, startedIn, { look: lookWith(sandbox, forge.doors), forge });
    const repos = [...namedRepositories(config, startedIn).values()];
    yield modesFinding(config.PARLEY_MODES ?? null);
    yield* ownersFindings(config.PARLEY_CODEOWNERS);
    const model = yield* modelFindings(config);
    const core = { ...doctorCore(config), sandbox, archives: forge.archives, reading, repos, model };
    for (const { findings } of config.features) yield* findings(core);
  } finally {
    await sandbox?.close();
  }
}

const SILENT = createLog("silent", []);

const lookWith = (
  sandbox: Sandbox | null,
  doors: GitProxies,
): Parameters<typeof repositoryFindings>[2]["look"] => {
  if (sandbox === null) return null;
  const deps = { sandbox, doors, clock: systemClock, log: SILENT, slot: 0 };
  return (repo, signal) => reachRepository(deps, repo, signal);
};

const modesFinding = (directory: string | null): Finding => {
  const read = readCatalogue(directory);
  const found =
    read.kind === "invalid"
      ? read.problems.join("; ")
      : read.modes.all.map(({ key }) => (key === read.modes.initial ? `${key} (default)` : key)).join(", ");
  return judged(read.kind !== "invalid", "modes", found, "Correct the files in PARLEY_MODES.", error);
};

/** Returns the model if it costs money, otherwise null. */
async function* modelFindings(config: Config): AsyncGenerator<Finding, DoctorCore["model"]> {
  const blobs = { get: () => Promise.resolve(null) };
  const models = await modelsOf(config);
  if (models.kind === "invalid") {
    yield* invalid("model", models.problems);
    return null;
  }
  const chosen = await chooseModel(config, models, { blobs, log: SILENT, clock: systemClock });
  yield* modelsFindings(chosen);
  return chosen.isScripted ? null : chosen;
}
