/** What is spent on the model, and how much may be: declared on the caller's floor. */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { Speaker } from "../machine/words.ts";
import type { WriteFailure } from "./host.ts";

/** Millionths of a US dollar. */
export type MicroUsd = number;

/** A UTC day, `2026-11-22`. */
export type Day = string;

/** Whose money it is: each has a budget of its own for every day. */
export type Scope =
  | `person:${PersonId}`
  /** Connection and place. */
  | `channel:${string}`
  /** Connection, and the server where a connection has several. */
  | `server:${string}`
  /** Everything that this host spends. */
  | "day";

/** List prices, in millionths of a dollar per token. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** What a request with more input than this costs, all of it; absent where its size makes no difference. */
  readonly above?: Omit<Prices, "above"> & { readonly tokens: number };
}

/** What a request for a conversation is charged by, as it is stored at this moment. */
export interface Account {
  /** Whose message set off the turn. */
  readonly speaker: Speaker | null;
  /** The surface of the thread, or of the thread that a sub-agent works for. */
  readonly surface: string;
  readonly place: string | null;
  /** The server that the channel belongs to; null where the surface has one alone, or it is not known. */
  readonly server: string | null;
  readonly isSubagent: boolean;
  /** Tokens of the last response, cache reads and writes included. */
  readonly context: number;
  readonly turn: {
    readonly no: number;
    /** Something of it has been answered already. */
    readonly isOpen: boolean;
    readonly confirmed: boolean;
    /** What it has cost so far, its sub-agents included. */
    readonly spent: MicroUsd;
    /** The request is for the summary with which another conversation goes on. */
    readonly isSummary: boolean;
  };
  /** Tokens that the model has written in the conversation. */
  readonly written: number;
}

/** A budget that somebody set, in the place of the configured one. */
export interface SetBudget {
  readonly scope: Scope;
  /** A day; null: no bound. */
  readonly most: MicroUsd | null;
  readonly by: PersonId;
  readonly at: Millis;
}

export interface Spent {
  readonly scope: Scope;
  readonly amount: MicroUsd;
}

type Done = { readonly kind: "done" } | WriteFailure;

/** Budgets that people set. */
interface BudgetRows {
  /** Null where nobody set one. */
  budget(scope: Scope): SetBudget | null;
  budgets(): readonly SetBudget[];
  /** Inserts or replaces. */
  setBudget(budget: SetBudget): Promise<Done>;
}

export interface Spending extends BudgetRows {
  /** Null where no such conversation is stored. */
  account(conversation: ConversationId): Account | null;
  /** Summed over the days. */
  spent(days: readonly Day[], scope: Scope): MicroUsd;
  /** Of all scopes of these days, the dearest first. */
  all(days: readonly Day[]): readonly Spent[];
  spend(day: Day, scopes: readonly Scope[], amount: MicroUsd): Promise<Done>;
  /** The last day that anything was spent on. */
  newest(): Day | null;
  /** What was spent on these days counts to another one, once. */
  carry(from: readonly Day[], to: Day): Promise<Done>;
}

/** What of a budget is used today. */
export interface Standing {
  readonly scope: Scope;
  /** Where nobody set another; null: no bound. */
  readonly usual: MicroUsd | null;
  /** As it was set, else the usual one; null: no bound. */
  readonly most: MicroUsd | null;
  readonly spent: MicroUsd;
}

/** Budgets as the operator sees and sets them. */
export interface BudgetBook {
  /** Of everybody who spent anything today or whose budget was set, the dearest first; the host's is always there. */
  overview(): {
    readonly renewsAt: Millis;
    readonly standings: readonly (Standing & { readonly isSet: boolean })[];
  };
  set(scope: Scope, most: MicroUsd | null, by: PersonId): Promise<Done>;
}
