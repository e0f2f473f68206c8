/** The page: displays the open conversation and the parts around it. */

import type { About, ConversationSummary } from "../render/api-types.ts";
import { requestHost } from "../../../../adapters/page/api.ts";
import * as api from "./api/requests.ts";
import { createComposer, type TypedMessage } from "./thread/composer.ts";
import { type OpenConversation, openConversation } from "./thread/conversation.ts";
import { byId, h, redraw, toast } from "../../../../adapters/page/dom.ts";
import { personNameOf } from "../../../../adapters/page/format.ts";
import { draft, keepDraft, keepRepo, lastRepo } from "./thread/drafts.ts";
import { listenForKeys, showHelp } from "./help.ts";
import { takeKey } from "../../../../adapters/page/key.ts";
import { createSidebar } from "./sidebar.ts";
import { headView, menuButton, modeControls, statusView, usageView } from "./board/status.ts";
import type { PostScene } from "./thread/posts.ts";
import { createThreadView } from "./thread/thread.ts";
import { showView } from "./board/views.ts";
import { repoField, welcomeView } from "./welcome.ts";
import { say } from "../../../../adapters/page/words.ts";

byId("unstarted").remove();
const app = byId("app");
const statusSlot = h("div.status-slot");
const usageSlot = h("div.line-part");
const modeSlot = h("div.line-part");
let about: About | null = null;
let open: OpenConversation | null = null;
let repo = "";
let first: TypedMessage | null = null;

const composer = createComposer(
  (message) => (open === null ? void begin(message) : open.send(message)),
  () => about?.limits ?? { images: 8, imageBytes: 10_485_760, fileBytes: 26_214_400 },
);

const scene = (): PostScene => ({
  question: open?.question ?? null,
  act: (body) => open?.act(body) ?? Promise.resolve(false),
  decide: async (question, choice, text) => {
    await open?.decide(question, choice, text);
    composer.focus();
  },
  ask: (text) => open?.ask(text),
});
const thread = createThreadView(scene, () => open?.showEarlier());

const fresh = () => {
  location.hash = "#/";
  composer.focus();
};

const sidebar = createSidebar({
  fresh,
  help: showHelp,
  gone: (id) => {
    if (open?.id === id) fresh();
  },
});

byId("dock").append(statusSlot, composer.form, h("div.line.wrap.fine.mode-line", usageSlot, modeSlot));

const showList = (shown: boolean) => app.classList.toggle("listing", shown);
const openList = () => {
  showList(true);
  byId("sidebar").querySelector<HTMLElement>("button, a")?.focus();
};

const draw = () => {
  const conversation = open;
  const state = conversation?.state ?? null;
  if (conversation === null || state === null) {
    redraw(byId("head"), h("div.line.head-row", menuButton(openList)));
    byId("head").classList.toggle("bare", conversation === null);
    for (const slot of [statusSlot, usageSlot, modeSlot]) redraw(slot, null);
    document.title = "Parley";
    return;
  }
  const { act, stop, progress, since } = conversation;
  byId("head").classList.remove("bare");
  redraw(byId("head"), headView(state, openList, act));
  redraw(statusSlot, statusView(state, progress, since, stop));
  redraw(usageSlot, usageView(state));
  redraw(modeSlot, modeControls(state, about, act));
  const waits = state.phase === "awaitingApproval" ? "(!) " : conversation.working() ? "(…) " : "";
  document.title = `${waits}${personNameOf(state)} – Parley`;
  sidebar.update(state);
  tick();
};

const tick = () => {
  for (const shown of document.querySelectorAll<HTMLElement>("[data-since]")) {
    const past = Math.floor((Date.now() - Number(shown.dataset.since)) / 1_000);
    shown.textContent = past < 2 ? "" : say("{count} s", { count: past });
  }
};
setInterval(tick, 1_000);

/** The browser's print command alone would print only the loaded posts. */
const printAll = async () => {
  await open?.showAll();
  window.print();
};

let lost: number | undefined;

/** Reports a lost connection after a delay, because a short gap does not matter. */
const connected = (yes: boolean) => {
  clearTimeout(lost);
  const bar = byId("connection");
  if (yes) {
    bar.hidden = true;
    if (about === null) void readAbout();
    return;
  }
  lost = setTimeout(() => void sayLost(bar), 800);
};

const sayLost = async (bar: HTMLElement) => {
  bar.textContent = say("Connection lost. Reconnecting…");
  bar.hidden = false;
  const answer = await api.requestHostFacts();
  if (answer.kind === "refused" && answer.status === 404)
    bar.textContent = say("This conversation no longer exists.");
};

const route = () => {
  const id = /^#\/c\/(c-[\w-]+)$/.exec(location.hash)?.[1] ?? null;
  open?.close();
  open = null;
  showList(false);
  connected(true);
  sidebar.select(id);
  composer.open(id ?? "new", draft(id ?? "new"));
  if (id === null) {
    welcome();
  } else {
    thread.reset([], false);
    open = openConversation(id, { thread, composer, changed: draw, connected, met: sidebar.meet });
    if (first !== null) open.send(first);
    first = null;
  }
  draw();
  showView(thread);
};

const welcome = () => {
  repo = repo === "" ? (lastRepo() === "" ? (about?.defaultRepo ?? "") : lastRepo()) : repo;
  const field = repoField(repo, (value) => {
    repo = value.trim();
  });
  thread.show(
    welcomeView(about, field, (idea) => {
      composer.open("new", idea);
      keepDraft("new", idea);
      composer.focus();
    }),
  );
};

const begin = async (message: TypedMessage) => {
  const made = await requestHost<ConversationSummary>(
    "POST",
    "/api/conversations",
    repo === "" ? {} : { repo },
  );
  if (made.kind !== "ok") {
    composer.giveBack(message);
    toast(say.stored(made.message));
    return;
  }
  keepRepo(repo === about?.defaultRepo ? "" : repo);
  sidebar.update(made.data);
  first = message;
  location.hash = `#/c/${made.data.id}`;
};

const readAbout = async () => {
  const answer = await api.requestHostFacts();
  if (answer.kind !== "ok") return;
  about = answer.data;
  sidebar.setAbout(about);
  if (open === null && !showView(thread)) welcome();
};

listenForKeys({
  print: () => void printAll(),
  stop: () => (open?.working() ? open.stop() : showList(false)),
  focus: composer.focus,
  fresh,
  step: (by) => {
    const id = sidebar.neighbour(by);
    if (id !== null) location.hash = `#/c/${id}`;
  },
});
byId("skip").textContent = say("Skip to the message field");
byId("sidebar").ariaLabel = say("Conversations");
byId("thread").ariaLabel = say("Thread");
byId("skip").addEventListener("click", composer.focus);
byId("veil").addEventListener("click", () => showList(false));

await takeKey();
// Routing must wait for the key: without a key, opening a conversation leads to the sign-in page.
window.addEventListener("hashchange", route);
await readAbout();
route();
void sidebar.refresh();
if (window.matchMedia("(hover: hover)").matches) composer.focus();
