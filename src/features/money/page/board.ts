import type { BudgetsBody } from "../budgets-body.ts";
import { requestHost } from "../../../../adapters/page/api.ts";
import { h, labelled, openDialog, openForm, pairs } from "../../../../adapters/page/dom.ts";
import { amountOf, clock, spentOf } from "../../../../adapters/page/format.ts";
import { say } from "../../../../adapters/page/words.ts";

export const open = async (): Promise<void> => {
  const read = await requestHost<BudgetsBody>("GET", "/api/budgets");
  const rows = read.kind === "ok" ? read.data.budgets : [];
  const scope = h("input.field", { name: "scope", value: "day", required: true });
  const amount = h("input.field", { name: "dollars", placeholder: say("none") });
  const set = async () => {
    const most = amountOf(amount.value, "");
    if (Number.isNaN(most))
      return say("Enter dollars a day as a number such as 20 or 0.50. Leave the field empty for no limit.");
    const done = await requestHost("POST", "/api/budgets", { scope: scope.value.trim(), dollars: most });
    if (done.kind !== "ok") return done.message;
    dialog.close();
    await open();
    return null;
  };
  const dialog: HTMLDialogElement = openDialog(
    say("Spent today"),
    pairs(rows.map(row)),
    h("p", read.kind === "ok" ? say("Renews at {time}.", { time: clock(read.data.renewsAt) }) : read.message),
    openForm(
      "form.stack",
      {},
      set,
      labelled(say("Budget of"), scope),
      labelled(say("Dollars a day"), amount),
      h("button", { type: "submit" }, say("Set")),
    ),
    h("button.primary", { onclick: () => dialog.close(), autofocus: true }, say("Close")),
  );
  dialog.ariaLabel = say("Budgets");
};

const row = ({ scope, spentUsd, mostUsd }: BudgetsBody["budgets"][number]) =>
  [h("code", scope), spentOf(spentUsd, mostUsd)] as const;
