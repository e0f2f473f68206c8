/** Models whose requests are paid for, and a world with one. */

import { createBudgetedModel } from "../../../src/features/money/budgeted-model.ts";
import type { Defaults } from "../../../src/features/money/scopes.ts";
import type { BudgetBook, MicroUsd, Prices } from "../../../src/ports/money.ts";
import { createWorld, type World, type WrapModel } from "../../runtime/world.ts";
import { openBudgets, type Sharing } from "./usual.ts";

interface Paid {
  readonly budgets: Defaults;
  /** Absent: Sonnet's. */
  readonly prices?: Prices;
  /** People are asked above this; absent: a dollar. */
  readonly askAbove?: MicroUsd | null;
  readonly sharing?: Sharing;
}

type Options = NonNullable<Parameters<typeof createWorld>[0]>;

/** `opened`: gets the budgets as soon as there are some. */
export const paidBy =
  (
    { budgets: defaults, prices = SONNET, askAbove, sharing }: Paid,
    opened: (book: BudgetBook) => void = () => undefined,
  ): WrapModel =>
  ({ model, purse, clock }) => {
    const budgets = openBudgets(purse, clock.now, clock.steady, defaults, askAbove, sharing ?? null);
    opened(budgets);
    return createBudgetedModel({ model, budgets, purse, clock, prices: () => prices, longest: () => 10_000 });
  };

export const createPaidWorld = ({
  budgets,
  prices,
  askAbove,
  ...options
}: Omit<Paid, "sharing"> & Options): World & { readonly set: BudgetBook["set"] } => {
  const books: BudgetBook[] = [];
  const paid = {
    budgets,
    ...(prices === undefined ? {} : { prices }),
    ...(askAbove === undefined ? {} : { askAbove }),
  };
  const world = createWorld({ ...options, wrapModel: paidBy(paid, (book) => void books.push(book)) });
  const [book] = books;
  if (book === undefined) throw new Error("there are no budgets");
  return { ...world, set: book.set };
};

/** Dollars a million tokens. */
const SONNET: Prices = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };
