/** All conversations of every surface, newest first, and a search in their texts. */

import type { SearchHit, SearchPage, ConversationSummary } from "../../render/api-types.ts";
import { type HostAnswer, requestHost } from "../../../../../adapters/page/api.ts";
import { h } from "../../../../../adapters/page/dom.ts";
import { requestConversations, POSTS_A_PAGE } from "../api/requests.ts";
import type { Label } from "../../../../i18n/say.ts";
import {
  ago,
  dollarText,
  full,
  personNameOf,
  shortRepo,
  surfaceName,
} from "../../../../../adapters/page/format.ts";
import { say } from "../../../../../adapters/page/words.ts";

const PAUSE = 200;

interface Page {
  readonly all: readonly Found[];
  readonly next: { readonly label: string; readonly load: Load } | null;
}

type Load = () => Promise<HostAnswer<Page>>;

interface Found {
  readonly id: string;
  make(): HTMLElement;
  /** Adds the match to the list item of the conversation. */
  readonly addTo?: (item: HTMLElement) => void;
}

export const searchView = (typed: string): HTMLElement => {
  const field = h("input.field", {
    type: "search",
    value: typed,
    "aria-label": say("Search"),
    placeholder: say("Search titles, messages and answers"),
    autocomplete: "off",
    oninput: () => soon(),
  });
  const listing = h("ol.stack.found");
  const told = h("p.fine", { role: "status" });
  const more = h("button.ghost", { hidden: true, onclick: () => void (next === null || show(next.load)) });
  const items = new Map<string, HTMLElement>();
  let next: Page["next"] = null;
  let asked = 0;
  let timer: number | undefined;

  const first = () => {
    const text = field.value.trim();
    void show(text === "" ? () => conversations(null, false) : () => hits(text, null), true);
  };

  /** Shows a page of results, unless a newer request was made in the meantime. */
  const show = async (load: Load, fresh = false) => {
    const no = ++asked;
    const answer = await load();
    if (no !== asked) return;
    if (answer.kind !== "ok") {
      told.textContent = answer.message;
      return;
    }
    if (fresh) {
      items.clear();
      listing.replaceChildren();
    }
    for (const one of answer.data.all) place(one);
    next = answer.data.next;
    more.hidden = next === null;
    more.textContent = next?.label ?? "";
    const none = field.value.trim() === "" ? NONE : say("Nothing found.");
    told.textContent = listing.childElementCount === 0 ? none : "";
  };

  const place = ({ id, make, addTo }: Found) => {
    const item = items.get(id) ?? make();
    if (!items.has(id)) listing.append(item);
    items.set(id, item);
    addTo?.(item);
  };

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = field.value.trim();
      history.replaceState(null, "", text === "" ? "#/search" : `#/search?q=${encodeURIComponent(text)}`);
      first();
    }, PAUSE);
  };

  first();
  requestAnimationFrame(() => field.focus());
  return h("div.stack.board", h("h1", say("All conversations")), field, told, listing, more);
};

const NONE = say("No conversations yet, or all of them are archived.");

/** Archived conversations are listed after all others. */
const conversations = async (before: string | null, archived: boolean): Promise<HostAnswer<Page>> => {
  const answer = await requestConversations(before, archived);
  if (answer.kind !== "ok") return answer;
  const all = answer.data.conversations;
  const last = all.at(-1);
  const older = all.length < POSTS_A_PAGE || last === undefined ? null : last.id;
  const behind = archived ? null : { label: say("Show archived"), load: () => conversations(null, true) };
  const next =
    older === null ? behind : { label: say("Show older"), load: () => conversations(older, archived) };
  return { kind: "ok", data: { all: all.map((one) => ({ id: one.id, make: () => listed(one) })), next } };
};

const hits = async (text: string, before: number | null): Promise<HostAnswer<Page>> => {
  const answer = await find(text, before);
  if (answer.kind !== "ok") return answer;
  const { hits: all, next } = answer.data;
  const found = all.map((hit) => ({
    id: hit.conversation,
    make: () => item(hit.conversation, hit, hit.archived ? [say("archived")] : []),
    addTo: (to: HTMLElement) => addHit(to, hit),
  }));
  const older = next === null ? null : { label: say("Show older"), load: () => hits(text, next) };
  return { kind: "ok", data: { all: found, next: older } };
};

const listed = (one: ConversationSummary) => {
  const phase = PHASES[one.phase];
  return item(one.id, one, [
    ...(one.archived === true ? [say("archived")] : []),
    ...(phase === undefined ? [] : [say(phase)]),
    shortRepo(one.repo),
    say(one.permission),
    dollarText(one.usage.costUsd),
  ]);
};

/** Marks a match in the title itself; quotes any other match below the title. */
const addHit = (to: HTMLElement, { of, snippet, title }: SearchHit) => {
  const marked = snippet.map(({ text, match }) => (match ? h("mark", text) : text));
  const whole = snippet.map(({ text }) => text).join("");
  if (of === "title" && whole === title) to.querySelector("a")?.replaceChildren(...marked);
  else to.append(h("p.snippet", h("span.muted", `${say(of === "said" ? "message" : of)}: `), marked));
};

const item = (
  id: string,
  one: Pick<ConversationSummary, "title" | "surface" | "updatedAt">,
  facts: readonly string[],
) =>
  h(
    "li",
    h("a", { href: `#/c/${id}` }, personNameOf(one)),
    h(
      "p.soft",
      [surfaceName(one.surface), ...facts].filter((fact) => fact !== "").join(" · "),
      " · ",
      h("time", { title: full(one.updatedAt) }, ago(one.updatedAt)),
    ),
  );

const PHASES: { readonly [K in ConversationSummary["phase"]]?: Label } = {
  awaitingApproval: "waits for a decision",
  awaitingAgents: "working",
  thinking: "working",
  running: "working",
  stopping: "stopping",
  summarizing: "summarizing",
  failed: "failed",
  ended: "ended",
  exhausted: "exhausted",
};

/** `before`: `next` of the previous page. */
const find = (text: string, before: number | null) => {
  const from = before === null ? "" : `&before=${before}`;
  const path = `/api/search?q=${encodeURIComponent(text)}${from}`;
  return requestHost<SearchPage>("GET", path, undefined, LONG_PATIENCE);
};

/** Milliseconds. After an update, the host may have to index all earlier texts before it answers. */
const LONG_PATIENCE = 600_000;
