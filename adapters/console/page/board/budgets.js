/** What was spent on the model today, by whose money it is, and a way to set how much may be. */

import * as api from "../api.js";
import { h } from "../dom.js";
import { clock, dollars } from "../thread/format.js";

export const showBudgets = async () => {
  const read = await api.budgets();
  const close = () => dialog.close();
  const told = h("p", { role: "status" }, read.kind === "ok" ? "" : read.message);
  const rows = read.kind === "ok" ? read.data.budgets : [];
  const scope = h("input", { name: "scope", value: "day", "aria-label": "Whose", required: true });
  const amount = h("input", { name: "dollars", placeholder: "none", "aria-label": "Dollars a day" });
  const set = async (event) => {
    event.preventDefault();
    const most = amountOf(amount.value);
    if (Number.isNaN(most)) {
      told.textContent = "Dollars a day are a number such as 20 or 0.50. Leave it empty for no bound.";
      return;
    }
    const done = await api.setBudget(scope.value.trim(), most);
    if (done.kind !== "ok") told.textContent = done.message;
    else {
      close();
      await showBudgets();
    }
  };
  const dialog = h(
    "dialog",
    { class: "help-box", "aria-label": "Budgets", onclose: () => dialog.remove() },
    h("h2", {}, "Spent today"),
    h("dl", {}, rows.map(row)),
    read.kind === "ok" ? h("p", {}, `Renews at ${clock(read.data.renewsAt)}.`) : null,
    h(
      "form",
      { onsubmit: (event) => void set(event) },
      scope,
      amount,
      h("button", { type: "submit" }, "Set"),
    ),
    told,
    h("button", { type: "button", class: "primary", onclick: close, autofocus: true }, "Close"),
  );
  document.body.append(dialog);
  dialog.showModal();
};

/** Null: no bound; NaN for what is no amount, which must not become none. */
const amountOf = (text) => {
  const digits = text.replace("$", "").trim();
  return digits === "" ? null : Number(digits);
};

const row = ({ scope, spentUsd, mostUsd }) =>
  h(
    "div",
    {},
    h("dt", {}, h("code", {}, scope)),
    h("dd", {}, mostUsd === null ? dollars(spentUsd) : `${dollars(spentUsd)} of ${dollars(mostUsd)}`),
  );
