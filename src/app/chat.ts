import { offSurface } from "./chat/off-surface.ts";
import type { ScriptedModel } from "../ports/model.ts";
import { otherProvidersOf, scriptedOf } from "./choose-model.ts";
import type { OpenFeatures } from "./features/open.ts";
import type { Config } from "./settings/config.ts";
import { randomId } from "./process/random-id.ts";
import type { ConnectionDeps } from "../runtime/chat/connection.ts";
import { createRepos } from "../runtime/channels/repos.ts";
import { approversOf } from "../runtime/chat/people/rights.ts";
import type { HostNotes } from "../ports/alerts.ts";
import type { ChatSurface, ReceivePayload } from "../ports/connection.ts";
import type { PlatformPorts, PlatformState } from "../ports/platform-entry.ts";
import type { Limits } from "../ports/surface.ts";
import type { Modes } from "../ports/tools.ts";
import { omitUndefined } from "../text/omit-undefined.ts";

type HostDeps = Omit<ConnectionDeps, "commands" | "forms"> & Pick<OpenFeatures, "commands">;

export interface ChatParts extends Omit<HostDeps, keyof ReturnType<typeof settingsOf>> {
  readonly modes: Modes;
  readonly notes: HostNotes;
  readonly conceal: PlatformPorts["conceal"];
  /** Whether no other host has connections of the same apps. */
  readonly isAlone: boolean;
  /** Wraps the receiver `own` of a platform, so that the leader processes each payload. */
  readonly taking: (surface: string, own: ReceivePayload) => ReceivePayload;
  /** Limits that replace those of each platform. */
  readonly limits?: Partial<Limits>;
}

export const openChat = async (config: Config, parts: ChatParts): Promise<readonly ChatSurface[]> => {
  const deps = connectionDeps(config, parts);
  const surfaces: ChatSurface[] = [];
  for (const { name, configure, forms } of config.platforms) {
    const ports = {
      ...parts,
      approvers: approversOf(name, config.PARLEY_APPROVERS),
      taking: (own: ReceivePayload) => parts.taking(name, own),
    };
    surfaces.push(await connect(name, configure(config), noModel(config), ports, { ...deps, forms }));
  }
  return surfaces;
};

/** Imports the code around an adapter only if the platform is on. */
const connect = async (
  name: string,
  state: PlatformState,
  lacking: string | null,
  ports: PlatformPorts,
  deps: HostDeps & Pick<ConnectionDeps, "forms">,
): Promise<ChatSurface> => {
  if (state.kind !== "ready") return offSurface(name, state.why);
  if (lacking !== null) return offSurface(name, lacking);
  const adapter = await state.open(ports);
  const [{ createConnection }, { commandsWith }] = await Promise.all([
    import("../runtime/chat/connection.ts"),
    import("./commands.ts"),
  ]);
  return createConnection(name, adapter, { ...deps, commands: commandsWith(await deps.commands()) });
};

export const connectionDeps = (config: Config, parts: ChatParts): HostDeps => ({
  ...parts,
  ...settingsOf(config, parts.modes),
});

const settingsOf = (config: Config, modes: Modes) => ({
  modes: modes.all,
  repos: createRepos(config.PARLEY_REPOS),
  approvers: config.PARLEY_APPROVERS,
  twoPerson: config.PARLEY_TWO_PERSON,
  strangerTurns: config.PARLEY_NON_APPROVER_TURNS_PER_HOUR,
  language: config.PARLEY_LANGUAGE,
  randomId,
  ...omitUndefined({ next: scriptedNext(config) }),
});

/** Absent unless the scripted model answers. */
const scriptedNext = (config: Config): ScriptedModel["next"] => {
  const scripted = scriptedOf(config);
  return config.PARLEY_MODEL === scripted?.name ? scripted?.next : undefined;
};

export const noModel = (config: Config): string | null =>
  config.ANTHROPIC_API_KEY === undefined &&
  config.PARLEY_MODEL === undefined &&
  (otherProvidersOf(config).list?.read ?? null) === null
    ? `there is no model: set ANTHROPIC_API_KEY${orScripted(scriptedOf(config))}`
    : null;

const orScripted = (scripted: ScriptedModel | null): string =>
  scripted === null ? "" : `, or PARLEY_MODEL=${scripted.name} for the scripted model`;
