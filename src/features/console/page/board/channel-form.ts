/**
 * Form of one channel: repository, work mode, model, approvers, language, budget, instructions. Unchanged
 * fields are not sent.
 */

import type { About, Channel } from "../../render/api-types.ts";
import { LANGUAGES, type Language } from "../../../../i18n/say.ts";
import { requestHost } from "../../../../../adapters/page/api.ts";
import { h, labelled, openForm, toast } from "../../../../../adapters/page/dom.ts";
import {
  amountOf,
  full,
  noAmount,
  person,
  surfaceName,
  typedDollars,
} from "../../../../../adapters/page/format.ts";
import { say } from "../../../../../adapters/page/words.ts";

export type ChannelForm = ReturnType<typeof channelForm>;

/** `one`: the current channel; null for a channel without overrides. */
export const channelForm = (
  one: Channel | null,
  about: Pick<About, "modes" | "models">,
  again: () => void,
) => {
  const fields = fieldsOf(one, about);
  const surfaces = [...EXAMPLES.keys()].map((value) => h("option", { value }, surfaceName(value)));
  const surface = h("select.field", { name: "surface" }, surfaces);
  const place = h("input.field", { name: "place", required: true });
  const showExamples = () => {
    const example = EXAMPLES.get(one?.surface ?? surface.value);
    place.placeholder = example?.place ?? "";
    const approvers = form.elements.namedItem("approvers");
    if (approvers instanceof HTMLInputElement) approvers.placeholder = example?.who ?? "";
  };
  surface.addEventListener("change", showExamples);
  const head = h("h2.line.wrap");
  let name = one === null ? say("another channel") : one.place;
  const call = (called: Channel["called"]) => {
    if (one === null) return;
    if (called?.kind === "named") name = called.name;
    head.replaceChildren(...heading(one, called));
    form.setAttribute("aria-label", `${name} ${surfaceName(one.surface)} ${one.place}`);
  };
  const save = async () => {
    const body = bodyOf(one, fields, new FormData(form));
    if (typeof body === "string") return body;
    const answer = await requestHost("POST", "/api/channels", body);
    if (answer.kind !== "ok") return answer.message;
    toast(say("Saved for {channel}.", { channel: one === null ? body.place : name }));
    again();
    return null;
  };
  const form: HTMLFormElement = openForm(
    "form.panel.channel",
    { "aria-label": name },
    save,
    one === null ? [labelled(say("Platform"), surface), labelled(say("Channel id"), place)] : head,
    fields.map(fieldView),
    setBy(one),
    h("button.small", { type: "submit" }, say("Save")),
  );
  showExamples();
  call(one?.called ?? null);
  return { one, form, call };
};

type Known = readonly { readonly key: string; readonly name: string }[];

/**
 * `sent`: converts the typed text to the value that is sent; null if the field is sent separately. `hint`:
 * placeholder, or the choices.
 */
type Field = readonly [
  name: string,
  label: string,
  was: string,
  sent: ((typed: string) => string | null | readonly string[]) | null,
  hint: string | Known,
];

const fieldsOf = (
  one: Channel | null,
  { modes, models }: Pick<About, "modes" | "models">,
): readonly Field[] => [
  ["repo", say("Repository"), one?.repo ?? "", whole, say("owner/name, or several with commas")],
  ["mode", say("Work mode"), one?.mode ?? "", orUsual, modes],
  ["model", say("Model"), one?.model ?? "", orUsual, models.map((key) => ({ key, name: key }))],
  ["language", say("Language"), one?.language ?? "", orUsual, LANGUAGES.map(languageChoice)],
  ["approvers", say("Approvers"), listed(one?.approvers), words, ""],
  ["servers", say("MCP servers"), listed(one?.servers), words, say("names")],
  ["knowledge", say("Knowledge"), listed(one?.knowledge), words, "issues, https://docs.example.com/"],
  ["review", say("Review channel"), one?.review ?? "", orUsual, REVIEW],
  ["budget", say("Dollars a day"), budgetText(one), null, say("usual")],
  [LONG, say("Instructions"), one?.instructions?.text ?? "", whole, TOLD],
];

const LONG = "instructions";
const REVIEW = say("a channel's id; leave empty to post without review");
const TOLD = say("Instructions for every new conversation here");

const listed = (all: readonly string[] = []) => all.join(", ");
const whole = (typed: string) => typed;
const orUsual = (typed: string) => (typed === "" ? null : typed);
const words = (typed: string) => typed.split(/[\s,]+/).filter((part) => part !== "");

const fieldView = ([name, label, was, , hint]: Field) => {
  if (typeof hint !== "string") return labelled(label, choiceOf(name, hint, was));
  return name === LONG
    ? labelled(label, h("textarea.field", { name, rows: "3", placeholder: hint }, was), "label.stack.wide")
    : labelled(label, h("input.field", { name, value: was, placeholder: hint }));
};

/** A stored value that is no longer available stays in the list. */
const choiceOf = (name: string, known: Known, was: string) => {
  const isKnown = was === "" || known.some(({ key }) => key === was);
  const all = [{ key: "", name: say("usual") }, ...(isKnown ? [] : [{ key: was, name: was }]), ...known];
  const options = all.map(({ key, name: called }) =>
    h("option", { value: key, selected: key === was }, called),
  );
  return h("select.field", { name }, options);
};

/** Name of a language in that language. */
const languageChoice = (key: Language) => {
  const names = new Intl.DisplayNames(key, { type: "language" });
  return { key, name: names.of(key === "zh" ? "zh-Hans" : key) ?? key };
};

const EXAMPLES = new Map([
  ["slack", { place: "C0123456789", who: say("ids, such as {id}", { id: "U024BE7LH" }) }],
  ["discord", { place: "812345678901234567", who: say("ids, such as {id}", { id: "80351110224678912" }) }],
]);

/** The name followed by the id; without a name, the id followed by the reason. */
const heading = ({ surface, place }: Channel, called: Channel["called"]): readonly Node[] => {
  const [platform, id] = [surfaceName(surface), h("code", place)];
  if (called?.kind === "named") {
    const where = [platform, ...(called.note === null ? [] : [say.stored(called.note)])].join(" · ");
    return [
      h("span.channel-name", { title: `${platform} ${place}` }, called.name),
      h("span.soft", `${where} · `, id),
    ];
  }
  const alone = [id, h("span.soft", platform)];
  if (called === null) return alone;
  return called.kind === "gone"
    ? [...alone, h("p.soft.channel-gone", say.stored(called.why))]
    : [...alone, h("span.soft", say("name not known: {why}", { why: say.stored(called.why) }))];
};

const setBy = (one: Channel | null) => {
  const told = one?.instructions ?? null;
  return told === null
    ? null
    : h("p.soft", say("Instructions set by {by}, {when}.", { by: person(told.by), when: full(told.at) }));
};

const budgetText = (one: Channel | null): string => {
  if (one?.budgetUsd === undefined) return "";
  return one.budgetUsd === null ? "none" : typedDollars(one.budgetUsd);
};

/** The changed fields, or a sentence if the typed budget is not an amount. */
const bodyOf = (one: Channel | null, fields: readonly Field[], form: FormData) => {
  const typed = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const budget = typed("budget").replace("$", "").trim();
  const isUsual = budget === "" || budget === budgetText(one);
  const budgetUsd = isUsual ? null : amountOf(budget);
  if (Number.isNaN(budgetUsd)) return noAmount(20);
  const changed = fields.flatMap(([name, , was, sent]) => {
    const now = sent?.(typed(name));
    return JSON.stringify(now) === JSON.stringify(sent?.(was)) ? [] : [[name, now] as const];
  });
  return {
    surface: one?.surface ?? typed("surface"),
    place: one?.place ?? typed("place"),
    ...Object.fromEntries(changed),
    ...(isUsual ? {} : { budgetUsd }),
  };
};
