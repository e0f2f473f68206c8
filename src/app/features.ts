/** The features of this product, in the order in which they run: one line each (D48). */

import type { OwnedBoard } from "../../adapters/console/deps.ts";
import type { Core, EarlyCore, Feature, Observing, OpenFeature, SetFeature, Work } from "../feature.ts";
import type { ConversationId } from "../machine/id.ts";
import { type AppPosts, NO_APP_POSTS } from "../ports/app-posts.ts";
import type { Beside } from "../ports/beside.ts";
import type { Bot, Change } from "../ports/bot.ts";
import type { ConsoleRequest } from "../ports/console.ts";
import { inOrder, type Observer } from "../ports/observer.ts";
import { NO_ALERTS, type OperatorAlerts } from "../ports/operator-alerts.ts";
import type { Route } from "../ports/route.ts";
import type { Command } from "../runtime/chat/commands/define-command.ts";
import type { Clicks } from "../runtime/chat/deps.ts";
import { alerts } from "../features/alerts/feature.ts";
import { demo } from "../features/demo/feature.ts";
import { digest } from "../features/digest/feature.ts";
import { gateway } from "../features/gateway/feature.ts";
import { observability } from "../features/observability/feature.ts";
import { watches } from "../features/watches/feature.ts";

export const FEATURES: readonly Feature[] = [observability, alerts, demo, watches, digest, gateway];

/** Commands of features, of a host or of none. */
export const commandsOf = async (
  features: readonly Pick<Feature, "commands">[],
): Promise<readonly Command[]> => (await Promise.all(features.map(({ commands }) => commands()))).flat();

/** The features of a host that is starting. */
export interface ObservingFeatures {
  readonly observer: Observer;
  open(core: Core): Promise<OpenFeatures>;
}

/** What they provide together. */
export interface OpenFeatures {
  /** Of those that people see: the reason why one is off, or null. */
  readonly surfaces: Readonly<Record<string, string | null>>;
  readonly routes: readonly Route[];
  readonly commands: () => Promise<readonly Command[]>;
  readonly clicks: Clicks;
  readonly requests: readonly ConsoleRequest[];
  readonly boards: readonly OwnedBoard[];
  readonly alerts: OperatorAlerts;
  readonly appPosts: AppPosts;
  besides(bot: Bot): Promise<readonly Beside[]>;
  led(id: ConversationId, change: Change): void;
  changed(tables: ReadonlySet<string>): void;
  renew(): void;
  /** Begins the work of the host that leads. */
  start(): Work;
  leave(): Promise<unknown>;
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
    routes: opened.flatMap(({ routes }) => routes ?? []),
    commands: () => commandsOf(opened),
    clicks: new Map(opened.flatMap(({ clicks }) => Object.entries(clicks))),
    requests: opened.flatMap(({ requests }) => requests),
    boards: opened.flatMap(({ name, board }) => (board === null ? [] : [{ ...board, feature: name }])),
    alerts: opened.flatMap((one) => one.alerts ?? []).at(0) ?? NO_ALERTS,
    appPosts: opened.flatMap((one) => one.appPosts ?? []).at(0) ?? NO_APP_POSTS,
    besides: (bot) => Promise.all(opened.flatMap((one) => one.beside?.(bot) ?? [])),
    led: (...given) => {
      for (const one of opened) one.led?.(...given);
    },
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
