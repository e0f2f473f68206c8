/** List of conversations, newest first, with a mark on each conversation that waits for a person. */

import type { About, ConversationSummary } from "../render/api-types.ts";
import { requestConversations, POSTS_A_PAGE } from "./api/requests.ts";
import { byId, h, icon, redraw } from "../../../../adapters/page/dom.ts";
import { ago, full, personNameOf, shortRepo } from "../../../../adapters/page/format.ts";
import { boards } from "./board/boards.ts";
import { entryMenu } from "./board/manage.ts";
import { say } from "../../../../adapters/page/words.ts";
import type { Label } from "../../../i18n/say.ts";

const EVERY = 5_000;

interface SidebarActions {
  fresh(): void;
  help(): void;
  gone(id: string): void;
}

export const createSidebar = (actions: SidebarActions) => {
  const root = byId("sidebar");
  const listing = h("ol.list");
  const more = h("button.ghost.more", { hidden: true, onclick: () => void older() }, say("Show older"));
  const shelf = h(
    "button.ghost.more",
    { "aria-pressed": "false", onclick: () => void turn() },
    say("Archived"),
  );
  const foot = h("div.line.wrap.fine.side-foot");
  const known = new Map<string, ConversationSummary>();
  /** Whether the list contains archived conversations instead of current ones. */
  let archived = false;
  /**
   * Ids of conversations that changed after the list was requested; the page's version is newer than the
   * response.
   */
  const told = new Set<string>();
  let current: string | null = null;

  root.append(
    h(
      "div.line.side-head",
      h("span.wordmark", "Parley"),
      h(
        "button.new",
        { onclick: actions.fresh, title: say("New conversation (Alt+N)") },
        icon("plus"),
        say("New"),
      ),
    ),
    listing,
    more,
    shelf,
    foot,
  );

  const newest = () => [...known.values()].toSorted((a, b) => b.createdAt - a.createdAt);

  const draw = () => {
    const focused = document.activeElement?.getAttribute("href") ?? "";
    const none = h("li.soft.none", archived ? say("Nothing is archived.") : say("No conversations yet."));
    redraw(listing, known.size === 0 ? none : newest().map(entry));
    if (focused !== "" && !listing.contains(document.activeElement)) {
      listing.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
    }
  };

  const entry = (one: ConversationSummary) =>
    h(
      "li",
      h(
        "a",
        {
          href: `#/c/${one.id}`,
          class: one.id === current ? "entry here" : "entry",
          "aria-current": one.id === current ? "page" : null,
        },
        h("span.cut.entry-title", personNameOf(one)),
        h(
          "span.line.fine.entry-more",
          mark(one.phase),
          h("span.cut.entry-repo", shortRepo(one.repo)),
          h("time", { title: full(one.updatedAt) }, ago(one.updatedAt)),
        ),
      ),
      entryMenu(one, { changed: put, gone: leave }),
    );

  const put = (summary: ConversationSummary) => {
    if (known.get(summary.id) === summary) return;
    told.add(summary.id);
    if ((summary.archived === true) === archived) known.set(summary.id, summary);
    else known.delete(summary.id);
    draw();
  };

  const leave = (id: string) => {
    told.add(id);
    known.delete(id);
    draw();
    actions.gone(id);
  };

  const refresh = async () => {
    const shown = archived;
    told.clear();
    const answer = await requestConversations(null, shown);
    if (answer.kind !== "ok" || shown !== archived) return;
    const { conversations } = answer.data;
    const gone = unnamed([...known.values()], conversations);
    for (const { id } of gone) if (!told.has(id)) known.delete(id);
    for (const one of conversations) if (!told.has(one.id)) known.set(one.id, one);
    if (more.hidden) more.hidden = conversations.length < POSTS_A_PAGE || known.size > POSTS_A_PAGE;
    draw();
  };

  const turn = async () => {
    archived = !archived;
    shelf.setAttribute("aria-pressed", String(archived));
    shelf.textContent = archived ? say("Back to the list") : say("Archived");
    known.clear();
    more.hidden = true;
    draw();
    await refresh();
  };

  const older = async () => {
    const last = [...known.values()].toSorted((a, b) => a.updatedAt - b.updatedAt)[0];
    const answer = await requestConversations(last?.id ?? null, archived);
    if (answer.kind !== "ok") return;
    for (const one of answer.data.conversations) known.set(one.id, one);
    more.hidden = answer.data.conversations.length < POSTS_A_PAGE;
    draw();
  };

  const look = () => {
    if (document.visibilityState === "visible") void refresh();
  };
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);

  const meet = (id: string) => {
    if (!archived && !known.has(id)) void refresh();
  };

  return {
    refresh,
    select: (id: string | null) => {
      current = id;
      draw();
    },
    update: (summary: ConversationSummary) => {
      const { continuedTo } = summary;
      put(summary);
      if (continuedTo !== undefined) meet(continuedTo);
    },
    /** Adds a thread that the page has just received, because the thread may be newer than the list. */
    meet,
    /** Id of the conversation that is `step` places away from the current one. */
    neighbour: (step: number) => {
      const ids = newest().map(({ id }) => id);
      return ids[(current === null ? -1 : ids.indexOf(current)) + step] ?? null;
    },
    setAbout: ({ version, sandbox }: About) => {
      const held =
        sandbox.notice === null
          ? say("Sandbox {tier}, Landlock {abi}", { tier: sandbox.tier, abi: sandbox.abi })
          : say("No sandbox");
      foot.replaceChildren(
        h("span", { title: sandbox.notice ?? say("The kernel enforces Restricted") }, held),
        h("a", { href: "#/search" }, say("Search")),
        h("a", { href: "#/channels" }, say("Channels")),
        ...boards.map(({ name, title }) => h("a", { href: `#/${name}` }, say.stored(title))),
        h("a", { href: "#/status", title: version }, say("Status")),
        h(
          "button.ghost",
          {
            onclick: actions.help,
            "aria-label": say("Keyboard shortcuts"),
            title: say("Keyboard shortcuts (?)"),
          },
          "?",
        ),
      );
    },
  };
};

const MARKS: { readonly [K in ConversationSummary["phase"]]?: readonly [kind: string, text: Label] } = {
  awaitingApproval: ["asks", "waits for your decision"],
  failed: ["bad", "failed"],
  thinking: ["works", "working"],
  running: ["works", "working"],
  stopping: ["works", "stopping"],
  summarizing: ["works", "writing a summary"],
};

const mark = (phase: ConversationSummary["phase"]) => {
  const found = MARKS[phase];
  if (found === undefined) return null;
  const [kind, label] = found;
  const text = say(label);
  return h("span", { class: `mark ${kind}`, role: "img", "aria-label": text, title: text });
};

/** Conversations that the response should contain but does not, because they are no longer in the list. */
const unnamed = (shown: readonly ConversationSummary[], conversations: readonly ConversationSummary[]) => {
  const names = new Set(conversations.map(({ id }) => id));
  const reach =
    conversations.length < POSTS_A_PAGE ? -Infinity : (conversations.at(-1)?.updatedAt ?? -Infinity);
  return shown.filter(({ id, updatedAt }) => updatedAt > reach && !names.has(id));
};
