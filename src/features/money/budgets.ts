/**
 * Budgets: what a request may cost is reserved before it is sent, at list price, and what it did cost is settled
 * after it (D33).
 *
 * G1 of no scope is more spent and reserved together than its budget, as far as a request's size can be told before.
 * G2 what a provider counted is spent whether or not the answer was of use. G3 what cannot be written stays
 * reserved for the life of the process. An answer is made shorter before it is refused. All three hold for hosts that share
 * a database together (reservations.ts).
 */

import type { Core } from "../../feature.ts";
import type { Millis } from "../../machine/id.ts";
import type { Failure } from "../../machine/words.ts";
import {
  type Account,
  type BudgetBook,
  type ChargedScope,
  type MicroUsd,
  type Prices,
  renewal,
  type Scope,
  type SpendingStore,
  type BudgetUsage,
} from "../../ports/money.ts";
import type { Days } from "./days.ts";
import { dearFailure, spentFailure, turnFailure, UNKNOWN_AMOUNT } from "./money-text.ts";
import { mostOf, type Reservations } from "./reservations.ts";
import { chargedTo, type Defaults, kindOf } from "./scopes.ts";

/** Tokens: an answer that may not even be this long is not worth its request. */
const SHORTEST = 1_024;
/** Tokens of an answer where the conversation has none yet to judge by. */
const USUAL = 1_000;

interface BudgetDeps {
  readonly purse: SpendingStore;
  readonly days: Days;
  readonly now: () => Millis;
  readonly defaults: Defaults;
  /** A turn that costs more waits until a person says that it may go on; null: none does. */
  readonly askAbove: MicroUsd | null;
  readonly reservations: Reservations;
  readonly formsOf: Core["formsOf"];
}

interface Bill {
  readonly account: Account;
  readonly prices: Prices;
  /** Tokens of the request, and how many of them the provider's cache is likely to hold. */
  readonly tokens: number;
  readonly cached: number;
  /** Longest answer that the model may give, in tokens. */
  readonly longest: number;
}

type Admission =
  | {
      readonly kind: "admitted";
      readonly maxTokens: number;
      /** What the request would cost without any answer. */
      readonly input: MicroUsd;
      /** To be called once. */
      readonly settle: (cost: MicroUsd) => void;
    }
  | { readonly kind: "refused"; readonly failure: Failure };

export interface BudgetGate extends BudgetBook {
  admit(bill: Bill): Promise<Admission>;
}

export const createBudgets = (deps: BudgetDeps): BudgetGate => {
  const { purse, days, now, defaults, askAbove, reservations, formsOf } = deps;

  const standing = (charged: ChargedScope): BudgetUsage => ({
    ...charged,
    most: mostOf(purse, charged),
    spent: purse.spent(days(), charged.scope),
  });

  return {
    standings: (account) => chargedTo(account, defaults).map(standing),
    overview: () => {
      const set = new Map(purse.budgets().map((one) => [one.scope, one]));
      const spent = new Map(purse.all(days()).map((one) => [one.scope, one.amount]));
      const scopes = new Set<Scope>(["day", ...spent.keys(), ...set.keys()]);
      const standings = [...scopes].map((scope) => {
        const kind = kindOf(scope);
        const usual = kind === "person" ? null : defaults[kind];
        const own = set.get(scope);
        const most = own === undefined ? usual : own.most;
        return { scope, usual, most, spent: spent.get(scope) ?? 0, isSet: own !== undefined };
      });
      return { renewsAt: renewal(now()), standings };
    },
    set: (scope, most, by) => purse.setBudget({ scope, most, by, at: now() }),
    admit: async (bill) => {
      const { account, prices, longest } = bill;
      const input = inputCost(bill);
      const dear = askAbove === null ? null : dearness(bill, input, askAbove);
      if (dear !== null) return { kind: "refused", failure: dear };
      const isFree = input === 0 && prices.output === 0;
      const costOf = (tokens: number): MicroUsd => input + Math.ceil(tokens * prices.output);
      const [least, most] = [costOf(Math.min(SHORTEST, longest)), costOf(longest)];
      const reserved = await reservations.reserve(isFree ? [] : chargedTo(account, defaults), least, most);
      if (reserved.kind === "failed") return { kind: "refused", failure: UNKNOWN_AMOUNT };
      if (reserved.kind === "short")
        return {
          kind: "refused",
          failure: spentFailure(reserved.scope, account, now(), formsOf(account.surface)),
        };
      const { amount, settle } = reserved;
      const maxTokens = amount < most ? Math.floor((amount - input) / prices.output) : longest;
      return { kind: "admitted", maxTokens, input, settle };
    },
  };
};

/** What is not in the cache is written to it. */
const inputCost = ({ prices, tokens, cached }: Bill): MicroUsd =>
  Math.ceil(cached * prices.cacheRead + Math.max(0, tokens - cached) * prices.cacheWrite);

/**
 * Before a turn begins what its first request is likely to cost counts, then what all of it has cost: whoever has said
 * that it may go on is asked again at twice as much. A summary is never asked about: it is what makes the next cheaper.
 */
const dearness = (
  { account: { turn, written, isSubagent }, prices, tokens }: Bill,
  input: MicroUsd,
  askAbove: MicroUsd,
): Failure | null => {
  if (isSubagent || turn.isSummary) return null;
  if (turn.isOpen) {
    const most = turn.confirmed ? 2 * askAbove : askAbove;
    return turn.spent > most ? turnFailure(turn.spent, most) : null;
  }
  const answer = turn.no > 1 && written > 0 ? written / (turn.no - 1) : USUAL;
  const likely = input + answer * prices.output;
  return likely > askAbove && !turn.confirmed ? dearFailure(likely, tokens, askAbove) : null;
};
