/** What is spent on the model, and how much may be: declared on the caller's floor. */

import { type ConversationId, DAY, type Millis, type PersonId } from "../machine/id.ts";
import type { Speaker } from "../machine/words.ts";
import { DONE, type Done, type WriteFailure } from "./host.ts";

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
  /** Everything that this host spends, or all that share its database. */
  | "day";

export const personScope = (person: PersonId): Scope => `person:${person}`;
export const channelScope = (surface: string, place: string): Scope => `channel:${surface}:${place}`;
export const serverScope = (surface: string, server: string | null): Scope =>
  server === null ? `server:${surface}` : `server:${surface}:${server}`;

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

interface Spent {
  readonly scope: Scope;
  readonly amount: MicroUsd;
}

/** Budgets that people set. */
interface BudgetRows {
  /** Null where nobody set one. */
  budget(scope: Scope): SetBudget | null;
  budgets(): readonly SetBudget[];
  /** Inserts or replaces. */
  setBudget(budget: SetBudget): Promise<Done>;
}

/** Who pays, with a day's budget where nobody set another; null: no bound. */
export interface ChargedScope {
  readonly scope: Scope;
  readonly usual: MicroUsd | null;
}

/** What a request may cost, of one of several hosts. */
interface Wanted {
  readonly host: string;
  /** Where the hosts have none yet. */
  readonly day: Day;
  readonly payers: readonly ChargedScope[];
  /** With less it is not worth sending. */
  readonly least: MicroUsd;
  readonly most: MicroUsd;
}

/** What of that it may cost, or whose budget is in its way. */
export type BudgetGrant =
  | { readonly kind: "granted"; readonly amount: MicroUsd }
  | { readonly kind: "short"; readonly scope: Scope };

type Reserved =
  | (Extract<BudgetGrant, { readonly kind: "granted" }> & { readonly held: number | null })
  | Extract<BudgetGrant, { readonly kind: "short" }>;

/** As much as the poorest of them has left. */
export const grantOf = (
  payers: readonly { readonly scope: Scope; readonly left: MicroUsd }[],
  least: MicroUsd,
  most: MicroUsd,
): BudgetGrant => {
  const [poorest] = payers.toSorted((a, b) => a.left - b.left);
  if (poorest !== undefined && poorest.left < least) return { kind: "short", scope: poorest.scope };
  return { kind: "granted", amount: Math.min(most, poorest?.left ?? most) };
};

/** Of hosts that share a database. */
interface SharedRows {
  /** The day for all of them; null: it was never said. */
  today(): Day | null;
  /**
   * Sets aside what the request may cost, as far as no budget is exceeded by what is spent and set aside by all hosts that
   * are members; `held` names it, and is null where nobody has a budget. What a host has set aside is free once it leaves.
   */
  reserve(wanted: Wanted): Promise<Reserved | WriteFailure>;
  /** What was set aside is free, and what it cost is spent today, which is `day` where the hosts have none yet. */
  settle(
    host: string,
    held: number | null,
    day: Day,
    scopes: readonly Scope[],
    cost: MicroUsd,
  ): Promise<Done>;
}

export interface SpendingStore extends BudgetRows, SharedRows {
  /** Null where no such conversation is stored. */
  account(conversation: ConversationId): Account | null;
  /** Summed over the days. */
  spent(days: readonly Day[], scope: Scope): MicroUsd;
  /** Of all scopes of these days, the dearest first. */
  all(days: readonly Day[]): readonly Spent[];
  spend(day: Day, scopes: readonly Scope[], amount: MicroUsd): Promise<Done>;
  /** The last day that anything was spent on. */
  newest(): Day | null;
  /** What was spent on these days counts to another one, once; that is the day of hosts that share it. */
  carry(from: readonly Day[], to: Day): Promise<Done>;
}

/** What of a budget is used today. */
export interface BudgetUsage {
  readonly scope: Scope;
  /** Where nobody set another; null: no bound. */
  readonly usual: MicroUsd | null;
  /** As it was set, else the usual one; null: no bound. */
  readonly most: MicroUsd | null;
  readonly spent: MicroUsd;
}

/** Budgets as people see and set them. */
export interface BudgetBook {
  /** Of those who pay for a conversation, the narrowest first. */
  standings(account: Pick<Account, "speaker" | "surface" | "place" | "server">): readonly BudgetUsage[];
  /** Of everybody who spent anything today or whose budget was set, the dearest first; the host's is always there. */
  overview(): {
    readonly renewsAt: Millis;
    readonly standings: readonly (BudgetUsage & { readonly isSet: boolean })[];
  };
  set(scope: Scope, most: MicroUsd | null, by: PersonId): Promise<Done>;
}

/** When the budgets of a day renew: the next midnight, UTC. */
export const renewal = (at: Millis): Millis => (Math.floor(at / DAY) + 1) * DAY;

/** Nothing is counted, and nothing has a bound. */
export const NO_BUDGETS: BudgetBook = {
  standings: () => [],
  overview: () => ({ renewsAt: 0, standings: [] }),
  set: () => Promise.resolve(DONE),
};

/** Budgets of a feature that opens later. */
export const lateBudgets = (budgets: () => BudgetBook): BudgetBook => ({
  standings: (account) => budgets().standings(account),
  overview: () => budgets().overview(),
  set: (...set) => budgets().set(...set),
});
