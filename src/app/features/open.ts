import type { Web } from "../../../adapters/http/web.ts";
import type {
  Core,
  EarlyCore,
  Feature,
  InvalidFiles,
  JoinContext,
  JoinResult,
  ObservingFeature,
  OpenFeature,
  ReadFeature,
  FileContext,
  SetFeature,
  BackgroundTask,
} from "../../feature.ts";
import type { Attend } from "../../ports/attendant.ts";
import type { PathRoutes } from "../../ports/path-routes.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { ChannelNotes } from "../../ports/notes.ts";
import type { AnswerReuse } from "../../ports/reuse.ts";
import { type AppPosts, NO_APP_POSTS } from "../../ports/app-posts.ts";
import type { Bot, ConversationChange } from "../../ports/bot.ts";
import type { ConsoleHost, ConsoleRequest, OwnedBoard } from "../../ports/console.ts";
import { type ForgeAccess, NO_FORGE } from "../../ports/forge-access.ts";
import { type ReadLinks, readWithAll } from "../../ports/links.ts";
import { type ChannelKnowledge, NO_KNOWLEDGE } from "../../ports/knowledge.ts";
import type { Model, PricedModel } from "../../ports/model.ts";
import { type BudgetBook, NO_BUDGETS } from "../../ports/money.ts";
import { inOrder, type Observer } from "../../ports/observer.ts";
import { NO_ALERTS, type OperatorAlerts } from "../../ports/operator-alerts.ts";
import type { TestSurroundings } from "../../ports/test-surroundings.ts";
import type { Command } from "../../runtime/chat/commands/define-command.ts";
import type { Clicks } from "../../runtime/chat/people/deps.ts";
import type { Tool, ToolKit } from "../../tools/tool.ts";

export const commandsOf = async (
  features: readonly Pick<Feature, "commands">[],
): Promise<readonly Command[]> => (await Promise.all(features.map(({ commands }) => commands()))).flat();

interface ReadFeatures {
  readonly kind: "read";
  /** Values that the files contain or name, for masking. */
  readonly secrets: readonly string[];
  readonly forge: ForgeAccess;
  readonly tools: (kit: ToolKit) => readonly Tool[];
  /** Called before anything is logged or stored. */
  readonly observe: (early: EarlyCore) => Promise<ObservingFeatures>;
}

/** Reports every problem at once. `forge` is present even if files of other features are invalid. */
export const readFeatures = async (
  features: readonly Pick<SetFeature, "read">[],
  reading: FileContext,
): Promise<ReadFeatures | (InvalidFiles & Pick<ReadFeatures, "forge">)> => {
  const all = await Promise.all(features.map(({ read }) => read(reading)));
  const problems = all.flatMap((one) => (one.kind === "invalid" ? one.problems : []));
  const files = all.flatMap((one) => (one.kind === "read" ? [one] : []));
  const forge = files.find(({ forge: found }) => found !== undefined)?.forge ?? NO_FORGE;
  if (problems.length > 0) return { kind: "invalid", problems, forge };
  return {
    kind: "read",
    secrets: files.flatMap(({ secrets }) => secrets ?? []),
    forge,
    tools: (kit) => files.flatMap(({ tools }) => tools?.(kit) ?? []),
    observe: (early) => observeFeatures(files, early),
  };
};

export const joinOthers = async (
  features: readonly Pick<SetFeature, "join">[],
  joining: JoinContext,
): Promise<JoinResult> => {
  for (const { join } of features) {
    const result = await join(joining);
    if (result.kind !== "alone") return result;
  }
  return { kind: "alone" };
};

/** The core without the parts that features provide to later features. */
export type CoreAlone = Omit<
  Core,
  "budgets" | "channelNotes" | "knowledge" | "lines" | "pagesRead" | "pullChanged" | "pushed"
>;

interface ObservingFeatures {
  readonly observer: Observer;
  open(core: CoreAlone): Promise<OpenFeatures>;
}

export interface OpenFeatures {
  /** Reason why each surface of a feature is off; null if the surface is on. */
  readonly surfaces: Readonly<Record<string, string | null>>;
  readonly tools: readonly Tool[];
  readonly servers: readonly string[];
  readonly knowledge: ChannelKnowledge;
  readonly commands: () => Promise<readonly Command[]>;
  readonly clicks: Clicks;
  readonly requests: readonly ConsoleRequest[];
  readonly boards: readonly OwnedBoard[];
  readonly budgets: BudgetBook;
  readonly alerts: OperatorAlerts;
  wrapModel(priced: PricedModel): Model;
  besides(bot: Bot): Promise<readonly PathRoutes[]>;
  /** Null if no web console is served. */
  web(host: ConsoleHost): Promise<Web | null>;
  readonly reuse: AnswerReuse | undefined;
  readonly memory: ChannelNotes | undefined;
  reviewedIn(id: ConversationId): string | null;
  readonly attends: readonly Attend[];
  /** Called after a commit, on the owner of the conversation. */
  heard(id: ConversationId, change: ConversationChange): void;
  /** Called on the leader. */
  led(id: ConversationId, change: ConversationChange): void;
  readonly appPosts: AppPosts;
  readonly readLinks: ReadLinks;
  readonly tests: TestSurroundings | null;
  /** Called when other hosts have written to these tables. */
  changed(tables: ReadonlySet<string>): void;
  renew(): void;
  /** Starts the leader's work. */
  start(): BackgroundTask;
  /** Ends the sources of new work. */
  leave(): Promise<unknown>;
  /** Closes the features in reverse order. */
  close(): Promise<void>;
}

const observeFeatures = async (
  features: readonly Pick<ReadFeature, "observe">[],
  early: EarlyCore,
): Promise<ObservingFeatures> => {
  const observing = await Promise.all(features.map(({ observe }) => observe(early)));
  return {
    observer: inOrder(observing.flatMap(({ observers }) => observers)),
    open: (core) => openFeatures(observing, core),
  };
};

const openFeatures = async (
  features: readonly ObservingFeature[],
  core: CoreAlone,
): Promise<OpenFeatures> => {
  const opened: (OpenFeature & Pick<Feature, "name">)[] = [];
  const budgets = (): BudgetBook => opened.find((one) => one.budgets !== undefined)?.budgets ?? NO_BUDGETS;
  const pushed: Core["pushed"] = () => toEach(opened.flatMap((one) => one.pushed ?? []));
  const pullChanged: Core["pullChanged"] = () => toEach(opened.flatMap((one) => one.pullChanged ?? []));
  const knowledgeOf = (): ChannelKnowledge =>
    opened.find((one) => one.knowledge !== undefined)?.knowledge ?? NO_KNOWLEDGE;
  const pagesRead = (): void => {
    if (core.leads()) for (const one of opened) one.sourceRead?.();
  };
  const channelNotes: Core["channelNotes"] = (at) =>
    opened.find(({ memory }) => memory !== undefined)?.memory?.inChannel(at) ?? [];
  for (const { name, open } of features) {
    const lines = opened.find((one) => one.lines !== undefined)?.lines ?? null;
    const provided = {
      budgets: budgets(),
      channelNotes,
      knowledge: knowledgeOf(),
      lines,
      pushed,
      pullChanged,
      pagesRead,
    };
    opened.push({ ...(await open({ ...core, ...provided })), name });
  }
  return {
    surfaces: Object.fromEntries(
      opened.flatMap(({ name, surface }) => (surface === undefined ? [] : [[name, surface.off]])),
    ),
    tools: opened.flatMap(({ tools }) => tools ?? []),
    servers: opened.flatMap(({ servers }) => servers ?? []),
    knowledge: knowledgeOf(),
    commands: () => commandsOf(opened),
    clicks: new Map(opened.flatMap(({ clicks }) => Object.entries(clicks))),
    requests: opened.flatMap(({ requests }) => requests),
    boards: opened.flatMap(({ name, board }) => (board === null ? [] : [{ ...board, feature: name }])),
    budgets: budgets(),
    alerts: opened.find((one) => one.alerts !== undefined)?.alerts ?? NO_ALERTS,
    wrapModel: (priced) => {
      for (const one of opened) one.callsModel?.(priced);
      return opened.reduce((model, one) => one.wrapModel?.({ ...priced, model }) ?? model, priced.model);
    },
    besides: (bot) => Promise.all(opened.flatMap((one) => one.beside?.(bot) ?? [])),
    web: async (host) => (await opened.find(({ web }) => web !== undefined)?.web?.(host)) ?? null,
    reuse: opened.find(({ reuse }) => reuse !== undefined)?.reuse,
    memory: opened.find(({ memory }) => memory !== undefined)?.memory,
    reviewedIn: (id) => opened.find(({ reviewedIn }) => reviewedIn !== undefined)?.reviewedIn?.(id) ?? null,
    attends: opened.flatMap(({ attend }) => attend ?? []),
    heard: (...happened) => {
      for (const one of opened) one.heard?.(...happened);
    },
    led: (...happened) => {
      for (const one of opened) one.led?.(...happened);
    },
    appPosts: opened.find(({ appPosts }) => appPosts !== undefined)?.appPosts ?? NO_APP_POSTS,
    readLinks: readWithAll(opened.flatMap(({ readLinks }) => readLinks ?? [])),
    tests: opened.find((one) => one.tests !== undefined)?.tests ?? null,
    changed: (tables) => {
      for (const one of opened) one.changed?.(tables);
    },
    renew: () => {
      for (const one of opened) one.renew?.();
    },
    start: () => {
      const begun = opened.flatMap((one) => one.start?.() ?? []);
      return { close: () => Promise.all(begun.map((one) => one.close())) };
    },
    leave: () => Promise.all(opened.flatMap((one) => one.leave?.() ?? [])),
    close: async () => {
      for (const one of opened.toReversed()) await one.close?.();
    },
  };
};

/** Null if nobody takes the facts. */
const toEach = <Fact>(takers: readonly ((fact: Fact) => void)[]): ((fact: Fact) => void) | null =>
  takers.length === 0 ? null : (fact) => takers.forEach((take) => take(fact));
