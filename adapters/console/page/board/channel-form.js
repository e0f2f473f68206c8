/** One channel's form: repository, work mode, approvers, budget, instructions. What was not touched is not sent. */

import { request } from "../api.js";
import { h, toast } from "../dom.js";
import { dollars, full, person, SURFACES } from "../thread/format.js";

/** `one`: the channel as it is; null for one that has nothing of its own yet. `call` shows what people call it. */
export const channelForm = (one, modes, again) => {
  const surface = h(
    "select",
    { name: "surface", class: "field" },
    Object.keys(EXAMPLES).map((value) => h("option", { value }, SURFACES[value])),
  );
  const fields = {
    surface,
    place: h("input", { name: "place", class: "field", placeholder: "C0123456789", required: true }),
    repo: h("input", {
      name: "repo",
      class: "field",
      value: one?.repo ?? "",
      placeholder: "owner/name",
    }),
    mode: h(
      "select",
      { name: "mode", class: "field" },
      h("option", { value: "" }, "usual"),
      modes.map(({ key, name }) => h("option", { value: key, selected: key === one?.mode }, name)),
    ),
    approvers: h("input", {
      name: "approvers",
      class: "field",
      value: one?.approvers.join(", ") ?? "",
      placeholder: EXAMPLES[one?.surface ?? "slack"].who,
    }),
    budget: h("input", { name: "budget", class: "field", value: budgetText(one), placeholder: "usual" }),
    instructions: h("textarea", {
      name: "instructions",
      class: "field",
      rows: "3",
      placeholder: "What every conversation that begins here is told",
    }),
  };
  fields.instructions.value = one?.instructions?.text ?? "";
  surface.addEventListener("change", () => {
    fields.place.placeholder = EXAMPLES[surface.value].place;
    fields.approvers.placeholder = EXAMPLES[surface.value].who;
  });
  const told = h("p", { role: "status" });
  const head = h("h2", {});
  let name = one === null ? "another channel" : one.place;
  const call = (called) => {
    if (called?.kind === "named") name = called.name;
    head.replaceChildren(...heading(one, called));
    form.setAttribute("aria-label", `${name} ${SURFACES[one.surface]} ${one.place}`);
  };
  const save = async (event) => {
    event.preventDefault();
    const body = bodyOf(one, fields);
    if (typeof body === "string") {
      told.textContent = body;
      return;
    }
    const answer = await request("POST", "/api/channels", body);
    if (answer.kind !== "ok") {
      told.textContent = answer.message;
      return;
    }
    toast(`Saved for ${one === null ? body.place : name}.`);
    again();
  };
  const form = h(
    "form",
    { class: "channel", "aria-label": name, onsubmit: (event) => void save(event) },
    one === null ? [labelled("Platform", surface), labelled("Channel id", fields.place)] : head,
    labelled("Repository", fields.repo),
    labelled("Work mode", fields.mode),
    labelled("Approvers", fields.approvers),
    labelled("Dollars a day", fields.budget),
    labelled("Instructions", fields.instructions, "wide"),
    setBy(one),
    h("button", { type: "submit", class: "small" }, "Save"),
    told,
  );
  if (one !== null) call(one.called);
  return { one, form, call };
};

const EXAMPLES = {
  slack: { place: "C0123456789", who: "ids, such as U024BE7LH" },
  discord: { place: "812345678901234567", who: "ids, such as 80351110224678912" },
};

/** The name, with the id behind it; the id alone where there is no name (yet), and why. */
const heading = ({ surface, place }, called) => {
  const [platform, id] = [SURFACES[surface] ?? surface, h("code", {}, place)];
  if (called?.kind === "named") {
    const where = [platform, ...(called.note === null ? [] : [called.note])].join(" · ");
    return [
      h("span", { class: "channel-name", title: `${platform} ${place}` }, called.name),
      h("span", { class: "channel-where" }, `${where} · `, id),
    ];
  }
  const why = called === null || called === undefined ? null : WHY[called.kind](called.why);
  return [id, h("span", { class: "channel-where" }, platform), ...(why === null ? [] : [why])];
};

const WHY = {
  gone: (why) => h("p", { class: "channel-gone" }, why),
  unread: (why) => h("span", { class: "channel-where" }, `name not known: ${why}`),
};

const setBy = (one) => {
  const told = one?.instructions ?? null;
  return told === null
    ? null
    : h("p", { class: "channel-where" }, `Instructions set by ${person(told.by)}, ${full(told.at)}.`);
};

const labelled = (text, control, look) => h("label", { class: look ?? null }, h("span", {}, text), control);

const budgetText = (one) => {
  if (one?.budgetUsd === undefined) return "";
  return one.budgetUsd === null ? "none" : dollars(one.budgetUsd).slice(1);
};

/** What differs from what there is; a sentence where the budget is no amount. */
const bodyOf = (one, { surface, place, repo, mode, approvers, budget, instructions }) => {
  const where = one ?? { surface: surface.value, place: place.value.trim() };
  const named = approvers.value.split(/[\s,]+/).filter((part) => part !== "");
  const typed = budget.value.replace("$", "").trim();
  const amount = typed === "none" ? null : Number(typed);
  if (Number.isNaN(amount)) return "Dollars a day are a number such as 20 or 0.50, or none for no bound.";
  return {
    surface: where.surface,
    place: where.place,
    ...(repo.value.trim() === (one?.repo ?? "") ? {} : { repo: repo.value.trim() }),
    ...(mode.value === (one?.mode ?? "") ? {} : { mode: mode.value === "" ? null : mode.value }),
    ...(named.join() === (one?.approvers ?? []).join() ? {} : { approvers: named }),
    ...(typed === budgetText(one) || typed === "" ? {} : { budgetUsd: amount }),
    ...(instructions.value.trim() === (one?.instructions?.text ?? "")
      ? {}
      : { instructions: instructions.value }),
  };
};
