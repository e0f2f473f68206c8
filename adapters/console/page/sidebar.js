/** The list of conversations, newest first, with what waits for a person marked. */

import * as api from "./api.js";
import { byId, h, icon, redraw } from "./dom.js";
import { ago, full, shortRepo } from "./format.js";

const EVERY = 5_000;

/** `actions`: `open(id)`, `fresh()`, `help()`. */
export const createSidebar = (actions) => {
  const root = byId("sidebar");
  const listing = h("ol", { class: "list" });
  const more = h(
    "button",
    { type: "button", class: "ghost more", hidden: true, onclick: () => void older() },
    "Show older",
  );
  const foot = h("div", { class: "side-foot" });
  let known = new Map();
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
    foot,
  );

  const draw = () => {
    const sorted = [...known.values()].toSorted((a, b) => b.createdAt - a.createdAt);
    const shows = sorted.map(({ id, title, phase, updatedAt }) => [
      id,
      title,
      phase,
      ago(updatedAt),
      id === current,
    ]);
    const focused = document.activeElement?.getAttribute("href") ?? "";
    redraw(listing, shows, () =>
      sorted.length === 0 ? h("li", { class: "none" }, "No conversations yet.") : sorted.map(entry),
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
    );

  const refresh = async () => {
    const answer = await api.list();
    if (answer.kind !== "ok") return;
    for (const one of answer.data.conversations) known.set(one.id, one);
    if (more.hidden) more.hidden = answer.data.conversations.length < 50 || known.size > 50;
    draw();
  };

  const older = async () => {
    const last = [...known.values()].toSorted((a, b) => a.createdAt - b.createdAt)[0];
    const answer = await api.list(last.id);
    if (answer.kind !== "ok") return;
    for (const one of answer.data.conversations) known.set(one.id, one);
    more.hidden = answer.data.conversations.length < 50;
    draw();
  };

  setInterval(() => {
    if (document.visibilityState === "visible") void refresh();
  }, EVERY);

  return {
    refresh,
    select: (id) => {
      current = id;
      draw();
    },
    update: (summary) => {
      known = new Map(known).set(summary.id, summary);
      draw();
    },
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
        h("span", {}, version),
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
