/** The features of this product, in the order in which they run: one line each (D48). */

import type { Core, EarlyCore, Feature, Observing, OpenFeature, SetFeature } from "../feature.ts";
import type { Beside } from "../ports/beside.ts";
import type { Bot } from "../ports/bot.ts";
import { inOrder, type Observer } from "../ports/observer.ts";
import type { Route } from "../ports/route.ts";
import { demo } from "../features/demo/feature.ts";
import { gateway } from "../features/gateway/feature.ts";
import { observability } from "../features/observability/feature.ts";

export const FEATURES: readonly Feature[] = [observability, demo, gateway];

/** The features of a host that is starting. */
export interface ObservingFeatures {
  readonly observer: Observer;
  open(core: Core): Promise<OpenFeatures>;
}

/** What they provide together. */
interface OpenFeatures {
  /** Of those that people see: the reason why one is off, or null. */
  readonly surfaces: Readonly<Record<string, string | null>>;
  readonly routes: readonly Route[];
  besides(bot: Bot): Promise<readonly Beside[]>;
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
  const opened: { readonly name: string; readonly one: OpenFeature }[] = [];
  for (const { name, open } of features) opened.push({ name, one: await open(core) });
  return {
    surfaces: Object.fromEntries(
      opened.flatMap(({ name, one }) => (one.surface === undefined ? [] : [[name, one.surface.off]])),
    ),
    routes: opened.flatMap(({ one }) => one.routes ?? []),
    besides: (bot) => Promise.all(opened.flatMap(({ one }) => one.beside?.(bot) ?? [])),
    close: async () => {
      for (const { one } of opened.toReversed()) await one.close?.();
    },
  };
};
