/**
 * All that the program knows of an optional capability (D48). A feature is one folder below `src/features` with this object
 * in its `feature.ts`. Without the folder and its line in `src/app/features/list.ts` there is no such feature, and the rest works.
 */

import type * as z from "zod";
import type { Web } from "../adapters/http/web.ts";
import type { Reach } from "../sandbox/egress/reach.ts";
import type { Sandbox } from "../sandbox/types.ts";
import type { ConversationId } from "./machine/id.ts";
import type { Speaker } from "./machine/words.ts";
import type { OtherProviders } from "./model/provider.ts";
import type { AlertFacts, MissingPlatform, HostNotes } from "./ports/alerts.ts";
import type { AnswerId, Answers } from "./ports/answers.ts";
import type { FeedbackReader, FeedbackRows } from "./ports/feedback.ts";
import type { Commits } from "./ports/commits.ts";
import type { AnswerReuse } from "./ports/reuse.ts";
import type { AppPosts } from "./ports/app-posts.ts";
import type { Attend } from "./ports/attendant.ts";
import type { PathRoutes } from "./ports/beside.ts";
import type { Bot, ConversationChange } from "./ports/bot.ts";
import type { ChatStore } from "./ports/chat-rows.ts";
import type { ChatSurface } from "./ports/connection.ts";
import type { ConsoleBoard, ConsoleHost, ConsoleRequest } from "./ports/console.ts";
import type { RepositoryBinding, Repo } from "./ports/conversation.ts";
import type { HostFigures } from "./ports/figures.ts";
import type { Finding } from "./ports/finding.ts";
import type { ForgeAccess } from "./ports/forge-access.ts";
import type { Ambient, Clock, Log, RandomId } from "./ports/host.ts";
import type { Archives } from "./ports/forge-archive.ts";
import type { ChannelKnowledge, CitedPages } from "./ports/knowledge.ts";
import type { JoinedHost } from "./ports/membership.ts";
import type { Model, ModelNames, PricedModel, ScriptedModel } from "./ports/model.ts";
import type { BudgetBook, SpendingStore } from "./ports/money.ts";
import type { Observer } from "./ports/observer.ts";
import type { OperatorAlerts } from "./ports/operator-alerts.ts";
import type { AskOutward, Proxies } from "./ports/outward.ts";
import type { PlatformForms } from "./ports/platform-entry.ts";
import type { HostRole, RunAtLeader } from "./ports/ownership.ts";
import type { TakePicture } from "./ports/pictures.ts";
import type { Rows } from "./ports/rows.ts";
import type { Store } from "./ports/store.ts";
import type { Ledger } from "./ports/surface.ts";
import type { Tables } from "./ports/tables.ts";
import type { Modes } from "./ports/tools.ts";
import type { Command } from "./runtime/chat/commands/define-command.ts";
import type { Repos } from "./runtime/channels/repos.ts";
import type { FeatureClick } from "./runtime/chat/people/deps.ts";
import type { Routes } from "./runtime/chat/route.ts";
import { secretsAmong } from "./settings/secrets.ts";
import type { Tool, ToolKit } from "./tools/tool.ts";

/** Features run in the order of the list. Replay runs none of them. */
export interface Feature extends Additions {
  readonly name: string;
  /** Its part of the settings; a variable belongs to one part. */
  readonly settings: z.ZodObject;
  /** Rules between its settings and others, on values as they are written. */
  readonly rules: readonly z.ZodType[];
  readonly programs: readonly ProgramLine[];
  /** Its tables in the store. */
  readonly tables: readonly Tables[];
  /** `given`: the environment, without what is empty. */
  readonly set: (given: RawSettings) => SetResult;
}

export type RawSettings = Readonly<Record<string, string | undefined>>;

export type SetResult =
  | { readonly kind: "set"; readonly feature: SetFeature }
  | { readonly kind: "invalid"; readonly issues: readonly z.core.$ZodIssue[] };

/** A feature with its settings. */
export interface SetFeature {
  readonly name: string;
  /** Its settings as they are in force. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Those that are masked. */
  readonly secrets: readonly string[];
  readonly model: ScriptedModel | null;
  readonly tables: readonly Tables[];
  /** Of models beside Anthropic's; one feature at most has some. */
  readonly providers: OtherProviders | null;
  /** Reads the files that its settings name, before anything is started. */
  readonly read: (reading: FileContext) => Promise<ReadFeature | InvalidFiles>;
  /** Channels that its settings name, to tell something there. */
  readonly tellsIn: readonly NamedChannel[];
  /** Whether it tells of pushes to repositories (`Core.pushed`). */
  readonly hearsPushes: boolean;
  /** By the names of its commands of the command line. */
  readonly programs: Readonly<
    Record<string, (args: readonly string[], core: CoreSettings) => Promise<ProgramResult>>
  >;
  /** Loads code that a host which stands by needs at once when it becomes active. */
  readonly preload: () => Promise<unknown>;
  /** Joins other hosts, before the store is opened; one feature at most does. It may wait until it is told to leave. */
  readonly join: (joining: JoinContext) => Promise<JoinResult>;
  /** Lines of doctor about the feature. */
  readonly findings: (core: DoctorCore) => AsyncIterable<Finding>;
}

/** What a feature reads its files with. */
export interface FileContext extends Pick<EarlyCore, "version"> {
  /** Value of a variable that is no setting and is named like a secret: `…_KEY`, `…_TOKEN`. Files of the operator name such. */
  readonly keyOf: (name: string) => string | null;
  /** To any public host, and to the inner networks that commands may reach. */
  readonly outward: AskOutward;
  /** Null: every connection is direct. */
  readonly proxies: Proxies | null;
}

/** A feature that has read its files. */
export interface ReadFeature extends FromFiles {
  readonly kind: "read";
  readonly name: string;
  /** Called before anything is logged or stored. */
  readonly observe: (early: EarlyCore) => Promise<ObservingFeature>;
}

/** What the files of a feature give. Each member is optional. */
interface FromFiles {
  /** Values that are masked. */
  readonly secrets?: readonly string[];
  readonly forge?: ForgeAccess;
  /** Tools of conversations, the same for each. */
  readonly tools?: (kit: ToolKit) => readonly Tool[];
}

/** Files of the operator that keep the host from starting. */
export interface InvalidFiles {
  readonly kind: "invalid";
  /** One sentence each. */
  readonly problems: readonly string[];
}

/** A command of the command line, `parley NAME OPTIONS`, as the help lists it. */
export interface ProgramLine {
  readonly name: string;
  readonly options: string;
  readonly does: string;
  /** Follows its usage, for whoever called it wrongly. */
  readonly hint?: string;
  /** Whether the words behind the name can be used. */
  readonly accepts: (args: readonly string[]) => boolean;
}

/** The core's part of the settings, as far as features use it before anything is opened. */
export interface CoreSettings {
  readonly version: string;
  /** The directory of the host's own files. */
  readonly data: string;
  /** As Amazon's programs have them. */
  readonly amazon: AmazonSettings;
}

export interface AmazonSettings {
  readonly region: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  readonly sessionToken: string | undefined;
}

export type ProgramResult =
  /** For the operator to read. */
  | { readonly kind: "done"; readonly text: string }
  /** `why` is a sentence. */
  | { readonly kind: "failed"; readonly why: string };

/** A channel of a chat platform, by the name of a setting. */
export interface NamedChannel {
  readonly setting: string;
  readonly surface: string;
  readonly place: string;
}

/** What a feature joins other hosts with. */
export interface JoinContext extends CoreSettings {
  readonly log: Log;
  /** Where the console will listen. */
  readonly console: { readonly address: string; readonly port: number };
  /** Loads the code that the host needs once it is active: to load it takes longer than everything else then. */
  readonly preload: () => Promise<unknown>;
  readonly leaving: AbortSignal;
}

export type JoinResult =
  | JoinedHost
  | { readonly kind: "alone" }
  /** It was asked to end before. */
  | { readonly kind: "left" }
  /** One sentence each, for the operator. */
  | { readonly kind: "failed"; readonly problems: readonly string[] };

/** Parts of the core that exist before its log and its store. */
export interface EarlyCore {
  readonly clock: Clock;
  readonly version: string;
}

/** Parts of the core that doctor has. */
export interface DoctorCore extends CoreSettings {
  /** The settings name the console's token. */
  readonly hasConsoleToken: boolean;
  /** Null if there is none to try things in. */
  readonly sandbox: Pick<Sandbox, "start"> | null;
  readonly reach: Reach;
  /** Of none if the file of forges cannot be used. */
  readonly archives: Archives;
  readonly reading: FileContext;
  /** Those that the settings name one by one. */
  readonly repos: readonly Repo[];
  /** The model that answers if nothing else is said; null if it is scripted or the settings have none. */
  readonly model: (PricedModel & { readonly name: string }) | null;
  /** A feature reports pushes to repositories. */
  readonly receivesPushes: boolean;
  /** Reads the database beside a Parley that may be running; null if there is none, or none that can be read. */
  readonly stored: <T>(read: (stored: DoctorStore) => T) => T | null;
  readonly log: Log;
}

/** What doctor reads in the database. */
export interface DoctorStore {
  readonly rows: Pick<Rows, "select">;
  readonly answers: Pick<Answers, "answersPage">;
  readonly chat: Pick<ChatStore, "binding" | "channel" | "channels">;
}

/** A feature that observes already and is not open yet. */
export interface ObservingFeature {
  readonly name: string;
  /** The first is nearest to the ports. */
  readonly observers: readonly Partial<Observer>[];
  readonly open: (core: Core) => Promise<OpenFeature>;
}

/** What a feature adds to lists of the core. Without a host they can be listed, and not run. */
interface Additions {
  /** Commands of chat; loaded when somebody asks for the list. `help.before` says where each is listed. */
  readonly commands: () => Promise<readonly Command[]>;
  /** What a press of a button of its posts does, by the name of the button. */
  readonly clicks: Readonly<Record<string, FeatureClick>>;
  readonly requests: readonly ConsoleRequest[];
  /** Null: the page has none. */
  readonly board: ConsoleBoard | null;
}

/** What a feature gets of the core. */
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
  /** The posts of an answer are to be delivered anew. */
  readonly answerChanged: (id: AnswerId) => void;
  /** Who can read an answer has become known. */
  readonly answerPlaced: (id: AnswerId) => void;
  readonly chat: ChatStore;
  /** Those that channels may work on. */
  readonly repos: Repos;
  readonly modes: Modes;
  readonly models: ModelNames;
  /** Of features that are earlier in the list. */
  readonly budgets: BudgetBook;
  readonly knowledge: CitedPages;
  /** What the operator has to know of, by a key; null: it is over. */
  readonly alert: (key: string, facts: AlertFacts | null) => void;
  /** Host and path, `github.com/acme/api`, of those that are on a forge. */
  readonly reposAtForge: (bound: RepositoryBinding | null) => readonly string[];
  /** Takes reports of pushes to a repository, named as `reposAtForge` names it; null if no feature uses them. Asked once all are open. */
  readonly pushed: () => ((repo: string) => void) | null;
  readonly led: RunAtLeader;
  /** Platforms without a connection now. */
  readonly away: () => readonly MissingPlatform[];
  /** Bytes that are free in the data directory; null if the file system does not tell. */
  readonly free: () => Promise<number | null>;
  /** Tables of the feature: reads, and writes through the thread that writes. */
  readonly rows: Rows;
  /** Made later: nothing is asked of it before a command, a click, a request or `start`. */
  readonly bot: Pick<Bot, "create" | "say" | "read" | "act">;
  /** Null: no chat platform has the name. */
  readonly formsOf: (surface: string) => PlatformForms | null;
  /** Chat platforms, which are made later as well. */
  readonly surfaces: () => readonly ChatSurface[];
  readonly takePicture: TakePicture;
  readonly sandbox: Pick<Sandbox, "start">;
  /** The directory of the host's own files. */
  readonly data: string;
  /** Texts of projects at forges. */
  readonly archives: Archives;
  /** Pages that answers may cite were read again: answers that cite some are compared with them. */
  readonly pagesRead: () => void;
  /** Addresses that the host may reach if others name them. */
  readonly reach: Reach;
  /** Keys and tokens of this process, for masking. */
  readonly secrets: readonly string[];
  /** The one that answers if nothing else is said. */
  readonly model: string;
  /** New conversations work on it; null: none is configured. */
  readonly repo: Repo | null;
  /** The person behind the console's token. */
  readonly operator: Speaker;
  /** The console's token: who has it may approve. */
  readonly operatorToken: string;
  /** The permission that Approve gives on this host, in a sentence for people. */
  readonly covers: string;
  readonly figures: HostFigures;
}

/** What is open: what the feature provides, and its additions, ready to run. */
export interface OpenFeature extends FeatureParts, Additions {}

/** What a feature provides to a host. Each member is optional. */
export interface FeatureParts {
  /** People see it among the surfaces. `off`: the reason why it is off, or null. */
  readonly surface?: { readonly off: string | null };
  /** Answers requests of its own paths. */
  readonly beside?: (bot: Bot) => Promise<PathRoutes>;
  /** Serves browsers; one feature at most. */
  readonly web?: (host: ConsoleHost) => Promise<Web>;
  readonly budgets?: BudgetBook;
  /** Gets what the operator has to know of; one feature at most. */
  readonly alerts?: OperatorAlerts;
  /** Tools of every conversation. `before` says where each is listed. */
  readonly tools?: readonly Tool[];
  /** Names of MCP servers that a channel can switch on. */
  readonly servers?: readonly string[];
  readonly knowledge?: ChannelKnowledge;
  /** Stands between the providers and everything that asks them or observes the requests. */
  readonly wrapModel?: (priced: PricedModel) => Model;
  /** The channel in which maintainers decide on a conversation's answers before they are posted; null: there is none. */
  readonly reviewedIn?: (id: ConversationId) => string | null;
  /** Works for each chat platform that this host serves. */
  readonly attend?: Attend;
  /** Absent: no question is answered by an earlier answer. */
  readonly reuse?: AnswerReuse;
  /** Called after the commit of a change, on the host that has the conversation. */
  readonly heard?: (id: ConversationId, change: ConversationChange) => void;
  /** Receives what happens in conversations of all hosts, on the host that leads. */
  readonly led?: (id: ConversationId, change: ConversationChange) => void;
  /** A forge reports a push; the repository is named as `Core.reposAtForge` names it. */
  readonly pushed?: (repo: string) => void;
  /** A source of knowledge was read to its end, on the host that leads (`Core.pagesRead`). */
  readonly sourceRead?: () => void;
  /** Gets posts of apps; one feature at most. */
  readonly appPosts?: AppPosts;
  /** Other hosts have changed rows of these tables. */
  readonly changed?: (tables: ReadonlySet<string>) => void;
  /** The core has changed rows of the feature: a channel got another id, or a person was forgotten. */
  readonly renew?: () => void;
  /** Begins the work that only the host that leads does, once its platforms are there; null if `leave` ends it. */
  readonly start?: () => BackgroundTask | null;
  /** Ends what begins new work, while platforms and conversations go on. */
  readonly leave?: () => Promise<unknown>;
  /** Ends what `open` began. */
  readonly close?: () => Promise<void>;
}

export interface BackgroundTask {
  /** Settles when it has ended. */
  close(): Promise<unknown>;
}

/** `Own`: what commands, clicks and requests of an open feature use. */
type Opening<Own> = Promise<FeatureParts & { readonly own?: Own }>;

/** `open` replaces the one of the definition. */
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
      const { data, error } = settings.safeParse(given);
      if (data === undefined) return { kind: "invalid", issues: error?.issues ?? [] };
      const secrets = secretsAmong(settings.shape, data);
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
