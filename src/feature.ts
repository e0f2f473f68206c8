/**
 * All that the program knows of an optional capability (D48). A feature is one folder below `src/features` with this object
 * in its `feature.ts`. Without the folder and its line in `src/app/features.ts` there is no such feature, and the rest works.
 */

import type * as z from "zod";
import type { Speaker } from "./machine/words.ts";
import type { Beside } from "./ports/beside.ts";
import type { Bot } from "./ports/bot.ts";
import type { Repo } from "./ports/conversation.ts";
import type { HostFigures } from "./ports/figures.ts";
import type { Ambient, Clock, RandomId } from "./ports/host.ts";
import type { ScriptedModel } from "./ports/model.ts";
import type { Observer } from "./ports/observer.ts";
import type { TakePicture } from "./ports/pictures.ts";
import type { Route } from "./ports/route.ts";
import type { Ledger } from "./ports/surface.ts";
import { secretsAmong } from "./settings/secrets.ts";

/** Features run in the order of the list. Replay runs none of them. */
export interface Feature {
  readonly name: string;
  /** Its part of the settings; a variable belongs to one part. */
  readonly settings: z.ZodObject;
  /** Rules between its settings and others, on values as they are written. */
  readonly rules: readonly z.ZodType[];
  /** `given`: the environment, without what is empty. */
  readonly set: (given: Given) => SetResult;
}

export type Given = Readonly<Record<string, string | undefined>>;

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
  /** Called before anything is logged or stored. */
  readonly observe: (early: EarlyCore) => Promise<Observing>;
}

/** Parts of the core that exist before its log and its store. */
export interface EarlyCore {
  readonly clock: Clock;
  readonly version: string;
}

/** A feature that observes already and is not open yet. */
export interface Observing {
  /** The first is nearest to the ports. */
  readonly observers: readonly Partial<Observer>[];
  readonly open: (core: Core) => Promise<OpenFeature>;
}

/** What a feature gets of the core. */
export interface Core extends Ambient {
  readonly randomId: RandomId;
  readonly ledger: Ledger;
  readonly takePicture: TakePicture;
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

/** What a feature provides to a host. Each member is optional. */
export interface OpenFeature {
  /** People see it among the surfaces. `off`: the reason why it is off, or null. */
  readonly surface?: { readonly off: string | null };
  /** Answers requests of its own paths. */
  readonly beside?: (bot: Bot) => Promise<Beside>;
  /** GET requests behind the console's token. */
  readonly routes?: readonly Route[];
  /** Ends what it started. */
  readonly close?: () => Promise<void>;
}

interface Definition<S extends z.ZodObject> {
  readonly name: string;
  readonly settings: S;
  readonly rules?: readonly z.ZodType[];
  readonly model?: ScriptedModel | null;
  readonly open?: (settings: z.infer<S>, core: Core) => Promise<OpenFeature>;
  /** Replaces `open` for a feature that observes. */
  readonly observe?: (settings: z.infer<S>, early: EarlyCore) => Promise<Observing>;
}

export const defineFeature = <S extends z.ZodObject>({
  name,
  settings,
  rules = [],
  model = null,
  open = async () => ({}),
  observe = async (data) => ({ observers: [], open: (core) => open(data, core) }),
}: Definition<S>): Feature => ({
  name,
  settings,
  rules,
  set: (given) => {
    const { data, error } = settings.safeParse(given);
    if (data === undefined) return { kind: "invalid", issues: error?.issues ?? [] };
    const secrets = secretsAmong(settings.shape, data);
    return {
      kind: "set",
      feature: { name, values: data, secrets, model, observe: (early) => observe(data, early) },
    };
  },
});
