/** The features of this product, in the order in which they run: one line each (D48). */

import type { Core, Feature, OpenFeature, SetFeature } from "../feature.ts";
import type { Beside } from "../ports/beside.ts";
import type { Bot } from "../ports/bot.ts";
import { demo } from "../features/demo/feature.ts";
import { gateway } from "../features/gateway/feature.ts";

export const FEATURES: readonly Feature[] = [demo, gateway];

/** What they provide together. */
export interface OpenFeatures {
  /** Of those that people see: the reason why one is off, or null. */
  readonly surfaces: Readonly<Record<string, string | null>>;
  besides(bot: Bot): Promise<readonly Beside[]>;
  /** In reverse order. */
  close(): Promise<void>;
}

export const openFeatures = async (features: readonly SetFeature[], core: Core): Promise<OpenFeatures> => {
  const opened: { readonly name: string; readonly one: OpenFeature }[] = [];
  for (const { name, open } of features) opened.push({ name, one: await open(core) });
  return {
    surfaces: Object.fromEntries(
      opened.flatMap(({ name, one }) => (one.surface === undefined ? [] : [[name, one.surface.off]])),
    ),
    besides: (bot) => Promise.all(opened.flatMap(({ one }) => one.beside?.(bot) ?? [])),
    close: async () => {
      for (const { one } of opened.toReversed()) await one.close?.();
    },
  };
};
