/** Everything that may keep a host from starting, tried in the order in which an operator would mend it. */

import type { Sandbox } from "../../sandbox/types.ts";
import { readCatalogue } from "../modes/catalogue.ts";
import type { Log } from "../ports/host.ts";
import type { Objects } from "../ports/store.ts";
import type { Modes } from "../ports/tools.ts";
import type { Opened } from "../store/sqlite.ts";
import type { OpenedTraces } from "../traces/open.ts";
import type { OwnerTable } from "../thread/owners.ts";
import { type OpenedForges, openForges } from "./forges.ts";
import type { ConfiguredModels } from "../model/models.ts";
import { modelSecrets, modelsOf, modeProblems } from "./choose-model.ts";
import type { Member } from "./fleet/stand-by.ts";
import { createLog } from "./log.ts";
import type { McpEntry } from "../tools/mcp/entry.ts";
import { serversOf } from "./mcp.ts";
import { openSandbox } from "./open-sandbox.ts";
import { openTracesOf } from "./open-traces.ts";
import type { Config, Places } from "./settings/config.ts";
import { readOwnersFile } from "./settings/owners-file.ts";
import { openShared, secretsOfShared } from "./settings/shared-directory.ts";
import { consoleToken } from "./settings/console-token.ts";
import { prepareDataDirectory } from "./settings/data-directory.ts";
import { systemClock } from "./system-clock.ts";
import { PROVIDERS, SECRET_VARIABLES } from "../model/providers/providers.ts";

type Preparation =
  | { readonly kind: "prepared"; readonly prepared: Prepared }
  /** Asked to end while it stood by. */
  | { readonly kind: "left" }
  | Failed;

export interface Prepared {
  readonly modes: Modes;
  readonly forging: Extract<OpenedForges, { readonly kind: "forges" }>;
  /** Absent where owners of files do not count. */
  readonly owners?: OwnerTable;
  readonly models: Exclude<ConfiguredModels, { readonly kind: "invalid" }>;
  readonly servers: readonly McpEntry[];
  readonly sandbox: Sandbox;
  /** The console's. */
  readonly token: string;
  /** What must show up nowhere. */
  readonly secrets: readonly string[];
  readonly log: Log;
  readonly opened: Opened;
  /** Null where this host is alone. */
  readonly member: Member | null;
  /** What it shares with the others; null where it keeps its own. */
  readonly shared: Objects | null;
  /** Null where nobody asks for them. */
  readonly traces: OpenedTraces | null;
}

/** One sentence each, for the operator. */
interface Failed {
  readonly kind: "failed";
  readonly problems: readonly string[];
}

/**
 * Where it fails, nothing that it started is left. One of several hosts stands by before its store is opened, when all else
 * is tried: what keeps it from starting is known before it is needed, and it takes over quickly.
 */
export const prepare = async (config: Config, leaving: AbortSignal): Promise<Preparation> => {
  const read = readFiles(config);
  const [models, mcp] = await Promise.all([modelsOf(config), serversOf(config)]);
  if (read.kind === "failed" || models.kind === "invalid" || mcp.kind === "invalid") {
    const problems = [read, models, mcp].flatMap((one) => ("problems" in one ? one.problems : []));
    return { kind: "failed", problems };
  }
  const { modes, forging, owners } = read;
  const wanting = modeProblems(modes, models);
  if (wanting.length > 0) return { kind: "failed", problems: wanting };
  const { servers } = mcp;
  const sandboxed = await openSandbox(config);
  if (sandboxed.kind === "failed") return { kind: "failed", problems: [sandboxed.problem] };
  const { sandbox } = sandboxed;
  const kept = await openKept(config, leaving, [
    ...forging.secrets,
    ...servers.flatMap((one) => one.secrets),
    ...modelSecrets(models.kind === "models" ? models.models : []),
  ]);
  if (kept.kind !== "kept") {
    await sandbox.close();
    return kept;
  }
  const { kind: _, ...rest } = kept;
  return { kind: "prepared", prepared: { modes, forging, ...owners, models, servers, sandbox, ...rest } };
};

/** What is wrong with the places that the settings name, where something else is wrong with the settings too. */
export const placeProblems = (places: Places): readonly string[] => {
  const read = readFiles(places);
  return read.kind === "failed" ? read.problems : [];
};

/** What the operator wrote; every problem at once. */
const readFiles = (config: Places) => {
  const data = prepareDataDirectory(config.PARLEY_DATA);
  const catalogue = readCatalogue(config.PARLEY_MODES ?? null);
  const forging = openForges(config.PARLEY_FORGES ?? null);
  const path = config.PARLEY_CODEOWNERS;
  const owned = path === undefined ? null : readOwnersFile(path);
  if (
    data.kind !== "failed" &&
    catalogue.kind !== "invalid" &&
    forging.kind !== "invalid" &&
    owned?.kind !== "invalid"
  ) {
    const owners = owned === null ? {} : { owners: owned.table };
    return { kind: "read", modes: catalogue.modes, forging, owners } as const;
  }
  const problems = [
    ...(data.kind === "failed" ? [data.message] : []),
    ...(catalogue.kind === "invalid" ? catalogue.problems : []),
    ...(forging.kind === "invalid" ? forging.problems : []),
    ...(owned?.kind === "invalid" ? owned.problems : []),
  ];
  return { kind: "failed", problems } as const;
};

/** What the data directory keeps. */
const openKept = async (config: Config, leaving: AbortSignal, known: readonly string[]) => {
  const token = consoleToken(config);
  if (token.kind === "failed") return { kind: "failed", problems: [token.message] } as const;
  const fleet = config.PARLEY_DATABASE === undefined ? null : await import("./fleet/stand-by.ts");
  const secrets = [
    ...secretsOf(config, token.token),
    ...known,
    ...(fleet?.secretsOfFleet(config) ?? []),
    ...secretsOfShared(config),
  ];
  const shared = await openShared(config);
  if (typeof shared === "string") return { kind: "failed", problems: [shared] } as const;
  const traces = await openTracesOf(config, systemClock);
  const log = createLog(config.PARLEY_LOG_LEVEL, secrets, traces === null ? {} : { beside: traces.beside });
  const { openStore } = await import("../store/sqlite.ts");
  const joined = (await fleet?.standBy(config, { log, leaving })) ?? null;
  if (joined !== null && joined.kind !== "active") return joined;
  const member = joined?.member ?? null;
  const opened =
    member === null
      ? openStore(config.PARLEY_DATA, log)
      : openStore(config.PARLEY_DATA, log, member.write, member.lock);
  if (opened.kind === "failed") return { kind: "failed", problems: [opened.message] } as const;
  const unsettled = (await member?.settle(opened.fleet)) ?? null;
  if (unsettled !== null) return { kind: "failed", problems: [unsettled] } as const;
  return { kind: "kept", token: token.token, secrets, log, opened, member, shared, traces } as const;
};

/** `token`: the console's. */
const secretsOf = (config: Config, token: string): readonly string[] =>
  [
    token,
    config.PARLEY_GATEWAY_TOKEN,
    config.PARLEY_HOOK_SECRET,
    ...SECRET_VARIABLES.map((name) => config[name]),
    config.SLACK_BOT_TOKEN,
    config.SLACK_APP_TOKEN,
    config.SLACK_SIGNING_SECRET,
    config.DISCORD_TOKEN,
    ...[...Object.values(config.OTEL_EXPORTER_OTLP_HEADERS), ...queriesOf(config)].filter(
      (value) => value.length >= LEAST,
    ),
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

/** Characters of a header or a part of an address that counts as a secret: masking a shorter one would garble everything. */
const LEAST = 8;
