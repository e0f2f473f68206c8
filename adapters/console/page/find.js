/** All conversations of every surface, newest first, and a search in what was said. */

import * as api from "./api.js";
import { h } from "./dom.js";
import { ago, dollars, full, shortRepo } from "./format.js";

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
  const older = () => void show(oldest);
  const more = h("button", { type: "button", class: "ghost", hidden: true, onclick: older }, "Show older");
  let oldest = null;
  let asked = 0;
  let timer = null;

  /** Shows a page of whatever is asked for, unless something else was asked meanwhile. */
  const show = async (before) => {
    const no = ++asked;
    const text = field.value.trim();
    const answer = await (text === "" ? conversations(before) : hits(text, before));
    if (no !== asked) return;
    if (answer.kind !== "ok") {
      told.textContent = answer.message;
      return;
    }
    const { rows, next } = answer;
    if (before === undefined) listing.replaceChildren();
    listing.append(...rows);
    told.textContent =
      listing.childElementCount === 0 ? (text === "" ? "No conversations yet." : "Nothing found.") : "";
    more.hidden = next === null;
    oldest = next;
  };

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = field.value.trim();
      history.replaceState(null, "", text === "" ? "#/search" : `#/search?q=${encodeURIComponent(text)}`);
      void show();
    }, PAUSE);
  };

  void show();
  requestAnimationFrame(() => field.focus());
  return h("div", { class: "board" }, h("h1", {}, "All conversations"), field, told, listing, more);
};

const conversations = async (before) => {
  const answer = await api.list(before);
  if (answer.kind !== "ok") return answer;
  const all = answer.data.conversations;
  return { kind: "ok", rows: all.map(conversationRow), next: all.length < 50 ? null : all.at(-1).id };
};

const hits = async (text, before) => {
  const answer = await api.search(text, before);
  if (answer.kind !== "ok") return answer;
  return { kind: "ok", rows: answer.data.hits.map(hitRow), next: answer.data.next };
};

const conversationRow = (one) =>
  row(one.id, one, [
    PHASES[one.phase] ?? one.phase,
    shortRepo(one.repo),
    one.permission,
    dollars(one.usage.costUsd),
  ]);

const hitRow = (hit) =>
  row(
    hit.conversation,
    hit,
    [OF[hit.of] ?? hit.of, ...(hit.archived ? ["archived"] : [])],
    h(
      "p",
      { class: "snippet" },
      hit.snippet.map(({ text, match }) => (match ? h("mark", {}, text) : text)),
    ),
  );

const row = (id, { title, surface, updatedAt }, facts, below = null) =>
  h(
    "li",
    {},
    h("a", { href: `#/c/${id}` }, title === "" ? "New conversation" : title),
    h(
      "p",
      { class: "where" },
      [surface, ...facts].filter((fact) => fact !== "").join(" · "),
      " · ",
      h("time", { title: full(updatedAt) }, ago(updatedAt)),
    ),
    below,
  );

const OF = { title: "title", said: "message", answer: "answer" };

const PHASES = {
  idle: "",
  awaitingApproval: "waits for a decision",
  awaitingAgents: "working",
  thinking: "working",
  running: "working",
};
