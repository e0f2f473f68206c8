/** One channel's form: repository, work mode, model, approvers, language, budget, instructions. What was not touched is not sent. */

import type { About, Channel } from "../../render/api-types.ts";
import { LANGUAGES, type Language } from "../../../../src/words/say.ts";
import { request } from "../api.ts";
import { h, openForm, toast } from "../dom.ts";
import { full, person, surfaceName, typedDollars } from "../thread/format.ts";
import { say } from "../words.ts";

export interface ChannelForm {
  readonly one: Channel | null;
  readonly form: HTMLFormElement;
  call(called: Channel["called"]): void;
}

/** `one`: the channel as it is; null for one that has nothing of its own yet. */
export const channelForm = (
  one: Channel | null,
  { modes, models }: Pick<About, "modes" | "models">,
  again: () => void,
): ChannelForm => {
  const surface = h(
    "select.field",
    { name: "surface" },
    [...EXAMPLES.keys()].map((value) => h("option", { value }, surfaceName(value))),
  );
  const place = h("input.field", { name: "place", required: true });
  const approvers = h("input.field", { name: "approvers", value: one?.approvers.join(", ") ?? "" });
  const mode = choiceOf("mode", modes, one?.mode);
  const model = choiceOf(
    "model",
    models.map((key) => ({ key, name: key })),
    one?.model,
  );
  const language = choiceOf(
    "language",
    LANGUAGES.map((key) => ({ key, name: ownName(key) })),
    one?.language,
  );
  const hint = say("What every conversation that begins here is told");
  const instructions = h(
    "textarea.field",
    { name: "instructions", rows: "3", placeholder: hint },
    one?.instructions?.text ?? "",
  );
  const showExamples = () => {
    const example = EXAMPLES.get(one?.surface ?? surface.value);
    place.placeholder = example?.place ?? "";
    approvers.placeholder = example?.who ?? "";
  };
  surface.addEventListener("change", showExamples);
  showExamples();
  const head = h("h2.line.wrap");
  let name = one === null ? say("another channel") : one.place;
  const call = (called: Channel["called"]) => {
    if (one === null) return;
    if (called?.kind === "named") name = called.name;
    head.replaceChildren(...heading(one, called));
    form.setAttribute("aria-label", `${name} ${surfaceName(one.surface)} ${one.place}`);
  };
  const save = async () => {
    const body = bodyOf(one, new FormData(form));
    if (typeof body === "string") return body;
    const answer = await request("POST", "/api/channels", body);
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
    field("repo", say("Repository"), one?.repo, say("owner/name, or several with commas")),
    labelled(say("Work mode"), mode),
    labelled(say("Model"), model),
    labelled(say("Language"), language),
    labelled(say("Approvers"), approvers),
    field("servers", say("MCP servers"), one?.servers.join(", "), say("names")),
    field("knowledge", say("Knowledge"), one?.knowledge.join(", "), "issues, https://docs.example.com/"),
    field(
      "review",
      say("Answers are looked at in"),
      one?.review,
      say("a channel's id; empty: posted as they come"),
    ),
    field("budget", say("Dollars a day"), budgetText(one), say("usual")),
    labelled(say("Instructions"), instructions, "label.stack.wide"),
    setBy(one),
    h("button.small", { type: "submit" }, say("Save")),
  );
  call(one?.called ?? null);
  return { one, form, call };
};

/** What is set and not known any more stands there, too. */
const choiceOf = (
  name: "mode" | "model" | "language",
  known: readonly { readonly key: string; readonly name: string }[],
  set: string | null = null,
) => {
  const isKnown = set === null || known.some(({ key }) => key === set);
  const all = isKnown ? known : [{ key: set, name: set }, ...known];
  return h(
    "select.field",
    { name },
    h("option", { value: "" }, say("usual")),
    all.map(({ key, name: called }) => h("option", { value: key, selected: key === set }, called)),
  );
};

/** A language as those call it who speak it. */
const ownName = (language: Language): string =>
  new Intl.DisplayNames(language, { type: "language" }).of(language === "zh" ? "zh-Hans" : language) ??
  language;

const EXAMPLES = new Map([
  ["slack", { place: "C0123456789", who: say("ids, such as {id}", { id: "U024BE7LH" }) }],
  ["discord", { place: "812345678901234567", who: say("ids, such as {id}", { id: "80351110224678912" }) }],
]);

/** The name, with the id behind it; the id alone where there is no name (yet), and why. */
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

const labelled = (text: string, control: Node, tag: "label.stack" | "label.stack.wide" = "label.stack") =>
  h(tag, h("span", text), control);

const field = (name: string, text: string, value: string | null | undefined, placeholder: string) =>
  labelled(text, h("input.field", { name, value: value ?? "", placeholder }));

const budgetText = (one: Channel | null): string => {
  if (one?.budgetUsd === undefined) return "";
  return one.budgetUsd === null ? "none" : typedDollars(one.budgetUsd);
};

/** What differs from what there is; a sentence where the budget is no amount. */
const bodyOf = (one: Channel | null, fields: FormData) => {
  const typed = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const [repo, mode, model, told] = [typed("repo"), typed("mode"), typed("model"), typed("instructions")];
  const [language, review] = [typed("language"), typed("review")];
  const words = (name: string) =>
    typed(name)
      .split(/[\s,]+/)
      .filter((part) => part !== "");
  const [approvers, servers, knowledge] = [words("approvers"), words("servers"), words("knowledge")];
  const budget = typed("budget").replace("$", "").trim();
  const amount = budget === "none" ? null : Number(budget);
  if (Number.isNaN(amount))
    return say("Dollars a day are a number such as {example} or 0.50, or none for no bound.", {
      example: 20,
    });
  return {
    surface: one?.surface ?? typed("surface"),
    place: one?.place ?? typed("place"),
    ...(repo === (one?.repo ?? "") ? {} : { repo }),
    ...(mode === (one?.mode ?? "") ? {} : { mode: mode === "" ? null : mode }),
    ...(model === (one?.model ?? "") ? {} : { model: model === "" ? null : model }),
    ...(language === (one?.language ?? "") ? {} : { language: language === "" ? null : language }),
    ...(approvers.join() === (one?.approvers ?? []).join() ? {} : { approvers }),
    ...(servers.join() === (one?.servers ?? []).join() ? {} : { servers }),
    ...(knowledge.join() === (one?.knowledge ?? []).join() ? {} : { knowledge }),
    ...(review === (one?.review ?? "") ? {} : { review: review === "" ? null : review }),
    ...(budget === budgetText(one) || budget === "" ? {} : { budgetUsd: amount }),
    ...(told === (one?.instructions?.text ?? "") ? {} : { instructions: told }),
  };
};
