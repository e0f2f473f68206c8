/** Everything that may keep a host from starting, tried in the order in which an operator would mend it. */

import { readCatalogue } from "../modes/catalogue.ts";
import type { Egress } from "./outward.ts";
import { openForges } from "./forges.ts";
import { modelSecrets, modelsOf, modeProblems } from "./choose-model.ts";
import { createLog } from "./log.ts";
import { serversOf } from "./mcp.ts";
import { openSandbox } from "./open-sandbox.ts";
import { openTraces } from "./open-traces.ts";
import type { Config, Places } from "./settings/config.ts";
import { readOwnersFile } from "./settings/owners-file.ts";
import { openShared, secretsOfShared } from "./settings/shared-directory.ts";
import { consoleToken } from "./settings/console-token.ts";
import { prepareDataDirectory } from "./settings/data-directory.ts";
import { systemClock } from "./system-clock.ts";
import { PROVIDERS, SECRET_VARIABLES } from "../model/providers/providers.ts";

/** One sentence each, for the operator. */
const failed = (...problems: readonly string[]) => ({ kind: "failed", problems }) as const;

/**
 * Where it fails, nothing that it started is left. One of several hosts stands by before its store is opened, when all else
 * is tried: what keeps it from starting is known before it is needed, and it takes over quickly.
 */
export const prepare = async (config: Config, leaving: AbortSignal) => {
  const read = readFiles(config);
  const [models, mcp] = await Promise.all([modelsOf(config), serversOf(config)]);
  if (read.kind === "failed" || models.kind === "invalid" || mcp.kind === "invalid")
    return failed(...[read, models, mcp].flatMap((one) => ("problems" in one ? one.problems : [])));
  const { files } = read;
  const wanting = modeProblems(files.modes, models);
  if (wanting.length > 0) return failed(...wanting);
  const { servers } = mcp;
  const sandboxed = await openSandbox(config);
  if (sandboxed.kind === "failed") return failed(sandboxed.problem);
  const { sandbox } = sandboxed;
  const kept = await openKept(config, leaving, [
    ...files.forging.secrets,
    ...servers.flatMap((one) => one.secrets),
    ...modelSecrets(models.kind === "models" ? models.models : []),
  ]);
  if (kept.kind !== "kept") {
    await sandbox.close();
    return kept;
  }
  return { kind: "prepared", prepared: { ...files, models, servers, sandbox, ...kept.kept } } as const;
};

/** What is wrong with the places that the settings name, where something else is wrong with the settings too. */
export const placeProblems = (places: Places): readonly string[] => {
  const read = readFiles(places);
  return read.kind === "failed" ? read.problems : [];
};

/** What the operator wrote; every problem at once. */
const readFiles = (config: Places & Egress) => {
  const data = prepareDataDirectory(config.PARLEY_DATA);
  const catalogue = readCatalogue(config.PARLEY_MODES ?? null);
  const forging = openForges(config.PARLEY_FORGES ?? null, config);
  const path = config.PARLEY_CODEOWNERS;
  const owned = path === undefined ? ({ kind: "none" } as const) : readOwnersFile(path);
  if (
    data.kind === "invalid" ||
    catalogue.kind === "invalid" ||
    forging.kind === "invalid" ||
    owned.kind === "invalid"
  )
    return failed(
      ...[data, catalogue, forging, owned].flatMap((one) => ("problems" in one ? one.problems : [])),
    );
  /** Left out where owners of files do not count. */
  const owners = owned.kind === "table" ? { owners: owned.table } : {};
  return { kind: "read", files: { modes: catalogue.modes, forging, ...owners } } as const;
};

/** What the data directory keeps, for this host alone or as one of several: `member` and `shared` are null where it is alone. */
const openKept = async (config: Config, leaving: AbortSignal, known: readonly string[]) => {
  const made = consoleToken(config);
  if (made.kind === "failed") return failed(made.message);
  const { token } = made;
  const fleet = config.PARLEY_DATABASE === undefined ? null : await import("./fleet/stand-by.ts");
  const secrets = [
    ...secretsOf(config, token),
    ...known,
    ...(fleet?.secretsOfFleet(config) ?? []),
    ...secretsOfShared(config),
  ];
  const shared = await openShared(config);
  if (typeof shared === "string") return failed(shared);
  const traces = await openTraces(config, systemClock);
  const log = createLog(config.PARLEY_LOG_LEVEL, secrets, traces === null ? {} : { beside: traces.beside });
  const { openStore } = await import("../store/sqlite.ts");
  const joined = (await fleet?.standBy(config, { log, leaving })) ?? null;
  if (joined !== null && joined.kind !== "active") return joined;
  const member = joined?.member ?? null;
  const opened =
    member === null
      ? openStore(config.PARLEY_DATA, log)
      : openStore(config.PARLEY_DATA, log, member.lease.write, member.lock);
  if (opened.kind === "failed") return failed(opened.message);
  const unsettled = (await member?.settle(opened.fleet)) ?? null;
  if (unsettled !== null) return failed(unsettled);
  return { kind: "kept", kept: { token, secrets, log, opened, member, shared, traces } } as const;
};

/** `token`: the console's. */
const secretsOf = (config: Config, token: string): readonly string[] =>
  [
    token,
    ...config.features.flatMap(({ secrets }) => secrets),
    config.PARLEY_HOOK_SECRET,
    ...SECRET_VARIABLES.map((name) => config[name]),
    config.SLACK_BOT_TOKEN,
    config.SLACK_APP_TOKEN,
    config.SLACK_SIGNING_SECRET,
    config.DISCORD_TOKEN,
    ...[
      ...Object.values(config.OTEL_EXPORTER_OTLP_HEADERS),
      ...queriesOf(config),
      ...proxyPasswords(config),
    ].filter((value) => value.length >= LEAST),
  ].filter((secret) => secret !== undefined);

/** Keys that a collector or a proxy wants in its address, as written and as read. */
const queriesOf = (config: Config): readonly string[] =>
  [
    ...Object.values(PROVIDERS).map(({ address }) => config[address]),
    config.SLACK_API_URL,
    config.DISCORD_API_URL,
    config.OTEL_EXPORTER_OTLP_ENDPOINT,
    config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  ].flatMap((address) => {
    const url = URL.parse(address ?? "");
    if (url === null) return [];
    const written = url.search.split(/[?&]/).map((pair) => pair.slice(pair.indexOf("=") + 1));
    return [...url.searchParams.values(), ...written];
  });

/** The outgoing proxy's password, as written and as read. */
const proxyPasswords = ({ HTTPS_PROXY, HTTP_PROXY }: Config): readonly string[] =>
  [HTTPS_PROXY, HTTP_PROXY].flatMap((address) => {
    const password = URL.parse(address ?? "")?.password ?? "";
    return [password, decodeURIComponent(password)];
  });

/** Characters of a header or a part of an address that counts as a secret: masking a shorter one would garble everything. */
const LEAST = 8;
