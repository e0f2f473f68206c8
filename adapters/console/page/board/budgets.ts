/** What was spent on the model today, by whose money it is, and a way to set how much may be. */

import type { Budgets } from "../../render/api-types.ts";
import * as api from "../api.ts";
import { h, openDialog, pairs } from "../dom.ts";
import { clock, spentOf } from "../thread/format.ts";

export const showBudgets = async (): Promise<void> => {
  const read = await api.budgets();
  const told = h("p", { role: "status" }, read.kind === "ok" ? "" : read.message);
  const rows = read.kind === "ok" ? read.data.budgets : [];
  const scope = h("input", { name: "scope", value: "day", "aria-label": "Whose", required: true });
  const amount = h("input", { name: "dollars", placeholder: "none", "aria-label": "Dollars a day" });
  const set = async (event: Event) => {
    event.preventDefault();
    const most = amountOf(amount.value);
    if (Number.isNaN(most)) {
      told.textContent = "Dollars a day are a number such as 20 or 0.50. Leave it empty for no bound.";
      return;
    }
    const done = await api.setBudget(scope.value.trim(), most);
    if (done.kind !== "ok") told.textContent = done.message;
    else {
      dialog.close();
      await showBudgets();
    }
  };
  const dialog: HTMLDialogElement = openDialog(
    "Spent today",
    pairs(rows.map(row)),
    read.kind === "ok" ? h("p", `Renews at ${clock(read.data.renewsAt)}.`) : null,
    h(
      "form",
      { onsubmit: (event) => void set(event) },
      scope,
      amount,
      h("button", { type: "submit" }, "Set"),
    ),
    told,
    h("button.primary", { onclick: () => dialog.close(), autofocus: true }, "Close"),
  );
  dialog.ariaLabel = "Budgets";
};

/** Null: no bound; NaN for what is no amount, which must not become none. */
const amountOf = (text: string): number | null => {
  const digits = text.replace("$", "").trim();
  return digits === "" ? null : Number(digits);
};

const row = ({ scope, spentUsd, mostUsd }: Budgets["budgets"][number]) =>
  [h("code", scope), spentOf(spentUsd, mostUsd)] as const;
