import * as z from "zod";
import { jsonOf } from "../../../adapters/http/body.ts";
import { accepted } from "../../../adapters/http/problem.ts";
import { dollarsADay } from "../../../adapters/http/fields.ts";
import type { Scope } from "../../ports/money.ts";
import type { BudgetsBody } from "./budgets-body.ts";
import type { MoneyContext } from "./open.ts";

export const listBudgets = ({ budgets }: MoneyContext): Response => {
  const { renewsAt, standings } = budgets.overview();
  const rows: BudgetsBody["budgets"] = standings.map(({ scope, most, spent, isSet }) => ({
    scope,
    spentUsd: spent / 1_000_000,
    /** Null for no limit; for a person, null also means the configured default. */
    mostUsd: most === null ? null : most / 1_000_000,
    isSet,
  }));
  const body: BudgetsBody = { renewsAt, budgets: rows };
  return Response.json(body);
};

export const setBudget = async ({ budgets, operator }: MoneyContext, request: Request): Promise<Response> => {
  const { scope, dollars: most } = await jsonOf(request, budgetBody);
  return Response.json({ result: accepted(await budgets.set(scope, most, operator.id)).kind });
};

const isScope = (text: string): text is Scope =>
  text === "day" || /^(person:\w+|channel|server):[\w:.-]+$/.test(text);

const budgetBody = z.object({
  scope: z.string().max(200).refine(isScope, "must be day, or person:, channel: or server: and an id"),
  dollars: dollarsADay,
});
