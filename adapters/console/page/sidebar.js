/** The list of conversations, newest first, with what waits for a person marked. */

import * as api from "./api.js";
import { byId, h, icon, redraw } from "./dom.js";
import { ago, full, shortRepo } from "./thread/format.js";
import { menuButton } from "./board/manage.js";

const EVERY = 5_000;
const PAGE = 50;

/** `actions`: `fresh()`, `help()`, `gone(id)` (it has left the list). */
export const createSidebar = (actions) => {
  const root = byId("sidebar");
  const listing = h("ol", { class: "list" });
  const more = h(
    "button",
    { type: "button", class: "ghost more", hidden: true, onclick: () => void older() },
    "Show older",
  );
  const shelf = h(
    "button",
    { type: "button", class: "ghost more", "aria-pressed": "false", onclick: () => void turn() },
    "Archived",
  );
  const foot = h("div", { class: "side-foot" });
  let known = new Map();
  /** Whether the archived ones are shown in the place of the others. */
  let archived = false;
  /** Told by the page itself since the list was asked for: newer than the answer. */
  const told = new Set();
  let current = null;

  root.append(
    h(
      "div",
      { class: "side-head" },
      h("span", { class: "wordmark" }, "Parley"),
      h(
        "button",
        { type: "button", class: "new", onclick: actions.fresh, title: "New conversation (Alt+N)" },
        icon("plus"),
        "New",
      ),
    ),
    listing,
    more,
    shelf,
    foot,
  );

  const draw = () => {
    const sorted = [...known.values()].toSorted((a, b) => b.createdAt - a.createdAt);
    const entries = sorted.map(({ id, title, phase, updatedAt }) => [
      id,
      title,
      phase,
      ago(updatedAt),
      id === current,
    ]);
    const shows = [archived, ...entries];
    const focused = document.activeElement?.getAttribute("href") ?? "";
    redraw(listing, shows, () =>
      sorted.length === 0
        ? h("li", { class: "none" }, archived ? "Nothing is archived." : "No conversations yet.")
        : sorted.map(entry),
    );
    if (focused !== "" && !listing.contains(document.activeElement)) {
      listing.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
    }
  };

  const entry = (one) =>
    h(
      "li",
      {},
      h(
        "a",
        {
          href: `#/c/${one.id}`,
          class: one.id === current ? "entry here" : "entry",
          "aria-current": one.id === current ? "page" : null,
        },
        h("span", { class: "entry-title" }, one.title === "" ? "New conversation" : one.title),
        h(
          "span",
          { class: "entry-more" },
          mark(one.phase),
          h("span", { class: "entry-repo" }, shortRepo(one.repo)),
          h("time", { title: full(one.updatedAt) }, ago(one.updatedAt)),
        ),
      ),
      menuButton(one, { changed: put, gone: leave }),
    );

  const put = (summary) => {
    told.add(summary.id);
    if ((summary.archived === true) === archived) known.set(summary.id, summary);
    else known.delete(summary.id);
    draw();
  };

  const leave = (id) => {
    told.add(id);
    known.delete(id);
    draw();
    actions.gone(id);
  };

  const refresh = async () => {
    const shown = archived;
    told.clear();
    const answer = await api.list(undefined, shown);
    if (answer.kind !== "ok" || shown !== archived) return;
    const { conversations } = answer.data;
    const gone = unnamed([...known.values()], conversations);
    for (const { id } of gone) if (!told.has(id)) known.delete(id);
    for (const one of conversations) if (!told.has(one.id)) known.set(one.id, one);
    if (more.hidden) more.hidden = conversations.length < PAGE || known.size > PAGE;
    draw();
  };

  const turn = async () => {
    archived = !archived;
    shelf.setAttribute("aria-pressed", String(archived));
    shelf.textContent = archived ? "Back to the list" : "Archived";
    known = new Map();
    more.hidden = true;
    draw();
    await refresh();
  };

  const older = async () => {
    const last = [...known.values()].toSorted((a, b) => a.updatedAt - b.updatedAt)[0];
    const answer = await api.list(last.id, archived);
    if (answer.kind !== "ok") return;
    for (const one of answer.data.conversations) known.set(one.id, one);
    more.hidden = answer.data.conversations.length < PAGE;
    draw();
  };

  const look = () => {
    if (document.visibilityState === "visible") void refresh();
  };
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);

  const meet = (id) => {
    if (!archived && !known.has(id)) void refresh();
  };

  return {
    refresh,
    select: (id) => {
      current = id;
      draw();
    },
    update: (summary) => {
      const { continuedTo } = summary;
      put(summary);
      if (continuedTo !== undefined) meet(continuedTo);
    },
    /** A thread that somebody was just told of: it may be newer than the list. */
    meet,
    /** The conversation `step` places from the current one. */
    neighbour: (step) => {
      const ids = [...known.values()].toSorted((a, b) => b.createdAt - a.createdAt).map(({ id }) => id);
      return ids[ids.indexOf(current) + step] ?? null;
    },
    setAbout: ({ version, sandbox }) => {
      const held =
        sandbox.notice === null ? `Sandbox ${sandbox.tier}, Landlock ${sandbox.abi}` : "No sandbox";
      foot.replaceChildren(
        h("span", { title: sandbox.notice ?? "Restricted is held by the kernel" }, held),
        h("a", { href: "#/search" }, "Search"),
        h("a", { href: "#/channels" }, "Channels"),
        h("a", { href: "#/status", title: version }, "Status"),
        h(
          "button",
          {
            type: "button",
            class: "ghost",
            onclick: actions.help,
            "aria-label": "Keyboard shortcuts",
            title: "Keyboard shortcuts (?)",
          },
          "?",
        ),
      );
    },
  };
};

const MARKS = {
  awaitingApproval: ["asks", "waits for your decision"],
  failed: ["bad", "failed"],
  thinking: ["works", "working"],
  running: ["works", "working"],
  stopping: ["works", "stopping"],
  summarizing: ["works", "writing a summary"],
};

const mark = (phase) => {
  const [kind, text] = MARKS[phase] ?? [];
  return kind === undefined
    ? null
    : h("span", { class: `mark ${kind}`, role: "img", "aria-label": text, title: text });
};

/** What the answer reaches back to and does not name is not in the list any more. */
const unnamed = (shown, conversations) => {
  const names = new Set(conversations.map(({ id }) => id));
  const reach = conversations.length < PAGE ? -Infinity : conversations.at(-1).updatedAt;
  return shown.filter(({ id, updatedAt }) => updatedAt > reach && !names.has(id));
};
