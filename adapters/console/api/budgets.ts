/** What is spent on the model today and how much may be: told to the operator, and set by the operator. */

import * as z from "zod";
import { readJson } from "./body.ts";
import type { Scope } from "../../../src/ports/money.ts";
import type { Handler } from "../handler.ts";
import type { Budgets } from "../render/api-types.ts";
import { accepted } from "./problem.ts";
import { dollarsADay } from "./schema.ts";

/** What is spent today and how much may be, of each person, channel, server and the host. */
export const listBudgets: Handler = ({ budgets }, c) => {
  const { renewsAt, standings } = budgets.overview();
  const rows: Budgets["budgets"] = standings.map(({ scope, most, spent, isSet }) => ({
    scope,
    spentUsd: spent / 1_000_000,
    /** Null: no bound, or for a person the configured one of strangers or of others. */
    mostUsd: most === null ? null : most / 1_000_000,
    isSet,
  }));
  return c.json({ renewsAt, budgets: rows });
};

/** Sets one: `scope` and `dollars` a day, null for no bound. */
export const setBudget: Handler = async ({ budgets, operator }, c) => {
  const { scope, dollars: most } = await readJson(c, budgetBody);
  return c.json({ result: accepted(await budgets.set(scope, most, operator.id)).kind });
};

const isScope = (text: string): text is Scope =>
  text === "day" || /^(person:\w+|channel|server):[\w:.-]+$/.test(text);

const budgetBody = z.object({
  scope: z.string().max(200).refine(isScope, "must be day, or person:, channel: or server: and an id"),
  dollars: dollarsADay,
});
