/** Tries everything that may keep a host from starting, in the order in which an operator would fix problems. */

import { readCatalogue } from "../modes/catalogue.ts";
import { NO_OTHER_HOSTS } from "../ports/membership.ts";
import type { Observer } from "../ports/observer.ts";
import { readingWith } from "./outward.ts";
import { joinOthers, readFeatures } from "./features/open.ts";
import { modelsOf, modeProblems } from "./choose-model.ts";
import { createLog } from "./log.ts";
import { openSandbox } from "./open-sandbox.ts";
import { type Config, type NamedPlaces, configSecretsOf, type InvalidSettings } from "./settings/config.ts";
import { readOwnersFile } from "./settings/owners-file.ts";
import { preload } from "./preload.ts";
import { coreSettings } from "./settings/core-settings.ts";
import { consoleToken } from "./settings/console-token.ts";
import { sealKeySecrets } from "./settings/seal-key.ts";
import { prepareDataDirectory } from "./settings/data-directory.ts";
import { version } from "./settings/version.ts";
import { systemClock } from "./system-clock.ts";

/** `problems`: sentences for the operator. */
const failed = (...problems: readonly string[]) => ({ kind: "failed", problems }) as const;

export type PreparedHost = Extract<
  Awaited<ReturnType<typeof prepare>>,
  { readonly kind: "prepared" }
>["prepared"];

/** A failure leaves nothing running. Standby follows all other checks, so problems show early and a takeover is quick. */
export const prepare = async (config: Config, leaving: AbortSignal) => {
  const read = readFiles(config);
  const [fromFiles, models] = await Promise.all([
    readFeatures(config.features, readingWith(config)),
    modelsOf(config),
  ]);
  if (read.kind === "failed" || fromFiles.kind === "invalid" || models.kind === "invalid")
    return failed(...[read, fromFiles, models].flatMap((one) => ("problems" in one ? one.problems : [])));
  const { files } = read;
  const wanting = modeProblems(files.modes, models);
  if (wanting.length > 0) return failed(...wanting);
  const sandboxed = await openSandbox(config);
  if (sandboxed.kind === "failed") return failed(sandboxed.problem);
  const { sandbox } = sandboxed;
  const features = await fromFiles.observe({ clock: systemClock, version });
  const { observer } = features;
  const kept = await openKept(config, leaving, fromFiles.secrets, observer);
  if (kept.kind !== "kept") {
    await Promise.all([sandbox.close(), observer.close()]);
    return kept;
  }
  return {
    kind: "prepared",
    prepared: { ...files, fromFiles, models, sandbox, features, ...kept.kept },
  } as const;
};

/** Problems of files and directories in the settings, to report together with invalid settings. */
export const placeProblems = async ({
  places,
  features,
  otherKeys,
}: InvalidSettings): Promise<readonly string[]> => {
  const read = readFiles(places);
  const fromFiles = await readFeatures(features, readingWith({ otherKeys }));
  return [read, fromFiles].flatMap((one) => ("problems" in one ? one.problems : []));
};

/** Reports every problem at once. */
const readFiles = (config: NamedPlaces) => {
  const data = prepareDataDirectory(config.PARLEY_DATA);
  const catalogue = readCatalogue(config.PARLEY_MODES ?? null);
  const path = config.PARLEY_CODEOWNERS;
  const owned = path === undefined ? ({ kind: "none" } as const) : readOwnersFile(path);
  if (data.kind === "invalid" || catalogue.kind === "invalid" || owned.kind === "invalid")
    return failed(...[data, catalogue, owned].flatMap((one) => ("problems" in one ? one.problems : [])));
  const owners = owned.kind === "table" ? { owners: owned.table } : {};
  return { kind: "read", files: { modes: catalogue.modes, ...owners } } as const;
};

/** `known`: secrets from the files of features. */
const openKept = async (
  config: Config,
  leaving: AbortSignal,
  known: readonly string[],
  { logFields }: Observer,
) => {
  const made = consoleToken(config);
  if (made.kind === "failed") return failed(made.message);
  const { token } = made;
  const secrets = [token, ...configSecretsOf(config), ...sealKeySecrets(config), ...known];
  const learnSecret = (value: string): void => {
    if (!secrets.includes(value)) secrets.push(value);
  };
  const log = createLog(config.PARLEY_LOG_LEVEL, secrets, { beside: logFields });
  const [{ openStore }, { writeShared }] = await Promise.all([
    import("../store/sqlite.ts"),
    import("../store/write/writer.ts"),
  ]);
  const joined = await joinOthers(config.features, {
    ...coreSettings(config),
    log,
    console: { address: config.PARLEY_HOST, port: config.PARLEY_PORT },
    preload: () => preload(config),
    leaving,
  });
  if (joined.kind === "left" || joined.kind === "failed") return joined;
  const isAlone = joined.kind === "alone";
  const tables = config.features.flatMap((one) => one.tables);
  const opened = isAlone
    ? openStore(config.PARLEY_DATA, tables, log)
    : openStore(config.PARLEY_DATA, tables, log, writeShared(joined.writing), joined.lock);
  if (opened.kind === "failed") return failed(opened.message);
  const settled = isAlone ? null : await joined.settle({ ...opened, clock: systemClock, log });
  if (settled?.kind === "failed") return failed(settled.message);
  const membership = settled?.membership ?? NO_OTHER_HOSTS;
  return { kind: "kept", kept: { token, secrets, learnSecret, log, opened, membership } } as const;
};
