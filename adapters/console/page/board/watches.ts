/** What begins threads by itself in chat channels: each watch with its bounds and what it began lately, and a form for another. */

import type { Watching } from "../../render/api-types.ts";
import { request } from "../api.ts";
import { h, openForm, pairs, toast } from "../dom.ts";
import { ago, dollars, full, person, spentOf, surfaceName } from "../thread/format.ts";
import { watchForm } from "./watch-form.ts";

export const watchesView = (): HTMLElement => {
  const root = h("section.stack.board", { "aria-label": "Watches" });
  void fill(root);
  return root;
};

const fill = async (root: HTMLElement): Promise<void> => {
  const read = await request<{ readonly watches: readonly Watching[] }>("GET", "/api/watches");
  if (read.kind !== "ok") {
    root.replaceChildren(h("h1", "Watches"), h("p", { role: "alert" }, read.message));
    return;
  }
  const again = () => void fill(root);
  root.replaceChildren(
    h("h1", "Watches"),
    h(
      "p.muted",
      "A watch begins a thread in its channel for each event that it hears. Nobody asked for such a thread, so the agent only reads there until somebody writes in it.",
    ),
    ...read.data.watches.map((one) => panel(one, again)),
    ...(read.data.watches.length === 0 ? [h("p", "There are none yet.")] : []),
    h("h2", "Another watch"),
    watchForm(again),
  );
};

const panel = (one: Watching, again: () => void): HTMLElement => {
  const told = h("p", { role: "status" });
  const act = async (method: "PATCH" | "DELETE", done: string, body?: object): Promise<void> => {
    const answer = await request(method, `/api/watches/${encodeURIComponent(one.id)}`, body);
    if (answer.kind !== "ok") {
      told.textContent = answer.message;
      return;
    }
    toast(done);
    again();
  };
  const isOn = one.standing.kind === "on";
  return h(
    "div.panel.stack",
    { role: "group", "aria-label": one.id },
    h("h2.line.wrap", one.id, h("span.soft", `${surfaceName(one.surface)} · `, h("code", one.place))),
    pairs([
      ["Hears", heard(one)],
      ["Is", standing(one)],
      one.next === null ? null : ["Next", full(one.next)],
      ["Spent today", spentOf(one.spentUsd, one.budgetUsd)],
      one.instructions === null ? null : ["Is told", one.instructions],
      one.lately.length === 0 ? null : ["Lately", ...one.lately.map(matter)],
    ]),
    bounds(one, (body) => act("PATCH", `${one.id} has its bounds.`, body)),
    h(
      "div.line",
      h(
        "button.small",
        {
          onclick: () =>
            act("PATCH", `${one.id} ${isOn ? "is paused" : "goes on"}.`, {
              standing: isOn ? "paused" : "on",
            }),
        },
        isOn ? "Pause" : "Resume",
      ),
      h("button.small.danger", { onclick: () => act("DELETE", `${one.id} is removed.`) }, "Remove"),
    ),
    told,
  );
};

const heard = ({ source }: Watching): string => {
  switch (source.kind) {
    case "schedule":
      return `${source.spoken}: ${source.text}`;
    case "hook":
      return "signed webhooks";
    case "posts":
      return `posts of the app ${source.app}`;
    case "forge":
      return `${source.forge === "github" ? "GitHub" : "GitLab"}: ${source.hears.join(", ")}`;
  }
};

const standing = ({ standing: is, waiting, held }: Watching): string => {
  const queue = waiting === 0 ? "" : `, ${waiting} waiting`;
  const bound = held === null ? "" : ` for its bound ${held === "hour" ? "by the hour" : "by the day"}`;
  switch (is.kind) {
    case "on":
      return `on${queue}${bound}`;
    case "paused":
      return `paused by ${person(is.by)}${queue}`;
    case "off":
      return `off after three failures in a row: ${is.why}`;
  }
};

const matter = ({ conversation, title, count, last }: Watching["lately"][number]): HTMLElement =>
  h(
    "span",
    h("a", { href: `#/c/${conversation}` }, title),
    h("span.soft", ` ${count === 1 ? "" : `${count} times, `}${ago(last)}`),
  );

const bounds = (one: Watching, set: (body: object) => Promise<void>): HTMLElement => {
  const perHour = h("input.field", { inputmode: "numeric", value: String(one.perHour) });
  const usual = one.budgetUsd === null ? "none" : dollars(one.budgetUsd).slice(1);
  const budget = h("input.field", { value: usual });
  const save = async (): Promise<string | null> => {
    const amount =
      budget.value.trim() === "none" ? null : Number(budget.value.replace("$", "").trim() || NaN);
    if (Number.isNaN(amount)) return "Dollars a day are a number such as 2 or 0.50, or none for no bound.";
    await set({ perHour: Number(perHour.value), budgetUsd: amount });
    return null;
  };
  return openForm(
    "form.line.wrap",
    { "aria-label": `Bounds of ${one.id}` },
    save,
    h("label.stack", h("span", "Threads an hour"), perHour),
    h("label.stack", h("span", "Dollars a day"), budget),
    h("button.small", { type: "submit" }, "Set"),
  );
};
