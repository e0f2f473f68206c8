/** What each chat channel has of its own, and a form that sets it: repository, work mode, approvers, budget. */

import { about, request } from "./api.js";
import { h, toast } from "./dom.js";
import { dollars } from "./format.js";

export const channelsView = () => {
  const root = h("section", { class: "board", "aria-label": "Channels" }, h("h1", {}, "Channels"));
  void fill(root);
  return root;
};

const fill = async (root) => {
  const [read, told] = await Promise.all([request("GET", "/api/channels"), about()]);
  if (read.kind !== "ok" || told.kind !== "ok") {
    root.append(h("p", { role: "alert" }, read.kind === "ok" ? told.message : read.message));
    return;
  }
  const again = () => {
    root.replaceChildren(h("h1", {}, "Channels"));
    void fill(root);
  };
  const { modes } = told.data;
  const { channels } = read.data;
  root.append(
    h(
      "p",
      { class: "channels-note" },
      "New conversations of a channel take its repository and work mode. Whoever it names approves in its threads, beside those of PARLEY_APPROVERS.",
    ),
    ...channels.map((one) => form(one, modes, again)),
    h("h2", {}, "Another channel"),
    form(null, modes, again),
  );
};

/** `one`: the channel as it is; null for one that has nothing of its own yet. */
const form = (one, modes, again) => {
  const surface = h(
    "select",
    { name: "surface", "aria-label": "Platform" },
    ["slack", "discord"].map((name) => h("option", { value: name }, name)),
  );
  const place = h("input", { name: "place", class: "field", placeholder: "C0123456789", required: true });
  const repo = h("input", {
    name: "repo",
    class: "field",
    value: one?.repo ?? "",
    placeholder: "owner/name",
  });
  const mode = h(
    "select",
    { name: "mode", "aria-label": "Work mode of new conversations" },
    h("option", { value: "" }, "usual"),
    modes.map(({ key, name }) => h("option", { value: key, selected: key === one?.mode }, name)),
  );
  const approvers = h("input", {
    name: "approvers",
    class: "field",
    value: one?.approvers.join(", ") ?? "",
    placeholder: "U024BE7LH, group:S0614TZR7",
  });
  const budget = h("input", { name: "budget", class: "field", value: budgetText(one), placeholder: "usual" });
  const told = h("p", { role: "status" });
  const save = async (event) => {
    event.preventDefault();
    const body = bodyOf(one, { surface, place, repo, mode, approvers, budget });
    if (typeof body === "string") {
      told.textContent = body;
      return;
    }
    const answer = await request("POST", "/api/channels", body);
    if (answer.kind !== "ok") {
      told.textContent = answer.message;
      return;
    }
    toast(`Saved for ${body.surface} ${body.place}.`);
    again();
  };
  const name = one === null ? "another channel" : `${one.surface} ${one.place}`;
  return h(
    "form",
    { class: "channel", "aria-label": name, onsubmit: (event) => void save(event) },
    one === null
      ? [labelled("Platform", surface), labelled("Channel id", place)]
      : h("h2", {}, h("code", {}, name)),
    labelled("Repository", repo),
    labelled("Work mode", mode),
    labelled("Approvers", approvers),
    labelled("Dollars a day", budget),
    h("button", { type: "submit", class: "small" }, "Save"),
    told,
  );
};

const labelled = (text, control) => h("label", {}, h("span", {}, text), control);

const budgetText = (one) => {
  if (one?.budgetUsd === undefined) return "";
  return one.budgetUsd === null ? "none" : dollars(one.budgetUsd).slice(1);
};

/** What differs from what there is; a sentence where the budget is no amount. */
const bodyOf = (one, { surface, place, repo, mode, approvers, budget }) => {
  const where = one ?? { surface: surface.value, place: place.value.trim() };
  const named = approvers.value.split(/[\s,]+/).filter((part) => part !== "");
  const typed = budget.value.replace("$", "").trim();
  const amount = typed === "none" ? null : Number(typed);
  if (Number.isNaN(amount)) return "Dollars a day are a number such as 20 or 0.50, or none for no bound.";
  return {
    surface: where.surface,
    place: where.place,
    ...(repo.value.trim() === (one?.repo ?? "") ? {} : { repo: repo.value.trim() }),
    mode: mode.value === "" ? null : mode.value,
    approvers: named,
    ...(typed === budgetText(one) || typed === "" ? {} : { budgetUsd: amount }),
  };
};
