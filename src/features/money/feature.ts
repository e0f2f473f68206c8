/** Budgets: a request to the model is sent only if a person, a channel, a server and the host can be charged (D33). */

import { defineFeature } from "../../feature.ts";
import { moneySettings } from "./settings.ts";
import { tables } from "./tables.ts";

export const money = defineFeature({
  name: "money",
  settings: moneySettings,
  tables: tables,
  open: async (settings, core) => {
    const { openMoney } = await import("./open.ts");
    return openMoney(settings, core);
  },
  findings: async function* (settings, { model }) {
    const { budgetFindings } = await import("./findings.ts");
    if (model !== null) yield* budgetFindings(settings, model);
  },
  commands: async (own) => {
    const { budgetCommand } = await import("./command.ts");
    return [budgetCommand(own)];
  },
  requests: (own) => [
    {
      method: "get",
      path: "/api/budgets",
      does: "Today's spending and limit of each person, channel, server and the host.",
      approvers: null,
      answer: async () => (await import("./requests.ts")).listBudgets(own()),
    },
    {
      method: "post",
      path: "/api/budgets",
      does: "Sets a budget: `scope` and `dollars` per day; null for no limit.",
      approvers: "set budgets",
      answer: async (request) => (await import("./requests.ts")).setBudget(own(), request),
    },
  ],
  board: { name: "budgets", title: "Click for budgets", from: "cost" },
});
