import type { MemoryBody } from "../memory-body.ts";
import { requestHost } from "../../../../adapters/page/api.ts";
import { createBoard } from "../../../../adapters/page/board.ts";
import { type Child, each, h, labelled, openForm, toast } from "../../../../adapters/page/dom.ts";
import { ago, full, shortRepo, surfaceName } from "../../../../adapters/page/format.ts";
import { say } from "../../../../adapters/page/words.ts";

type Note = MemoryBody["notes"][number];
type Proposal = MemoryBody["proposals"][number];
type Change = MemoryBody["changes"][number];

const CONSOLE = "console:console";

export const board = (): HTMLElement => {
  const sought = h("input.field", {
    type: "search",
    placeholder: say("Search notes"),
    "aria-label": say("Search notes"),
    oninput: () => void show(),
  });
  const { view, show } = createBoard(
    {
      title: say("Memory"),
      read: () => requestHost<MemoryBody>("GET", "/api/memory"),
      parts: (body, again) => parts(body, sought.value, again),
    },
    h(
      "p.muted",
      say(
        "Notes that people approved for their channel. The agent reads them at the beginning of every conversation there. A note about the repository is read in all public channels that work on the repository.",
      ),
    ),
    sought,
  );
  return view;
};

const parts = (
  { notes, proposals, changes }: MemoryBody,
  sought: string,
  again: () => void,
): readonly Child[] => {
  const words = sought
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  const isMeant = ({ text, author, channel }: Pick<Note, "text" | "author" | "channel">): boolean =>
    words.every((word) => `${text} ${author} ${channel}`.toLowerCase().includes(word));
  const found = notes.filter(isMeant);
  const channels = [...new Set(found.map(({ channel }) => channel))];
  return [
    ...proposals.filter(isMeant).map((one) => proposalView(one, again)),
    notes.length === 0 ? h("p", say("There are no notes yet.")) : null,
    notes.length > 0 && found.length === 0 ? h("p", say("No note contains these words.")) : null,
    ...channels.flatMap((channel) => [
      h("h2", channelName(channel)),
      ...found.filter((one) => one.channel === channel).map((one) => noteView(one, again)),
    ]),
    h("h2", say("Another note")),
    noteForm(channels, again),
    changes.length === 0 ? null : h("h2", say("History")),
    each("ul", changes.slice(0, MOST_CHANGES), (one) => h("li.fine", changeText(one))),
  ];
};

const MOST_CHANGES = 100;

const channelName = (channel: string): string => {
  const [surface = "", place = ""] = channel.split(":");
  return channel === CONSOLE ? say("This console") : `${surfaceName(surface)} · ${place}`;
};

const act = async (body: object, done: string, told: HTMLElement, again: () => void): Promise<void> => {
  const answer = await requestHost("POST", "/api/memory", body);
  told.textContent = answer.kind === "ok" ? null : answer.message;
  if (answer.kind !== "ok") return;
  toast(done);
  again();
};

const proposalView = (
  { id, text, author, channel, at, conversation }: Proposal,
  again: () => void,
): HTMLElement => {
  const told = h("p", { role: "status" });
  return h(
    "div.panel.stack",
    { role: "group", "aria-label": text },
    h("p", h("strong", say("Remember this?")), " ", text),
    h(
      "p.fine",
      `${channelName(channel)} · ${author} · ${ago(at)} · `,
      h("a", { href: `#/c/${conversation}` }, say("Conversation")),
    ),
    h(
      "div.line",
      h(
        "button.small",
        {
          onclick: () =>
            act({ action: "remember", proposal: id }, say("The note is remembered."), told, again),
        },
        say("Remember"),
      ),
      h(
        "button.small",
        {
          onclick: () =>
            act({ action: "refuse", proposal: id }, say("The note is not remembered."), told, again),
        },
        say("No"),
      ),
    ),
    told,
  );
};

const noteView = (note: Note, again: () => void): HTMLElement => {
  const { id, number, text, isPinned, stale } = note;
  const told = h("p", { role: "status" });
  const change = (action: string, label: string, done: string, more = {}) =>
    h("button.small", { onclick: () => act({ action, id, ...more }, done, told, again) }, label);
  const edited = h("input.field", {
    value: text,
    maxlength: "600",
    "aria-label": say("Text of note {number}", { number: String(number) }),
  });
  return h(
    "div.panel.stack",
    { role: "group", "aria-label": say("Note {number}", { number: String(number) }) },
    h("p", h("strong", `${number}. `), text),
    h(
      "p.fine",
      facts(note).join(" · "),
      note.conversation === null
        ? null
        : [" · ", h("a", { href: `#/c/${note.conversation}` }, say("Conversation"))],
      note.messageLink === null
        ? null
        : [" · ", h("a", { href: note.messageLink, rel: "noreferrer" }, say("Message"))],
    ),
    stale === null
      ? null
      : h("p", { role: "status" }, say("Not used, because {code} changed.", { code: stale })),
    openForm(
      "form.line.wrap",
      { "aria-label": say("Edit note {number}", { number: String(number) }) },
      async () => {
        await act({ action: "edit", id, text: edited.value }, say("The note is changed."), told, again);
        return null;
      },
      edited,
      h("button.small", { type: "submit" }, say("Save")),
    ),
    h(
      "div.line",
      stale === null ? null : change("confirm", say("Still true"), say("The note is used again.")),
      change(
        isPinned ? "unpin" : "pin",
        say(isPinned ? "Unpin" : "Pin"),
        say(isPinned ? "The note is no longer pinned." : "The note is pinned."),
      ),
      h(
        "button.small.danger",
        { onclick: () => act({ action: "remove", id }, say("The note is removed."), told, again) },
        say("Remove"),
      ),
    ),
    told,
  );
};

const facts = ({ author, approver, at, repo, expires, isPinned }: Note): readonly string[] => [
  approver === null || approver === author
    ? say("by {author}", { author })
    : say("by {author}, approved by {approver}", { author, approver }),
  full(at),
  ...(repo === null ? [] : [say("about {repo}", { repo: shortRepo(repo) })]),
  ...(expires === null ? [] : [say("until {day}", { day: full(expires) })]),
  ...(isPinned ? [say("pinned")] : []),
];

const noteForm = (channels: readonly string[], again: () => void): HTMLElement => {
  const told = h("p", { role: "status" });
  const text = h("input.field", { maxlength: "600" });
  const channel: HTMLSelectElement = h(
    "select.field",
    ...[...new Set([CONSOLE, ...channels])].map((one) => h("option", { value: one }, channelName(one))),
  );
  return openForm(
    "form.stack",
    { "aria-label": say("Another note") },
    async () => {
      const body = { action: "add", channel: channel.value, text: text.value };
      await act(body, say("The note is added."), told, again);
      return null;
    },
    labelled(say("Note"), text),
    labelled(say("Channel"), channel),
    h("div.line", h("button", { type: "submit" }, say("Add"))),
    told,
  );
};

const changeText = ({ channel, number, at, what, person, before }: Change): string => {
  const where = `${full(at)} · ${channelName(channel)} · ${say("Note {number}", { number: String(number) })}`;
  const who = person === null ? "" : ` · ${person}`;
  return `${where} · ${WHAT[what]}${who}${before === null ? "" : ` · “${before}”`}`;
};

const WHAT: Readonly<Record<Change["what"], string>> = {
  added: say("added"),
  remembered: say("remembered"),
  edited: say("edited"),
  removed: say("removed"),
  pinned: say("pinned"),
  unpinned: say("unpinned"),
  stale: say("not used any more"),
  confirmed: say("confirmed"),
};
