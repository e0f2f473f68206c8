/** The features of this product, in the order in which they run: one line each (D48). */

import type { OwnedBoard } from "../../adapters/console/deps.ts";
import type {
  Core,
  EarlyCore,
  Feature,
  Observing,
  OpenFeature,
  Reading,
  SetFeature,
  Work,
} from "../feature.ts";
import type { Beside } from "../ports/beside.ts";
import type { Bot } from "../ports/bot.ts";
import type { ConsoleRequest } from "../ports/console.ts";
import { type ForgeAccess, NO_FORGE } from "../ports/forge-access.ts";
import { inOrder, type Observer } from "../ports/observer.ts";
import type { Command } from "../runtime/chat/commands/define-command.ts";
import type { Clicks } from "../runtime/chat/deps.ts";
import type { Tool, ToolKit } from "../tools/tool.ts";
import { demo } from "../features/demo/feature.ts";
import { digest } from "../features/digest/feature.ts";
import { forge } from "../features/forge/feature.ts";
import { gateway } from "../features/gateway/feature.ts";
import { observability } from "../features/observability/feature.ts";

export const FEATURES: readonly Feature[] = [observability, forge, demo, digest, gateway];

/** Commands of features, of a host or of none. */
export const commandsOf = async (
  features: readonly Pick<Feature, "commands">[],
): Promise<readonly Command[]> => (await Promise.all(features.map(({ commands }) => commands()))).flat();

export type ReadFeatures =
  | {
      readonly kind: "read";
      readonly secrets: readonly string[];
      readonly forge: ForgeAccess;
      readonly tools: (kit: ToolKit) => readonly Tool[];
    }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** What the files that their settings name give; every problem at once. */
export const readFeatures = async (
  features: readonly Pick<SetFeature, "read">[],
  reading: Reading,
): Promise<ReadFeatures> => {
  const all = await Promise.all(features.map(({ read }) => read(reading)));
  const problems = all.flatMap((one) => (one.kind === "invalid" ? one.problems : []));
  if (problems.length > 0) return { kind: "invalid", problems };
  const files = all.flatMap((one) => (one.kind === "read" ? [one.files] : []));
  return {
    kind: "read",
    secrets: files.flatMap(({ secrets }) => secrets ?? []),
    forge: files.find(({ forge: found }) => found !== undefined)?.forge ?? NO_FORGE,
    tools: (kit) => files.flatMap(({ tools }) => tools?.(kit) ?? []),
  };
};

/** The features of a host that is starting. */
export interface ObservingFeatures {
  readonly observer: Observer;
  open(core: Core): Promise<OpenFeatures>;
}

/** What they provide together. */
export interface OpenFeatures {
  /** Of those that people see: the reason why one is off, or null. */
  readonly surfaces: Readonly<Record<string, string | null>>;
  readonly commands: () => Promise<readonly Command[]>;
  readonly clicks: Clicks;
  readonly requests: readonly ConsoleRequest[];
  readonly boards: readonly OwnedBoard[];
  besides(bot: Bot): Promise<readonly Beside[]>;
  /** Begins the work of the host that leads. */
  start(): Work;
  /** In reverse order. */
  close(): Promise<void>;
}

export const observeFeatures = async (
  features: readonly SetFeature[],
  early: EarlyCore,
): Promise<ObservingFeatures> => {
  const observing: Opening[] = [];
  for (const { name, observe } of features) observing.push({ name, ...(await observe(early)) });
  return {
    observer: inOrder(observing.flatMap(({ observers }) => observers)),
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
    commands: () => commandsOf(opened),
    clicks: new Map(opened.flatMap(({ clicks }) => Object.entries(clicks))),
    requests: opened.flatMap(({ requests }) => requests),
    boards: opened.flatMap(({ name, board }) => (board === null ? [] : [{ ...board, feature: name }])),
    besides: (bot) => Promise.all(opened.flatMap((one) => one.beside?.(bot) ?? [])),
    start: () => {
      const begun = opened.flatMap((one) => one.start?.() ?? []);
      return { close: () => Promise.all(begun.map((one) => one.close())) };
    },
    close: async () => {
      for (const one of opened.toReversed()) await one.close?.();
    },
  };
};
