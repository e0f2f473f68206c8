import type { Watching } from "../watching.ts";
import { requestHost } from "../../../../adapters/page/api.ts";
import { each, h, labelled, openForm, toast } from "../../../../adapters/page/dom.ts";
import type { Label } from "../../../i18n/say.ts";
import { surfaceName } from "../../../../adapters/page/format.ts";
import { say } from "../../../../adapters/page/words.ts";

type Kind = "every" | "hook" | "posts" | "people" | "emoji" | "github" | "gitlab";

const HEARD = "issues, pulls, reviews, checks, mentions, follow";

const KINDS: readonly {
  readonly kind: Kind;
  readonly name: Label;
  readonly asks: Label;
  readonly example: string;
}[] = [
  { kind: "every", name: "At set times", asks: "When", example: "weekday 09:00 Europe/Berlin" },
  { kind: "hook", name: "Signed webhooks", asks: "Name", example: "alerts" },
  { kind: "posts", name: "Posts of an app", asks: "App id", example: "A0123456789" },
  { kind: "emoji", name: "An emoji on a message", asks: "Emoji", example: ":mag:" },
  {
    kind: "people",
    name: "Posts of people",
    asks: "Options",
    example: "only questions hours 9-17 Europe/Berlin",
  },
  { kind: "github", name: "GitHub", asks: "Receives", example: HEARD },
  { kind: "gitlab", name: "GitLab", asks: "Receives", example: HEARD },
];

export const watchForm = (again: () => void): HTMLFormElement => {
  const surface = each("select.field", ["slack", "discord"], (value) =>
    h("option", { value }, surfaceName(value)),
  );
  const place = h("input.field", { required: true });
  const kind = each("select.field", KINDS, ({ kind: value, name }) => h("option", { value }, say(name)));
  const asks = new Text();
  const own = h("input.field", { required: true });
  const show = (): void => {
    const chosen = KINDS.find((one) => one.kind === kind.value);
    asks.textContent = chosen === undefined ? "" : say(chosen.asks);
    own.placeholder = chosen?.example ?? "";
    own.required = chosen?.kind !== "people";
  };
  kind.addEventListener("change", show);
  show();
  const instructions = h("textarea.field", {
    rows: "3",
    placeholder: say("Task for the agent when an event arrives"),
  });
  const add = async (): Promise<string | null> => {
    const answer = await requestHost<{ readonly watch: Watching }>("POST", "/api/watches", {
      surface: surface.value,
      place: place.value.trim(),
      ...sourceOf(kind.value, own.value.trim(), instructions.value.trim()),
    });
    if (answer.kind !== "ok") return answer.message;
    toast(say("{watch} is on.", { watch: answer.data.watch.id }));
    again();
    return null;
  };
  return openForm(
    "form.panel.channel",
    { "aria-label": say("another watch") },
    add,
    labelled(say("Platform"), surface),
    labelled(say("Channel id"), place),
    labelled(say("Trigger"), kind),
    labelled(asks, own),
    labelled(say("What to do"), instructions, "label.stack.wide"),
    h("button.small", { type: "submit" }, say("Switch on")),
  );
};

const sourceOf = (kind: string, own: string, told: string): object => {
  if (kind === "every") return { every: `${own}: ${told}` };
  const instructions = told === "" ? {} : { instructions: told };
  if (kind === "posts") return { posts: { app: own }, ...instructions };
  if (kind === "emoji") return { emoji: own, ...instructions };
  if (kind === "people") return { people: own, ...instructions };
  return kind === "hook"
    ? { hook: {}, name: own, ...instructions }
    : { forge: { forge: kind, hears: own.split(/[\s,]+/).filter((word) => word !== "") }, ...instructions };
};
