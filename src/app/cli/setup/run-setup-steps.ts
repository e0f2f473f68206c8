/** Steps of `parley setup`, in order. Nothing is written before the review. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { PlatformEntry } from "../../../platform.ts";
import { type Finding, findingAbout } from "../../../ports/finding.ts";
import type { PlatformSetupResult, SetupAsker, SetupChannel } from "../../../ports/platform-setup.ts";
import { exposedIn } from "../../../settings/exposed.ts";
import { PLATFORMS } from "../../chat/platforms.ts";
import { useOutgoingProxy } from "../../process/outgoing-proxy.ts";
import type { Config } from "../../settings/config.ts";
import { prepareDataDirectory } from "../../settings/data-directory.ts";
import { readEnvFile } from "../../settings/env-file.ts";
import { doctorCommand } from "../doctor/doctor.ts";
import { portFinding } from "../doctor/host-findings.ts";
import { firstQuestion } from "../shared/first-question.ts";
import { missingAnswers } from "./asker.ts";
import { bindChannel } from "./bind-channel.ts";
import { changeEnv } from "./env-changes.ts";
import { withForgeToken } from "./forge-file.ts";
import { createKeptFiles } from "./kept-files.ts";
import { modelStep } from "./model-step.ts";
import type { PlannedSettings } from "./planned-settings.ts";
import { refusalToWrite, sweepPrivateParts, targetOf, writePrivateFile } from "./private-file.ts";
import { type ChosenRepositories, repositoryStep } from "./repository-step.ts";
import { findChannel, type Reviewed, review } from "./review.ts";
import { CHANNEL, requiredAnswers, type SetupOptions, SURFACE, WAIT } from "./setup-options.ts";
import { asSentence, SetupStopped, sentenceOf } from "./setup-stopped.ts";

export interface SetupRun {
  readonly asker: SetupAsker;
  readonly planned: PlannedSettings;
  readonly options: Pick<SetupOptions, "answers" | "update" | "yes">;
  /** Value of an option or of the environment; null if there is none. */
  readonly given: (name: string) => string | null;
  readonly give: (name: string, value: string) => void;
  /** Folder of `.env`. */
  readonly folder: string;
  readonly startedIn: string;
  readonly signal: AbortSignal;
  readonly written: () => void;
}

/** Returns the exit status. Throws `SetupStopped` with one sentence if it ends before its time. */
export const runSetupSteps = async (run: SetupRun): Promise<number> => {
  const file = join(run.folder, ".env");
  const { text, config } = checkFolder(run, file);
  const port = await portStep(run, config);
  const surface = await askSurface(run);
  const connected = await connect(run, surface, config);
  if (connected !== null && "text" in connected) {
    run.asker.print(connected.text);
    return 0;
  }
  const model = await modelStep(run);
  const repositories = await repositoryStep({ ...run, inForce: run.planned.inForce, limit: REQUEST_LIMIT });
  const { channels, findings } = await channelsOf(run, connected);
  const forges = forgeFile(run, config, repositories);
  const settings = {
    ...connected?.settings,
    ...port.settings,
    ...model,
    ...repositories.settings,
    ...forges?.settings,
  };
  const reviewed = await reviewStep(run, { file, text, surface, connected, channels, settings });
  const all = { ...settings, PARLEY_APPROVERS: reviewed.approvers };
  write(run, { file, text, all, forges });
  await bindStep(run, surface, reviewed.channel, repositories);
  return finish(run, { all, connected, findings, isRunning: port.isRunning, repositories });
};

/** Milliseconds. */
const REQUEST_LIMIT = 20_000;

/** Checks what would refuse the writing at the end, before the first question. */
const checkFolder = ({ planned, folder }: SetupRun, file: string) => {
  const exposed = exposedIn(targetOf(file));
  if (exposed !== null)
    throw new SetupStopped(
      `${targetOf(file)} lies in ${exposed}, which every command of an agent may read: run setup in another folder.`,
    );
  const refusal = refusalToWrite(file);
  if (refusal !== null)
    throw new SetupStopped(`${folder} cannot be written (${refusal}): run setup as its owner.`);
  sweepPrivateParts(file);
  const { problem } = readEnvFile(file);
  if (problem !== null) throw new SetupStopped(asSentence(problem));
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const read = planned.configWith({});
  if (read.kind === "refused") throw new SetupStopped(read.why);
  useOutgoingProxy(read.config);
  return { text, config: read.config };
};

/** Asks for another port only if the console's is taken. */
const portStep = async (
  { asker, options }: SetupRun,
  { PARLEY_HOST: host, PARLEY_PORT: usual }: Config,
): Promise<{ readonly settings: Readonly<Record<string, string>>; readonly isRunning: boolean }> => {
  const look = (port: number) => portFinding("console", host, port, "PARLEY_PORT");
  const found = await look(usual);
  const isRunning = /in use by Parley/.test(found.found);
  if (found.level !== "error" && !options.answers.has("PARLEY_PORT")) return { settings: {}, isRunning };
  if (asker.isInteractive && found.level === "error") asker.print(asSentence(found.found));
  const next = asker.isInteractive ? await freePort(look, usual) : usual;
  return asker.ask({
    name: "PARLEY_PORT",
    text: "Port of the console",
    fallback: String(next),
    check: async (text) => {
      if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
        return { kind: "refused", why: `${text} is no port: enter a number from 1024 to 65535.` };
      const { level, found: state, remedy } = await look(Number(text));
      return level === "error"
        ? { kind: "refused", why: `${state}. ${remedy}` }
        : { kind: "valid", value: { settings: { PARLEY_PORT: text }, isRunning: false } };
    },
  });
};

const freePort = async (look: (port: number) => Promise<Finding>, after: number): Promise<number> => {
  for (let port = after + 1; port < after + 20; port += 1) if ((await look(port)).level === "ok") return port;
  return 0;
};

const CONSOLE = "console";

const askSurface = ({ asker, given, give, planned }: SetupRun): Promise<string> => {
  const names = [...PLATFORMS.map(({ name }) => name), CONSOLE];
  const known =
    PLATFORMS.find(({ token }) => given(token) !== null) ??
    PLATFORMS.find(({ token }) => planned.stored(token) !== null);
  return asker.ask({
    name: SURFACE,
    text: `Where do people ask Parley? (${names.join(", ")}, or paste a token)`,
    choices: [
      ...PLATFORMS.map(({ name, title }) => ({ value: name, text: title })),
      { value: CONSOLE, text: "the console in the browser alone" },
    ],
    ...(known === undefined ? {} : { fallback: known.name }),
    check: (text) => {
      const [first = ""] = text.split(/\s+/);
      const named = names.find((name) => name === text.toLowerCase());
      const pasted = PLATFORMS.find(({ tokens }) => tokens.test(first));
      if (named === undefined && pasted !== undefined) give(pasted.token, text);
      const value = named ?? pasted?.name;
      return Promise.resolve(
        value === undefined
          ? { kind: "refused", why: `Enter ${names.join(", ")}, or paste a token of one of them.` }
          : { kind: "valid", value },
      );
    },
  });
};

type Connected = PlatformSetupResult & { readonly entry: PlatformEntry };

/** Null for the console alone. With a text, the command is done. */
const connect = async (
  { asker, planned, given, options }: SetupRun,
  surface: string,
  config: Config,
): Promise<Connected | { readonly text: string } | null> => {
  const entry = PLATFORMS.find(({ name }) => name === surface);
  if (entry === undefined) {
    if (options.update)
      throw new SetupStopped("The console has no app to update: name a chat platform before --update.");
    return null;
  }
  const isCreated =
    requiredAnswers(surface).length > 0 && given(`${surface.toUpperCase()}_CONFIG_TOKEN`) !== null;
  if (!asker.isInteractive && !options.update && !isCreated) requireAnswers(surface, given, planned);
  const setup = await entry.setup();
  const connected = await setup({
    asker,
    setting: (name) => given(name) ?? planned.inForce(name),
    ...createKeptFiles(config.PARLEY_DATA),
    options,
    limits: { request: REQUEST_LIMIT, server: waitLimit(given) },
  });
  if (connected.kind === "stopped") throw new SetupStopped(connected.why);
  return connected.kind === "done" ? { text: connected.text } : { ...connected.result, entry };
};

const waitLimit = (given: SetupRun["given"]): number => {
  const text = given(WAIT) ?? "60";
  if (!/^\d{1,4}$/.test(text)) throw new SetupStopped(`${text} is no number of seconds: correct --wait.`);
  return Number(text) * 1000;
};

/** Names all missing answers at once. */
const requireAnswers = (surface: string, given: SetupRun["given"], planned: PlannedSettings): void => {
  const missing = requiredAnswers(surface).filter(
    (name) => given(name) === null && planned.stored(name) === null,
  );
  if (missing.length > 0) throw new SetupStopped(missingAnswers(missing));
};

const channelsOf = async (
  { asker, given }: SetupRun,
  connected: Connected | null,
): Promise<{ readonly channels: readonly SetupChannel[]; readonly findings: readonly Finding[] }> => {
  const own = connected?.findings ?? [];
  const found = connected === null ? [] : await connected.channels();
  if (typeof found !== "string") {
    const wanted = given(CHANNEL);
    const chosen = wanted === null ? null : findChannel(found, wanted);
    if (wanted !== null && found.length > 0 && chosen === null)
      throw new SetupStopped(`The bot sees no channel ${wanted}: name one of ${namesOf(found)}.`);
    return { channels: chosen === null ? found : [chosen], findings: own };
  }
  if (!asker.isInteractive) throw new SetupStopped(found);
  asker.print(found);
  const about = findingAbout(connected?.entry.name ?? CONSOLE);
  return { channels: [], findings: [...own, about.warning(found, "Run setup again afterwards.")] };
};

const namesOf = (channels: readonly SetupChannel[]): string =>
  channels
    .slice(0, 10)
    .map(({ name }) => `#${name}`)
    .join(", ");

interface ForgeFile {
  readonly settings: Readonly<Record<string, string>>;
  readonly path: string;
  readonly text: string;
}

/** Null if no token must be stored. */
const forgeFile = (
  { planned }: SetupRun,
  { PARLEY_DATA: data }: Config,
  { token }: ChosenRepositories,
): ForgeFile | null => {
  if (token === null) return null;
  const path = planned.inForce("PARLEY_FORGES") ?? join(data, "forges.json");
  const before = existsSync(path) ? readFileSync(path, "utf8") : null;
  const text = withForgeToken(before, token.token, token.entries);
  if (text === null) throw new SetupStopped(`${path} is not valid JSON: correct it and run setup again.`);
  return { settings: { PARLEY_FORGES: path }, path, text };
};

interface Planned {
  readonly file: string;
  readonly text: string;
  readonly surface: string;
  readonly connected: Connected | null;
  readonly channels: readonly SetupChannel[];
  readonly settings: Readonly<Record<string, string>>;
}

const reviewStep = (run: SetupRun, planned: Planned): Promise<Reviewed> => {
  const { file, text, channels, settings } = planned;
  const diff = (approvers: string): readonly string[] | string => {
    const all = { ...settings, PARLEY_APPROVERS: approvers };
    const read = run.planned.configWith(all);
    if (read.kind === "refused") return read.why;
    const changes = changeEnv(text, all);
    return changes.kind === "refused" ? changes.why : changes.diff;
  };
  return review(
    { asker: run.asker, channels, diff, path: file },
    {
      approvers: usualApprovers(run, planned),
      channel: channels[0] ?? null,
    },
  );
};

const OPERATOR = "console:operator";

const usualApprovers = ({ given, planned }: SetupRun, { surface, connected }: Planned): string => {
  const wanted = given("PARLEY_APPROVERS");
  if (wanted !== null) return wanted;
  const stored = planned.stored("PARLEY_APPROVERS")?.split(/\s*,\s*/) ?? [OPERATOR];
  const isNamed = connected === null || stored.some((one) => one.startsWith(`${surface}:`));
  return [...stored, ...(isNamed ? [] : [connected.approvers])].join(",");
};

const write = (
  { signal, written, asker }: SetupRun,
  {
    file,
    text,
    all,
    forges,
  }: {
    readonly file: string;
    readonly text: string;
    readonly all: Readonly<Record<string, string>>;
    readonly forges: ForgeFile | null;
  },
): void => {
  if (signal.aborted) throw new SetupStopped("Nothing was written; run setup again to go on.");
  const changes = changeEnv(text, all);
  if (changes.kind === "refused") throw new SetupStopped(changes.why);
  const isThere = existsSync(file);
  if ((isThere ? readFileSync(file, "utf8") : "") !== text)
    throw new SetupStopped(`${file} was changed meanwhile, so nothing was written: run setup again.`);
  const isOpen = isThere && (statSync(file).mode & 0o077) !== 0;
  try {
    if (forges !== null) writeForges(forges);
    if (changes.diff.length > 0 || isOpen) writePrivateFile(file, changes.text);
  } catch (cause) {
    if (cause instanceof SetupStopped) throw cause;
    throw new SetupStopped(
      `${file} could not be written (${sentenceOf(cause)}): make room or correct its folder.`,
    );
  }
  written();
  if (isOpen) asker.print(`Other users could read ${file}; its mode is now 0600.`);
};

const writeForges = ({ path, text }: ForgeFile): void => {
  const prepared = prepareDataDirectory(join(path, ".."));
  if (prepared.kind === "invalid")
    throw new SetupStopped(asSentence(prepared.problems[0] ?? "The data directory cannot be used"));
  writePrivateFile(path, text);
};

const bindStep = async (
  { asker, planned }: SetupRun,
  surface: string,
  channel: SetupChannel | null,
  { first }: ChosenRepositories,
): Promise<void> => {
  if (channel === null || first === null) return;
  const read = planned.configWith({});
  const why =
    read.kind === "refused" ? read.why : await bindChannel(read.config, surface, channel.id, first.repo);
  asker.print(
    why === null
      ? `#${channel.name} works on ${first.name}.`
      : `#${channel.name} has no repository yet (${why}): write /parley repo ${first.name} there.`,
  );
};

interface Ending {
  readonly all: Readonly<Record<string, string>>;
  readonly connected: Connected | null;
  readonly findings: readonly Finding[];
  readonly isRunning: boolean;
  readonly repositories: ChosenRepositories;
}

const finish = async ({ asker }: SetupRun, ending: Ending): Promise<number> => {
  const { all, connected, findings, isRunning, repositories } = ending;
  asker.print("");
  const status = await doctorCommand([]);
  asker.print("");
  for (const { found, remedy } of findings) asker.print([found, remedy ?? ""].join(" ").trimEnd());
  for (const [name, value] of Object.entries(all)) {
    const outside = process.env[name];
    if (outside !== undefined && outside !== "" && outside !== value)
      asker.print(`The environment sets ${name} to another value, which wins over .env: unset it there.`);
  }
  if (status !== 0) asker.print("The settings are written. Mend the errors above, then start Parley.");
  asker.print(
    isRunning ? "Restart Parley, so that it reads the settings." : `Start Parley: ${startCommandText()}`,
  );
  const repo = repositories.first?.name ?? null;
  asker.print(connected?.firstQuestion ?? firstQuestion({ surfaces: [], url: "printed", repo }));
  return status;
};

const startCommandText = (): string =>
  process.env["npm_lifecycle_event"] === "setup" ? "npm start" : "npx parley start";
