import type { Watching } from "../watching.ts";
import { requestHost } from "../../../../adapters/page/api.ts";
import { type Child, h, labelled, openForm, pairs, toast } from "../../../../adapters/page/dom.ts";
import { createBoard } from "../../../../adapters/page/board.ts";
import {
  ago,
  amountOf,
  full,
  noAmount,
  number,
  person,
  spentOf,
  surfaceName,
  typedDollars,
} from "../../../../adapters/page/format.ts";
import { say } from "../../../../adapters/page/words.ts";
import { emojiText } from "../../../text/emoji.ts";
import { looksOf } from "./looks.ts";
import { watchForm } from "./watch-form.ts";

export const board = (): HTMLElement => createBoard({ title: say("Watches"), read, parts }).view;

interface Read {
  readonly watches: readonly Watching[];
}

const read = () => requestHost<Read>("GET", "/api/watches");

const parts = ({ watches }: Read, again: () => void): readonly Child[] => [
  h(
    "p.muted",
    say(
      "A watch starts a thread in its channel for each matching event. Nobody asked for such a thread, so the agent only reads there until a person writes in the thread.",
    ),
  ),
  ...watches.map((one) => panel(one, again)),
  watches.length === 0 ? h("p", say("There are no watches yet.")) : null,
  h("h2", say("Another watch")),
  watchForm(again),
];

const panel = (one: Watching, again: () => void): HTMLElement => {
  const told = h("p", { role: "status" });
  const act = async (method: "PATCH" | "DELETE", done: string, body?: object): Promise<void> => {
    const answer = await requestHost(method, `/api/watches/${encodeURIComponent(one.id)}`, body);
    told.textContent = answer.kind === "ok" ? null : answer.message;
    if (answer.kind !== "ok") return;
    toast(done);
    again();
  };
  const isOn = one.standing.kind === "on";
  return h(
    "div.panel.stack",
    { role: "group", "aria-label": one.id },
    h("h2.line.wrap", one.id, h("span.soft", `${surfaceName(one.surface)} · `, h("code", one.place))),
    pairs([
      [say("Receives"), heard(one)],
      [say("Status"), standing(one)],
      one.next === null ? null : [say("Next"), full(one.next)],
      [say("Spent today"), spentOf(one.spentUsd, one.budgetUsd)],
      one.instructions === null ? null : [say("Instructions"), one.instructions],
      one.lately.length === 0 ? null : [say("Recent threads"), ...one.lately.map(matter)],
    ]),
    bounds(one, (body) => act("PATCH", say("The limits of {watch} are saved.", { watch: one.id }), body)),
    h(
      "div.line",
      h(
        "button.small",
        {
          onclick: () =>
            act("PATCH", say(isOn ? "{watch} is paused." : "{watch} is resumed.", { watch: one.id }), {
              standing: isOn ? "paused" : "on",
            }),
        },
        say(isOn ? "Pause" : "Resume"),
      ),
      h(
        "button.small.danger",
        { onclick: () => act("DELETE", say("{watch} is removed.", { watch: one.id })) },
        say("Remove"),
      ),
    ),
    told,
    one.source.kind === "people" ? looksOf(one.id) : null,
  );
};

const heard = ({ source }: Watching): string => {
  switch (source.kind) {
    case "schedule":
      return `${source.spoken}: ${source.text}`;
    case "hook":
      return say("signed webhooks");
    case "posts":
      return say("posts of the app {app}", { app: source.app });
    case "people":
      return say("posts of people");
    case "emoji":
      return say("the emoji {emoji}", { emoji: emojiText(source.emoji) });
    case "forge":
      return `${source.forge === "github" ? "GitHub" : "GitLab"}: ${source.hears.join(", ")}`;
  }
};

const standing = ({ standing: is, waiting, held }: Watching): string => {
  const queue = waiting === 0 ? "" : `, ${say("{count} waiting", { count: number(waiting) })}`;
  const bound =
    held === null ? "" : ` ${say(held === "hour" ? "for its hourly limit" : "for its daily budget")}`;
  switch (is.kind) {
    case "on":
      return `${say("on")}${queue}${bound}`;
    case "paused":
      return `${say("paused by {by}", { by: person(is.by) })}${queue}`;
    case "off":
      return say("off after three failures in a row: {why}", { why: is.why });
  }
};

const matter = ({ conversation, title, count, last }: Watching["lately"][number]): HTMLElement =>
  h(
    "span",
    h("a", { href: `#/c/${conversation}` }, title),
    h("span.soft", ` ${count === 1 ? "" : say("{count} times, ", { count: number(count) })}${ago(last)}`),
  );

const bounds = (one: Watching, set: (body: object) => Promise<void>): HTMLElement => {
  const perHour = h("input.field", { inputmode: "numeric", value: String(one.perHour) });
  const usual = one.budgetUsd === null ? "none" : typedDollars(one.budgetUsd);
  const budget = h("input.field", { value: usual });
  const save = async (): Promise<string | null> => {
    const amount = amountOf(budget.value);
    if (Number.isNaN(amount)) return noAmount(2);
    await set({ perHour: Number(perHour.value), budgetUsd: amount });
    return null;
  };
  return openForm(
    "form.line.wrap",
    { "aria-label": say("Limits of {watch}", { watch: one.id }) },
    save,
    labelled(say("Threads an hour"), perHour),
    labelled(say("Dollars a day"), budget),
    h("button.small", { type: "submit" }, say("Set")),
  );
};
