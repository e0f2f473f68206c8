/** All conversations of every surface, newest first, and a search in what was said. */

import * as api from "../api.js";
import { h } from "../dom.js";
import { ago, dollars, full, shortRepo, SURFACES } from "../thread/format.js";

const PAUSE = 200;

export const searchView = (typed) => {
  const field = h("input", {
    class: "field",
    type: "search",
    value: typed,
    "aria-label": "Search",
    placeholder: "Search titles, messages and answers",
    autocomplete: "off",
    oninput: () => soon(),
  });
  const listing = h("ol", { class: "found" });
  const told = h("p", { class: "help", role: "status" });
  const further = () => void show(next);
  const more = h("button", { type: "button", class: "ghost", hidden: true, onclick: further });
  /** By conversation: what is found in one stands together. */
  let items = new Map();
  let next = null;
  let asked = 0;
  let timer = null;

  /** Shows a page of whatever is asked for, unless something else was asked meanwhile. */
  const show = async (from) => {
    const no = ++asked;
    const text = field.value.trim();
    const answer = await (text === "" ? conversations(from) : hits(text, from));
    if (no !== asked) return;
    if (answer.kind !== "ok") {
      told.textContent = answer.message;
      return;
    }
    if (from === FIRST) {
      items = new Map();
      listing.replaceChildren();
    }
    for (const one of answer.all) place(one);
    next = answer.next;
    more.hidden = next === null;
    more.textContent = next?.archived === true && next.before === undefined ? "Show archived" : "Show older";
    told.textContent = listing.childElementCount === 0 ? (text === "" ? NONE : "Nothing found.") : "";
  };

  const place = ({ id, make, found }) => {
    const item = items.get(id) ?? make();
    if (!items.has(id)) listing.append(item);
    items.set(id, item);
    found?.(item);
  };

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = field.value.trim();
      history.replaceState(null, "", text === "" ? "#/search" : `#/search?q=${encodeURIComponent(text)}`);
      void show(FIRST);
    }, PAUSE);
  };

  void show(FIRST);
  requestAnimationFrame(() => field.focus());
  return h("div", { class: "board" }, h("h1", {}, "All conversations"), field, told, listing, more);
};

const FIRST = {};
const NONE = "No conversations yet, or all of them are archived.";

/** Those that are archived come behind all others. */
const conversations = async ({ before, archived = false }) => {
  const answer = await api.list(before, archived);
  if (answer.kind !== "ok") return answer;
  const all = answer.data.conversations;
  const behind = archived ? null : { archived: true };
  return {
    kind: "ok",
    all: all.map((one) => ({ id: one.id, make: () => conversationItem(one), found: null })),
    next: all.length < 50 ? behind : { before: all.at(-1).id, archived },
  };
};

const hits = async (text, { before }) => {
  const answer = await api.search(text, before);
  if (answer.kind !== "ok") return answer;
  const { hits: all, next } = answer.data;
  return {
    kind: "ok",
    all: all.map((hit) => ({ id: hit.conversation, make: () => hitItem(hit), found: foundIn(hit) })),
    next: next === null ? null : { before: next },
  };
};

const conversationItem = (one) =>
  item(one.id, one, [
    ...(one.archived === true ? ["archived"] : []),
    PHASES[one.phase] ?? one.phase,
    shortRepo(one.repo),
    one.permission,
    dollars(one.usage.costUsd),
  ]);

const hitItem = (hit) => item(hit.conversation, hit, hit.archived ? ["archived"] : []);

/** A title is marked where it stands; what was said is quoted below. */
const foundIn =
  ({ of, snippet, title }) =>
  (item) => {
    const marked = snippet.map(({ text, match }) => (match ? h("mark", {}, text) : text));
    const whole = snippet.map(({ text }) => text).join("");
    if (of === "title" && whole === title) item.querySelector("a").replaceChildren(...marked);
    else {
      const label = h("span", { class: "snippet-of" }, `${OF[of] ?? of}: `);
      item.append(h("p", { class: "snippet" }, label, marked));
    }
  };

const item = (id, { title, surface, updatedAt }, facts) =>
  h(
    "li",
    {},
    h("a", { href: `#/c/${id}` }, title === "" ? "New conversation" : title),
    h(
      "p",
      { class: "where" },
      [SURFACES[surface] ?? surface, ...facts].filter((fact) => fact !== "").join(" · "),
      " · ",
      h("time", { title: full(updatedAt) }, ago(updatedAt)),
    ),
  );

const OF = { title: "title", said: "message", answer: "answer" };

const PHASES = {
  idle: "",
  awaitingApproval: "waits for a decision",
  awaitingAgents: "working",
  thinking: "working",
  running: "working",
};
