/** One channel's form: repository, work mode, approvers, budget, instructions. What was not touched is not sent. */

import type { About, Channel } from "../../render/api-types.ts";
import { request } from "../api.ts";
import { h, openForm, toast } from "../dom.ts";
import { dollars, full, person, surfaceName } from "../thread/format.ts";

export interface ChannelForm {
  readonly one: Channel | null;
  readonly form: HTMLFormElement;
  /** Shows what people call it. */
  call(called: Channel["called"]): void;
}

/** `one`: the channel as it is; null for one that has nothing of its own yet. */
export const channelForm = (one: Channel | null, modes: About["modes"], again: () => void): ChannelForm => {
  const surface = h(
    "select.field",
    { name: "surface" },
    [...EXAMPLES.keys()].map((value) => h("option", { value }, surfaceName(value))),
  );
  const fields: Fields = {
    surface,
    place: h("input.field", { name: "place", required: true }),
    repo: h("input.field", { name: "repo", value: one?.repo ?? "", placeholder: "owner/name" }),
    mode: h(
      "select.field",
      { name: "mode" },
      h("option", { value: "" }, "usual"),
      modes.map(({ key, name }) => h("option", { value: key, selected: key === one?.mode }, name)),
    ),
    approvers: h("input.field", { name: "approvers", value: one?.approvers.join(", ") ?? "" }),
    budget: h("input.field", { name: "budget", value: budgetText(one), placeholder: "usual" }),
    instructions: h("textarea.field", {
      name: "instructions",
      rows: "3",
      placeholder: "What every conversation that begins here is told",
    }),
  };
  fields.instructions.value = one?.instructions?.text ?? "";
  const showExamples = () => {
    const example = EXAMPLES.get(one?.surface ?? surface.value);
    fields.place.placeholder = example?.place ?? "";
    fields.approvers.placeholder = example?.who ?? "";
  };
  surface.addEventListener("change", showExamples);
  showExamples();
  const head = h("h2.line.wrap");
  let name = one === null ? "another channel" : one.place;
  const call = (called: Channel["called"]) => {
    if (one === null) return;
    if (called?.kind === "named") name = called.name;
    head.replaceChildren(...heading(one, called));
    form.setAttribute("aria-label", `${name} ${surfaceName(one.surface)} ${one.place}`);
  };
  const save = async () => {
    const body = bodyOf(one, fields);
    if (typeof body === "string") return body;
    const answer = await request("POST", "/api/channels", body);
    if (answer.kind !== "ok") return answer.message;
    toast(`Saved for ${one === null ? body.place : name}.`);
    again();
    return null;
  };
  const form = openForm(
    "form.panel.channel",
    { "aria-label": name },
    save,
    one === null ? [labelled("Platform", surface), labelled("Channel id", fields.place)] : head,
    labelled("Repository", fields.repo),
    labelled("Work mode", fields.mode),
    labelled("Approvers", fields.approvers),
    labelled("Dollars a day", fields.budget),
    labelled("Instructions", fields.instructions, "label.stack.wide"),
    setBy(one),
    h("button.small", { type: "submit" }, "Save"),
  );
  call(one?.called ?? null);
  return { one, form, call };
};

const EXAMPLES = new Map([
  ["slack", { place: "C0123456789", who: "ids, such as U024BE7LH" }],
  ["discord", { place: "812345678901234567", who: "ids, such as 80351110224678912" }],
]);

/** The name, with the id behind it; the id alone where there is no name (yet), and why. */
const heading = ({ surface, place }: Channel, called: Channel["called"]): readonly Node[] => {
  const [platform, id] = [surfaceName(surface), h("code", place)];
  if (called?.kind === "named") {
    const where = [platform, ...(called.note === null ? [] : [called.note])].join(" · ");
    return [
      h("span.channel-name", { title: `${platform} ${place}` }, called.name),
      h("span.soft", `${where} · `, id),
    ];
  }
  const alone = [id, h("span.soft", platform)];
  if (called === null) return alone;
  return called.kind === "gone"
    ? [...alone, h("p.soft.channel-gone", called.why)]
    : [...alone, h("span.soft", `name not known: ${called.why}`)];
};

const setBy = (one: Channel | null) => {
  const told = one?.instructions ?? null;
  return told === null ? null : h("p.soft", `Instructions set by ${person(told.by)}, ${full(told.at)}.`);
};

const labelled = (text: string, control: Node, tag: "label.stack" | "label.stack.wide" = "label.stack") =>
  h(tag, h("span", text), control);

const budgetText = (one: Channel | null): string => {
  if (one?.budgetUsd === undefined) return "";
  return one.budgetUsd === null ? "none" : dollars(one.budgetUsd).slice(1);
};

interface Fields {
  readonly surface: HTMLSelectElement;
  readonly mode: HTMLSelectElement;
  readonly place: HTMLInputElement;
  readonly repo: HTMLInputElement;
  readonly approvers: HTMLInputElement;
  readonly budget: HTMLInputElement;
  readonly instructions: HTMLTextAreaElement;
}

/** What differs from what there is; a sentence where the budget is no amount. */
const bodyOf = (one: Channel | null, fields: Fields) => {
  const { surface, place, repo, mode, approvers, budget, instructions } = fields;
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
