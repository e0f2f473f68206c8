/** The page: which conversation is open, and the parts that show it. */

import * as api from "./api.js";
import { createComposer } from "./thread/composer.js";
import { openConversation } from "./thread/conversation.js";
import { byId, h, redraw, toast } from "./dom.js";
import { draft, keepDraft, keepRepo, lastRepo } from "./thread/drafts.js";
import { listenForKeys, showHelp } from "./help.js";
import { takeKey } from "./key.js";
import { createSidebar } from "./sidebar.js";
import { headView, menuButton, modeControls, statusView, usageView } from "./board/status.js";
import { createThread } from "./thread/thread.js";
import { showView } from "./board/views.js";
import { repoField, welcomeView } from "./welcome.js";

const app = byId("app");
const statusSlot = h("div", { class: "status-slot" });
const usageSlot = h("div", { class: "line-part" });
const modeSlot = h("div", { class: "line-part" });
let about = null;
let open = null;
let repo = "";
/** A message that goes into the conversation just made for it. */
let first = null;

const composer = createComposer(
  {
    send: (message) => (open === null ? void begin(message) : open.send(message)),
    stop: () => open?.stop(),
    stopAndSend: (message) => void open?.stopAndSend(message),
  },
  () => about?.limits ?? { images: 8, imageBytes: 10_485_760 },
);

const thread = createThread(() => ({
  question: open?.question ?? null,
  act: (body) => open?.act(body),
  decide: async (...decision) => {
    await open?.decide(...decision);
    composer.focus();
  },
}));

const sidebar = createSidebar({
  fresh: () => {
    location.hash = "#/";
    composer.focus();
  },
  help: showHelp,
  gone: (id) => {
    if (open?.id !== id) return;
    location.hash = "#/";
    composer.focus();
  },
});

byId("dock").append(
  statusSlot,
  composer.busy,
  composer.form,
  h("div", { class: "mode-line" }, usageSlot, modeSlot),
);

const showList = (shown) => app.classList.toggle("listing", shown);
const openList = () => {
  showList(true);
  byId("sidebar").querySelector("button, a")?.focus();
};

/** Draws what depends on the state; the thread draws itself. */
const draw = () => {
  const state = open?.state ?? null;
  if (state === null) {
    redraw(byId("head"), null, () => h("div", { class: "head-row" }, menuButton(openList)));
    byId("head").classList.toggle("bare", open === null);
    redraw(statusSlot, null, () => null);
    redraw(usageSlot, null, () => null);
    redraw(modeSlot, null, () => null);
    document.title = "Parley";
    return;
  }
  const restrict = () => void open.act({ action: "restrict" });
  const unrestrict = () => void open.act({ action: "mode", choice: "unrestricted" });
  const onward = () => void open.act({ action: "continue" });
  byId("head").classList.remove("bare");
  const { id, title, repo: from, commit, permission, confinement } = state;
  const { phase, status, model, mode, safeMode, context, usage } = state;
  const used = context.used > 0;
  redraw(byId("head"), { id, title, from, commit, permission, confinement, phase, used }, () =>
    headView(state, { open: openList, restrict, unrestrict, onward }),
  );
  redraw(statusSlot, { id, phase, status, progress: open.progress, since: open.since }, () =>
    statusView(state, open.progress, open.since, () => open.stop()),
  );
  redraw(usageSlot, { id, model, context, usage }, () => usageView(state));
  redraw(modeSlot, { id, mode, safeMode, known: about !== null }, () =>
    modeControls(state, about?.modes ?? [], (body) => void open.act(body)),
  );
  const waits = phase === "awaitingApproval" ? "(!) " : open.working() ? "(…) " : "";
  document.title = `${waits}${title === "" ? "New conversation" : title} – Parley`;
  sidebar.update(state);
  tick();
};

const tick = () => {
  for (const shown of document.querySelectorAll("[data-since]")) {
    const past = Math.floor((Date.now() - Number(shown.dataset.since)) / 1_000);
    shown.textContent = past < 2 ? "" : `${past} s`;
  }
};
setInterval(tick, 1_000);

let lost = null;

/** A short gap is nobody's concern; a longer one is said. */
const connected = (yes) => {
  clearTimeout(lost);
  const bar = byId("connection");
  if (yes) {
    bar.hidden = true;
    if (about === null) void readAbout();
    return;
  }
  lost = setTimeout(() => void sayLost(bar), 800);
};

const sayLost = async (bar) => {
  bar.textContent = "Connection lost. Reconnecting…";
  bar.hidden = false;
  const answer = await api.about();
  if (answer.status === 404) bar.textContent = "This conversation is not there any more.";
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
    thread.reset([]);
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

const begin = async (message) => {
  const made = await api.create(repo);
  if (made.kind !== "ok") {
    composer.giveBack(message);
    toast(made.message);
    return;
  }
  keepRepo(repo === about?.defaultRepo ? "" : repo);
  sidebar.update(made.data);
  first = message;
  location.hash = `#/c/${made.data.id}`;
};

const readAbout = async () => {
  const answer = await api.about();
  if (answer.kind !== "ok") return;
  about = answer.data;
  sidebar.setAbout(about);
  if (open === null && !showView(thread)) welcome();
};

listenForKeys({
  stop: () => (open?.working() ? open.stop() : showList(false)),
  focus: composer.focus,
  fresh: () => {
    location.hash = "#/";
    composer.focus();
  },
  step: (by) => {
    const id = sidebar.neighbour(by);
    if (id !== null) location.hash = `#/c/${id}`;
  },
});
byId("skip").addEventListener("click", composer.focus);
byId("veil").addEventListener("click", () => showList(false));

await takeKey();
// Not sooner: a conversation that is opened without the key leads to the sign-in page.
window.addEventListener("hashchange", route);
await readAbout();
route();
void sidebar.refresh();
if (window.matchMedia("(hover: hover)").matches) composer.focus();
