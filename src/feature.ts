/** Features (D48): a folder of `src/features` and a line in `src/app/features/list.ts`. Without both, the rest still works. */

import type * as z from "zod";
import type { Web } from "../adapters/http/web.ts";
import type { Reach } from "../sandbox/egress/reach.ts";
import type { Sandbox } from "../sandbox/types.ts";
import type { ConversationId } from "./machine/id.ts";
import type { Speaker } from "./machine/vocabulary.ts";
import type { OtherProviders } from "./model/provider.ts";
import type { AlertFacts, MissingPlatform, HostNotes } from "./ports/alerts.ts";
import type { AnswerId, Answers } from "./ports/answers.ts";
import type { FeedbackReader, FeedbackRows } from "./ports/feedback.ts";
import type { Commits, LineComparison } from "./ports/commits.ts";
import type { AnswerReuse } from "./ports/reuse.ts";
import type { ChannelNotes } from "./ports/notes.ts";
import type { AppPosts } from "./ports/app-posts.ts";
import type { Attend } from "./ports/attendant.ts";
import type { Drafts } from "./ports/drafts.ts";
import type { PathRoutes } from "./ports/path-routes.ts";
import type { Bot, ConversationChange } from "./ports/bot.ts";
import type { ChatStore } from "./ports/chat-rows.ts";
import type { ChatSurface } from "./ports/connection.ts";
import type { ConsoleBoard, ConsoleHost, ConsoleRequest } from "./ports/console.ts";
import type { RepositoryBinding, Repo } from "./ports/conversation.ts";
import type { HostFigures } from "./ports/figures.ts";
import type { Finding } from "./ports/finding.ts";
import type { PullChange } from "./ports/forge.ts";
import type { ForgeAccess } from "./ports/forge-access.ts";
import type { Ambient, Clock, Log, RandomId } from "./ports/host.ts";
import type { Archives } from "./ports/forge-archive.ts";
import type { ChannelKnowledge, CitedPages, KnowledgeLookup } from "./ports/knowledge.ts";
import type { JoinedHost } from "./ports/membership.ts";
import type { Model, ModelNames, PricedModel, ScriptedModel } from "./ports/model.ts";
import type { BudgetBook, SpendingStore } from "./ports/money.ts";
import type { Observer } from "./ports/observer.ts";
import type { ReadLinks } from "./ports/links.ts";
import type { OperatorAlerts } from "./ports/operator-alerts.ts";
import type { AskOutward, Proxies } from "./ports/outward.ts";
import type { PlatformForms } from "./ports/platform-entry.ts";
import type { HostRole, RunAtLeader } from "./ports/ownership.ts";
import type { FileRules } from "./ports/files.ts";
import type { TakePicture } from "./ports/pictures.ts";
import type { Rows } from "./ports/rows.ts";
import type { Store } from "./ports/store.ts";
import type { Ledger } from "./ports/surface.ts";
import type { Tables } from "./ports/tables.ts";
import type { TestSurroundings } from "./ports/test-surroundings.ts";
import type { Modes } from "./ports/tools.ts";
import type { Command } from "./runtime/chat/commands/define-command.ts";
import type { Repos } from "./runtime/channels/repos.ts";
import type { FeatureClick } from "./runtime/chat/people/deps.ts";
import type { Routes } from "./runtime/chat/route.ts";
import type { OwnerTable } from "./thread/owners.ts";
import { readSettings } from "./settings/secrets.ts";
import type { FoundSealKey, SealKeyResult } from "./ports/sealing.ts";
import type { Tool, ToolKit } from "./tools/tool.ts";

/** Features run in the order of the list. Replay runs none of them. */
export interface Feature extends Additions {
  readonly name: string;
  /** A variable belongs to one part of the settings. */
  readonly settings: z.ZodObject;
  /** Rules that combine the feature's settings with others, on unparsed values. */
  readonly rules: readonly z.ZodType[];
  readonly programs: readonly ProgramLine[];
  readonly tables: readonly Tables[];
  /** `given`: the environment, without empty values. */
  readonly set: (given: RawSettings) => SetResult;
}

export type RawSettings = Readonly<Record<string, string | undefined>>;

export type SetResult =
  | { readonly kind: "set"; readonly feature: SetFeature }
  | { readonly kind: "invalid"; readonly issues: readonly z.core.$ZodIssue[] };

export interface SetFeature {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  readonly model: ScriptedModel | null;
  readonly tables: readonly Tables[];
  /** At most one feature has providers. */
  readonly providers: OtherProviders | null;
  /** Reads the files that the feature's settings name, before anything is started. */
  readonly read: (reading: FileContext) => Promise<ReadFeature | InvalidFiles>;
  readonly tellsIn: readonly NamedChannel[];
  /** Whether the feature reports pushes to repositories (`Core.pushed`). */
  readonly hearsPushes: boolean;
  readonly programs: Readonly<
    Record<string, (args: readonly string[], core: CoreSettings) => Promise<ProgramResult>>
  >;
  /** Loads code that a standby host needs at once when it becomes active. */
  readonly preload: () => Promise<unknown>;
  /** Called before the store is opened. May wait until `leaving` aborts. At most one feature joins other hosts. */
  readonly join: (joining: JoinContext) => Promise<JoinResult>;
  readonly findings: (core: DoctorCore) => AsyncIterable<Finding>;
}

export interface FileContext extends Pick<EarlyCore, "version"> {
  /** Returns the value of a non-setting variable with a secret's name (`…_KEY`, `…_TOKEN`), for the operator's files. */
  readonly keyOf: (name: string) => string | null;
  /** Requests to any public host, and to the internal networks that commands may reach. */
  readonly outward: AskOutward;
  readonly proxies: Proxies | null;
}

export interface ReadFeature extends FromFiles {
  readonly kind: "read";
  readonly name: string;
  /** Called before anything is logged or stored. */
  readonly observe: (early: EarlyCore) => Promise<ObservingFeature>;
}

interface FromFiles {
  readonly secrets?: readonly string[];
  readonly forge?: ForgeAccess;
  readonly tools?: (kit: ToolKit) => readonly Tool[];
}

export interface InvalidFiles {
  readonly kind: "invalid";
  readonly problems: readonly string[];
}

export interface ProgramLine {
  readonly name: string;
  readonly options: string;
  readonly does: string;
  /** Displayed after the usage if the command was called wrongly. */
  readonly hint?: string;
  readonly accepts: (args: readonly string[]) => boolean;
}

export interface CoreSettings {
  readonly version: string;
  /** The directory of the host's own files. */
  readonly data: string;
  readonly amazon: AmazonSettings;
}

export interface AmazonSettings {
  readonly region: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  readonly sessionToken: string | undefined;
}

export type ProgramResult =
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "failed"; readonly why: string };

export interface NamedChannel {
  readonly setting: string;
  readonly surface: string;
  readonly place: string;
}

export interface JoinContext extends CoreSettings {
  readonly log: Log;
  readonly console: { readonly address: string; readonly port: number };
  /** Loads the code of an active host in advance, because loading takes longer than all other steps of becoming active. */
  readonly preload: () => Promise<unknown>;
  readonly leaving: AbortSignal;
}

export type JoinResult =
  | JoinedHost
  | { readonly kind: "alone" }
  /** The host was asked to end before it joined. */
  | { readonly kind: "left" }
  /** One sentence for each problem, for the operator. */
  | { readonly kind: "failed"; readonly problems: readonly string[] };

/** Parts of the core that exist before its log and its store. */
export interface EarlyCore {
  readonly clock: Clock;
  readonly version: string;
}

export interface DoctorCore extends CoreSettings {
  readonly hasConsoleToken: boolean;
  /** Creates no key. */
  readonly findSealKey: () => FoundSealKey;
  readonly sandbox: Pick<Sandbox, "start"> | null;
  readonly reach: Reach;
  /** Empty if the file of forges cannot be used. */
  readonly archives: Archives;
  readonly reading: FileContext;
  /** Repositories that the settings list individually. */
  readonly repos: readonly Repo[];
  /** The default model; null if it is scripted or the settings name none. */
  readonly model: (PricedModel & { readonly name: string }) | null;
  readonly receivesPushes: boolean;
  /** Reads the database, also while Parley runs; null if no readable database exists. */
  readonly stored: <T>(read: (stored: DoctorStore) => T) => T | null;
  readonly log: Log;
}

export interface DoctorStore {
  readonly rows: Pick<Rows, "select">;
  readonly answers: Pick<Answers, "answersPage">;
  readonly chat: Pick<ChatStore, "binding" | "channel" | "channels">;
}

export interface ObservingFeature {
  readonly name: string;
  /** The first observer is nearest to the ports. */
  readonly observers: readonly Partial<Observer>[];
  readonly open: (core: Core) => Promise<OpenFeature>;
}

/** Without a host, the additions can be listed but not run. */
interface Additions {
  /** Loaded when the list is requested. `help.before` sets the position of each command. */
  readonly commands: () => Promise<readonly Command[]>;
  readonly clicks: Readonly<Record<string, FeatureClick>>;
  readonly requests: readonly ConsoleRequest[];
  readonly board: ConsoleBoard | null;
}

export interface Core extends Ambient, HostRole, Pick<Routes, "readThread" | "link"> {
  readonly version: string;
  readonly randomId: RandomId;
  readonly ledger: Ledger;
  readonly notes: HostNotes;
  readonly feedback: FeedbackReader & Pick<FeedbackRows, "received" | "solvedIn" | "solvedBy" | "serverOf">;
  readonly purse: SpendingStore;
  readonly answers: Answers;
  readonly store: Pick<Store, "load" | "post" | "waiting" | "words">;
  readonly commits: Commits;
  /** Created later, like `bot`. */
  readonly drafts: Pick<Drafts, "tree" | "test">;
  /** Null if no feature that is earlier in the list compares lines. */
  readonly lines: LineComparison | null;
  /** Marks an answer's posts for a new delivery. */
  readonly answerChanged: (id: AnswerId) => void;
  /** Called when an answer's audience has become known. */
  readonly answerPlaced: (id: AnswerId) => void;
  readonly chat: ChatStore;
  readonly repos: Repos;
  /** Absent if PARLEY_CODEOWNERS is off. */
  readonly owners?: OwnerTable;
  readonly modes: Modes;
  readonly models: ModelNames;
  /** Budgets of features that are earlier in the list. */
  readonly budgets: BudgetBook;
  readonly knowledge: CitedPages & KnowledgeLookup;
  /** Lines of a channel's notes. Called once all features are open. */
  readonly channelNotes: ChannelNotes["inChannel"];
  /** Begins an alert for the operator under a key; null facts end it. */
  readonly alert: (key: string, facts: AlertFacts | null) => void;
  /** Returns host and path, `github.com/acme/api`, of each repository on a forge. */
  readonly reposAtForge: (bound: RepositoryBinding | null) => readonly string[];
  /** Null if no feature uses pushes. Repositories are named as in `reposAtForge`. Called once all features are open. */
  readonly pushed: () => ((repo: string) => void) | null;
  /** Null if no feature uses changes of pull requests. Called once all features are open. */
  readonly pullChanged: () => ((change: PullChange) => void) | null;
  readonly led: RunAtLeader;
  readonly away: () => readonly MissingPlatform[];
  /** Returns the free bytes in the data directory; null if the file system does not report them. */
  readonly free: () => Promise<number | null>;
  /** Reads the feature's tables directly, and writes them through the writer thread. */
  readonly rows: Rows;
  /** Created later, so not usable before a command, a click, a request or `start`. */
  readonly bot: Pick<Bot, "create" | "say" | "read" | "act" | "forget">;
  readonly formsOf: (surface: string) => PlatformForms | null;
  /** Created later, like `bot`. */
  readonly surfaces: () => readonly ChatSurface[];
  readonly takePicture: TakePicture;
  readonly files: FileRules;
  readonly sandbox: Pick<Sandbox, "start">;
  readonly data: string;
  readonly archives: Archives;
  readonly readForgePage: ForgeAccess["readPage"];
  /** Called after pages that answers may cite were read again, so that these answers are checked. */
  readonly pagesRead: () => void;
  readonly reach: Reach;
  /** Values to mask; grows. */
  readonly secrets: readonly string[];
  /** Key for `sealText` and `openSealedText`, which is created when it is first needed. */
  readonly sealKey: () => SealKeyResult;
  /** Masks a value from now on, in the log and in the results of all tools. */
  readonly learnSecret: (value: string) => void;
  /** The default model. */
  readonly model: string;
  /** Default repository of new conversations; null if none is configured. */
  readonly repo: Repo | null;
  /** The person behind the console's token. */
  readonly operator: Speaker;
  /** The console's token, whose holder may approve. */
  readonly operatorToken: string;
  /** The permission that Approve grants on this host, as a sentence for people. */
  readonly covers: string;
  readonly figures: HostFigures;
}

export interface OpenFeature extends FeatureParts, Additions {}

export interface FeatureParts {
  /** Set if people see the feature among the surfaces. `off`: why it is off, or null. */
  readonly surface?: { readonly off: string | null };
  readonly beside?: (bot: Bot) => Promise<PathRoutes>;
  /** At most one feature serves browsers. */
  readonly web?: (host: ConsoleHost) => Promise<Web>;
  readonly budgets?: BudgetBook;
  /** At most one feature receives alerts. */
  readonly alerts?: OperatorAlerts;
  /** `before` sets the position of each tool. */
  readonly tools?: readonly Tool[];
  /** Names of MCP servers that a channel can enable. */
  readonly servers?: readonly string[];
  readonly knowledge?: ChannelKnowledge;
  /** Gets the providers before any feature wraps them, to call them outside of conversations. */
  readonly callsModel?: (priced: PricedModel) => void;
  /** Wraps the providers for everything that calls them or observes the requests. */
  readonly wrapModel?: (priced: PricedModel) => Model;
  /** Returns the channel in which a conversation's answers are reviewed before they are posted; null if there is none. */
  readonly reviewedIn?: (id: ConversationId) => string | null;
  readonly attend?: Attend;
  readonly reuse?: AnswerReuse;
  /** At most one feature has notes of channels. */
  readonly memory?: ChannelNotes;
  /** At most one feature compares cited lines. */
  readonly lines?: LineComparison;
  /** Called after the commit of a change, on the host that owns the conversation. */
  readonly heard?: (id: ConversationId, change: ConversationChange) => void;
  /** Receives changes in conversations of all hosts, on the leader. */
  readonly led?: (id: ConversationId, change: ConversationChange) => void;
  /** Called when a forge reports a push to a repository, named as in `Core.reposAtForge`. */
  readonly pushed?: (repo: string) => void;
  /** Called when a forge reports a change of a pull request: a check, a review, a comment, a push or a state. */
  readonly pullChanged?: (change: PullChange) => void;
  /** Called after a source was read completely, on the leader (`Core.pagesRead`). */
  readonly sourceRead?: () => void;
  /** At most one feature receives posts of apps. */
  readonly appPosts?: AppPosts;
  /** Reads pages that messages link to. A later feature's page replaces an earlier one's. */
  readonly readLinks?: ReadLinks;
  /** At most one feature prepares the tests of drafts. */
  readonly tests?: TestSurroundings;
  /** Called after other hosts have changed rows of the tables. */
  readonly changed?: (tables: ReadonlySet<string>) => void;
  /** Called after the core has changed rows of the feature: a channel got another id, or a person was erased. */
  readonly renew?: () => void;
  /** Starts the work that only the leader does, once its platforms are connected; null if `leave` ends that work. */
  readonly start?: () => BackgroundTask | null;
  /** Ends everything that starts new work, while platforms and conversations continue. */
  readonly leave?: () => Promise<unknown>;
  readonly close?: () => Promise<void>;
}

export interface BackgroundTask {
  /** Settles when the work has ended. */
  close(): Promise<unknown>;
}

/** `Own`: state that commands, clicks and requests of an open feature use. */
type Opening<Own> = Promise<FeatureParts & { readonly own?: Own }>;

interface Read<Own> extends FromFiles {
  readonly kind: "read";
  readonly open?: (core: Core) => Opening<Own>;
}

interface Begun<Own> {
  readonly observers: readonly Partial<Observer>[];
  readonly open: (core: Core) => Opening<Own>;
}

interface Definition<S extends z.ZodObject, Own> {
  readonly name: string;
  readonly settings: S;
  readonly rules?: readonly z.ZodType[];
  readonly model?: ScriptedModel | null;
  readonly tables?: readonly Tables[];
  readonly providers?: (settings: z.infer<S>) => OtherProviders | null;
  readonly read?: (settings: z.infer<S>, reading: FileContext) => Promise<Read<Own> | InvalidFiles>;
  readonly tellsIn?: (settings: z.infer<S>) => readonly NamedChannel[];
  readonly hearsPushes?: (settings: z.infer<S>) => boolean;
  readonly programs?: readonly (ProgramLine & {
    readonly run: (
      args: readonly string[],
      settings: z.infer<S>,
      core: CoreSettings,
    ) => Promise<ProgramResult>;
  })[];
  readonly preload?: () => Promise<unknown>;
  readonly join?: (settings: z.infer<S>, joining: JoinContext) => Promise<JoinResult>;
  readonly open?: (settings: z.infer<S>, core: Core) => Opening<Own>;
  /** Replaces `open` for a feature that observes. */
  readonly observe?: (settings: z.infer<S>, early: EarlyCore) => Promise<Begun<Own>>;
  readonly findings?: (settings: z.infer<S>, core: DoctorCore) => AsyncIterable<Finding>;
  readonly commands?: (own: () => Own) => Promise<readonly Command[]>;
  readonly clicks?: (own: () => Own) => Additions["clicks"];
  readonly requests?: (own: () => Own) => readonly ConsoleRequest[];
  readonly board?: ConsoleBoard;
}

export const defineFeature = <S extends z.ZodObject, Own>({
  name,
  settings,
  rules = [],
  model = null,
  tables = [],
  providers = () => null,
  read = async () => ({ kind: "read" }),
  tellsIn = () => [],
  hearsPushes = () => false,
  programs = [],
  preload = async () => undefined,
  join = async () => ({ kind: "alone" }),
  open = async () => ({}),
  observe = async (data) => ({ observers: [], open: (core) => open(data, core) }),
  findings = nothing,
  commands = async () => [],
  clicks = () => ({}),
  requests = () => [],
  board,
}: Definition<S, Own>): Feature => {
  const additions = (opened: Own | undefined): Additions => {
    const own = (): Own => {
      if (opened === undefined) throw new Error(`${name} is not open`);
      return opened;
    };
    return {
      commands: () => commands(own),
      clicks: clicks(own),
      requests: requests(own),
      board: board ?? null,
    };
  };
  const readWith = async (data: z.infer<S>, reading: FileContext): Promise<ReadFeature | InvalidFiles> => {
    const files = await read(data, reading);
    if (files.kind === "invalid") return files;
    const { open: withFiles, ...fromFiles } = files;
    const observeWith = async (early: EarlyCore): Promise<ObservingFeature> => {
      const { observers, open: begun } = await observe(data, early);
      const openWith = async (core: Core): Promise<OpenFeature> => {
        const { own, ...provided } = await (withFiles ?? begun)(core);
        return { ...provided, ...additions(own) };
      };
      return { name, observers, open: openWith };
    };
    return { ...fromFiles, name, observe: observeWith };
  };
  return {
    name,
    settings,
    rules,
    programs,
    tables,
    ...additions(undefined),
    set: (given) => {
      const parsed = readSettings(settings, given);
      if (parsed.kind === "invalid") return parsed;
      const { values: data, secrets } = parsed;
      return {
        kind: "set",
        feature: {
          name,
          values: data,
          secrets,
          model,
          tables,
          providers: providers(data),
          read: (reading) => readWith(data, reading),
          tellsIn: tellsIn(data),
          hearsPushes: hearsPushes(data),
          programs: Object.fromEntries(
            programs.map(({ name: of, run }) => [
              of,
              (args: readonly string[], core: CoreSettings) => run(args, data, core),
            ]),
          ),
          preload,
          join: (joining) => join(data, joining),
          findings: (core) => findings(data, core),
        },
      };
    },
  };
};

async function* nothing(): AsyncGenerator<never> {}
