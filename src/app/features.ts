/** The features of this product, in the order in which they run: one line each (D48). */

import type { OwnedBoard } from "../../adapters/console/deps.ts";
import type {
  Core,
  EarlyCore,
  Feature,
  InvalidFiles,
  Observing,
  OpenFeature,
  SetFeature,
  Work,
} from "../feature.ts";
import type { Beside } from "../ports/beside.ts";
import type { ConversationId } from "../machine/id.ts";
import type { Bot, Change } from "../ports/bot.ts";
import type { ConsoleRequest } from "../ports/console.ts";
import { type ChannelKnowledge, NO_KNOWLEDGE } from "../ports/knowledge/knowledge.ts";
import { inOrder, type Observer } from "../ports/observer.ts";
import type { Route } from "../ports/route.ts";
import type { Command } from "../runtime/chat/commands/define-command.ts";
import type { Clicks } from "../runtime/chat/deps.ts";
import type { Tool } from "../tools/tool.ts";
import { demo } from "../features/demo/feature.ts";
import { digest } from "../features/digest/feature.ts";
import { gateway } from "../features/gateway/feature.ts";
import { knowledge } from "../features/knowledge/feature.ts";
import { mcp } from "../features/mcp/feature.ts";
import { observability } from "../features/observability/feature.ts";

export const FEATURES: readonly Feature[] = [observability, demo, mcp, knowledge, digest, gateway];

/** Commands of features, of a host or of none. */
export const commandsOf = async (
  features: readonly Pick<Feature, "commands">[],
): Promise<readonly Command[]> => (await Promise.all(features.map(({ commands }) => commands()))).flat();

/** The features of a host that is starting. */
interface ObservingFeatures {
  readonly kind: "observing";
  readonly observer: Observer;
  /** Values that files of features hold or name, for masking. */
  readonly secrets: readonly string[];
  open(core: Core): Promise<OpenFeatures>;
}

/** What they provide together. */
export interface OpenFeatures {
  /** Of those that people see: the reason why one is off, or null. */
  readonly surfaces: Readonly<Record<string, string | null>>;
  readonly routes: readonly Route[];
  readonly tools: readonly Tool[];
  readonly servers: readonly string[];
  readonly knowledge: ChannelKnowledge;
  readonly commands: () => Promise<readonly Command[]>;
  readonly clicks: Clicks;
  readonly requests: readonly ConsoleRequest[];
  readonly boards: readonly OwnedBoard[];
  besides(bot: Bot): Promise<readonly Beside[]>;
  heard(id: ConversationId, change: Change): void;
  /** Other hosts wrote. */
  changed(tables: ReadonlySet<string>): void;
  /** Begins the work of the host that leads. */
  start(): Work;
  leave(): Promise<unknown>;
  /** In reverse order. */
  close(): Promise<void>;
}

/** Every problem at once; if there are any, nothing that was begun is left. */
export const observeFeatures = async (
  features: readonly SetFeature[],
  early: EarlyCore,
): Promise<ObservingFeatures | InvalidFiles> => {
  const observing: Opening[] = [];
  const problems: string[] = [];
  for (const { name, observe } of features) {
    const begun = await observe(early);
    if (begun.kind === "invalid") problems.push(...begun.problems);
    else observing.push({ name, ...begun });
  }
  const observer = inOrder(observing.flatMap(({ observers }) => observers));
  if (problems.length > 0) {
    await observer.close();
    return { kind: "invalid", problems };
  }
  return {
    kind: "observing",
    observer,
    secrets: observing.flatMap(({ secrets }) => secrets),
    open: (core) => openFeatures(observing, core),
  };
};

type Opening = Pick<SetFeature, "name"> & Observing;

const openFeatures = async (features: readonly Opening[], core: Core): Promise<OpenFeatures> => {
  const opened: (OpenFeature & Pick<Feature, "name">)[] = [];
  for (const { name, open } of features) opened.push({ ...(await open(core)), name });
  return {
    surfaces: Object.fromEntries(
      opened.flatMap(({ name, surface }) => (surface === undefined ? [] : [[name, surface.off]])),
    ),
    routes: opened.flatMap(({ routes }) => routes ?? []),
    tools: opened.flatMap(({ tools }) => tools ?? []),
    servers: opened.flatMap(({ servers }) => servers ?? []),
    knowledge: opened.flatMap(({ knowledge }) => knowledge ?? []).at(0) ?? NO_KNOWLEDGE,
    commands: () => commandsOf(opened),
    clicks: new Map(opened.flatMap(({ clicks }) => Object.entries(clicks))),
    requests: opened.flatMap(({ requests }) => requests),
    boards: opened.flatMap(({ name, board }) => (board === null ? [] : [{ ...board, feature: name }])),
    besides: (bot) => Promise.all(opened.flatMap((one) => one.beside?.(bot) ?? [])),
    heard: (...told) => {
      for (const one of opened) one.heard?.(...told);
    },
    changed: (tables) => {
      for (const one of opened) one.changed?.(tables);
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
