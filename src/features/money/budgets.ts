/**
 * Budgets: the maximum cost of a request is reserved at list price before it is sent, and the actual cost is settled afterwards
 * (D33).
 *
 * G1 spent and reserved money together never exceed the budget of a scope, as far as the size of a request can be estimated. G2
 * counted usage is spent, whether or not the answer was useful. G3 a cost that cannot be written stays reserved until the
 * process ends. An answer is shortened before it is refused. All three rules hold for all hosts of a database together
 * (reservations.ts).
 */

import type { Core } from "../../feature.ts";
import type { Millis } from "../../machine/id.ts";
import type { Failure } from "../../machine/vocabulary.ts";
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

/** Tokens: below this length an answer is not worth a request. */
const SHORTEST = 1_024;
/** Estimated tokens of an answer, for a conversation without answers. */
const USUAL = 1_000;

interface BudgetDeps {
  readonly purse: SpendingStore;
  readonly days: Days;
  readonly now: () => Millis;
  readonly defaults: Defaults;
  /** Cost above which a turn waits for a person's confirmation; null for no limit. */
  readonly askAbove: MicroUsd | null;
  readonly reservations: Reservations;
  readonly formsOf: Core["formsOf"];
}

interface Bill {
  readonly account: Account;
  readonly prices: Prices;
  /** Tokens of the request, and the part that the provider's cache probably contains. */
  readonly tokens: number;
  readonly cached: number;
  /** In tokens. */
  readonly longest: number;
}

type Admission =
  | {
      readonly kind: "admitted";
      readonly maxTokens: number;
      /** Cost of the request without any answer. */
      readonly input: MicroUsd;
      /** Must be called exactly once, after the request. */
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

/** Tokens outside the cache are written to the cache. */
const inputCost = ({ prices, tokens, cached }: Bill): MicroUsd =>
  Math.ceil(cached * prices.cacheRead + Math.max(0, tokens - cached) * prices.cacheWrite);

/**
 * Before a turn, the likely cost of its first request counts; during the turn, its cost so far. After a confirmation, the next
 * question comes at twice the limit. A summary needs no confirmation, because it makes the next requests cheaper.
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
