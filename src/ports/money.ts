import { type ConversationId, DAY, type Millis, type PersonId } from "../machine/id.ts";
import type { Speaker } from "../machine/vocabulary.ts";
import { DONE, type Done, type WriteFailure } from "./host.ts";

/** Millionths of a US dollar. */
export type MicroUsd = number;

/** A UTC day, `2026-11-22`. */
export type Day = string;

/** Payer of a request. Each scope has its own daily budget. */
export type Scope =
  | `person:${PersonId}`
  /** Connection and channel. */
  | `channel:${string}`
  /** Connection, followed by the server if the connection has several. */
  | `server:${string}`
  /** All costs of this host, or of all hosts that share its database. */
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
  /** Prices of a complete request with more input than `tokens`; absent if the size makes no difference. */
  readonly above?: Omit<Prices, "above"> & { readonly tokens: number };
}

export interface Account {
  readonly speaker: Speaker | null;
  /** The surface of the thread, or of the thread that a sub-agent works for. */
  readonly surface: string;
  readonly place: string | null;
  readonly server: string | null;
  readonly isSubagent: boolean;
  /** Tokens of the last response, cache reads and writes included. */
  readonly context: number;
  readonly turn: {
    readonly no: number;
    readonly isOpen: boolean;
    readonly confirmed: boolean;
    /** Cost of the turn so far, its sub-agents included. */
    readonly spent: MicroUsd;
    readonly isSummary: boolean;
  };
  /** Tokens that the model has written in the conversation. */
  readonly written: number;
}

export interface SetBudget {
  readonly scope: Scope;
  /** Per day; null for no limit. */
  readonly most: MicroUsd | null;
  readonly by: PersonId;
  readonly at: Millis;
}

interface Spent {
  readonly scope: Scope;
  readonly amount: MicroUsd;
}

interface BudgetRows {
  budget(scope: Scope): SetBudget | null;
  budgets(): readonly SetBudget[];
  setBudget(budget: SetBudget): Promise<Done>;
}

/** `usual`: default daily budget; null for no limit. */
export interface ChargedScope {
  readonly scope: Scope;
  readonly usual: MicroUsd | null;
}

interface Wanted {
  readonly host: string;
  /** Used if the hosts have no shared day yet. */
  readonly day: Day;
  readonly payers: readonly ChargedScope[];
  /** Minimum amount that makes the request worth sending. */
  readonly least: MicroUsd;
  readonly most: MicroUsd;
}

export type BudgetGrant =
  | { readonly kind: "granted"; readonly amount: MicroUsd }
  | { readonly kind: "short"; readonly scope: Scope };

type Reserved =
  | (Extract<BudgetGrant, { readonly kind: "granted" }> & { readonly held: number | null })
  | Extract<BudgetGrant, { readonly kind: "short" }>;

/** Returns the amount that the payer with the least money left can cover. */
export const grantOf = (
  payers: readonly { readonly scope: Scope; readonly left: MicroUsd }[],
  least: MicroUsd,
  most: MicroUsd,
): BudgetGrant => {
  const [poorest] = payers.toSorted((a, b) => a.left - b.left);
  if (poorest !== undefined && poorest.left < least) return { kind: "short", scope: poorest.scope };
  return { kind: "granted", amount: Math.min(most, poorest?.left ?? most) };
};

interface SharedRows {
  today(): Day | null;
  /** `held` names the reservation; null if no payer has a budget. Reservations of a host that leaves become available again. */
  reserve(wanted: Wanted): Promise<Reserved | WriteFailure>;
  /** Releases the reservation and records the actual cost. `day` applies if the hosts have no shared day yet. */
  settle(
    host: string,
    held: number | null,
    day: Day,
    scopes: readonly Scope[],
    cost: MicroUsd,
  ): Promise<Done>;
}

export interface SpendingStore extends BudgetRows, SharedRows {
  account(conversation: ConversationId): Account | null;
  spent(days: readonly Day[], scope: Scope): MicroUsd;
  /** Returns the costs of all scopes on the days, the highest first. */
  all(days: readonly Day[]): readonly Spent[];
  spend(day: Day, scopes: readonly Scope[], amount: MicroUsd): Promise<Done>;
  newest(): Day | null;
  /** Moves the costs of the days `from` to the day `to`, once. `to` becomes the shared day of the hosts. */
  carry(from: readonly Day[], to: Day): Promise<Done>;
}

export interface BudgetUsage {
  readonly scope: Scope;
  readonly usual: MicroUsd | null;
  /** Budget that a person set, otherwise the default; null for no limit. */
  readonly most: MicroUsd | null;
  readonly spent: MicroUsd;
}

export interface BudgetBook {
  /** Returns the budgets that pay for a conversation, the narrowest scope first. */
  standings(account: Pick<Account, "speaker" | "surface" | "place" | "server">): readonly BudgetUsage[];
  /** Returns scopes with costs today or a set budget, the highest cost first. The host's scope is always included. */
  overview(): {
    readonly renewsAt: Millis;
    readonly standings: readonly (BudgetUsage & { readonly isSet: boolean })[];
  };
  set(scope: Scope, most: MicroUsd | null, by: PersonId): Promise<Done>;
}

/** The next midnight, UTC. */
export const renewal = (at: Millis): Millis => (Math.floor(at / DAY) + 1) * DAY;

export const NO_BUDGETS: BudgetBook = {
  standings: () => [],
  overview: () => ({ renewsAt: 0, standings: [] }),
  set: () => Promise.resolve(DONE),
};

export const lateBudgets = (budgets: () => BudgetBook): BudgetBook => ({
  standings: (account) => budgets().standings(account),
  overview: () => budgets().overview(),
  set: (...set) => budgets().set(...set),
});
