/** `memory` lists the channel's notes and changes them. Everybody may list and remove; people with write permission add and edit. */

import type { Label, Say } from "../../i18n/say.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import {
  type Command,
  type CommandContext,
  defineCommand,
} from "../../runtime/chat/commands/define-command.ts";
import { allWords, MAX_TEXT, partOfAll, type CommandWords } from "../../runtime/chat/commands/options.ts";
import { storageText } from "../../runtime/chat/people/reply-texts.ts";
import { surfacePersonId } from "../../runtime/chat/people/rights.ts";
import { notePerson, type NewNote, type NoteResult, readersOf } from "./memory.ts";
import { type ChannelNote, isUsable, MAX_NOTES, noteLength, shownNote } from "./note.ts";
import type { MemoryContext } from "./open.ts";

const CHANGE = partOfAll("change", "What to do", "add", "edit", "remove", "pin", "unpin", "from");
const TEXT = allWords("text", "add: the note; otherwise the note's number, and for edit the new text", {
  max: MAX_TEXT,
});

type MemoryChange =
  | { readonly what: "list"; readonly from: number }
  | ({ readonly what: "add" } & NewNote)
  | { readonly what: "edit"; readonly number: number; readonly text: string }
  | { readonly what: "remove" | "pin" | "unpin"; readonly number: number }
  | { readonly what: "unclear" };

export const memoryCommand = (own: () => MemoryContext): Command =>
  defineCommand({
    words: ["memory"],
    options: [CHANGE, TEXT],
    read: (valueOf): MemoryChange | undefined => {
      const words = valueOf(TEXT);
      return words === null ? LIST : changeIn(words);
    },
    rights: {
      right: "mayDrive",
      refusal: MAY_NOT,
      isFree: ({ what }: MemoryChange) => what === "list" || what === "remove" || what === "unclear",
    },
    help: {
      does: "The channel's notes, which the agent reads in every conversation here",
      thread: "memory",
      channel: "`/parley memory [add TEXT|edit N TEXT|remove N|pin N]` lists or changes the channel's notes",
      before: { thread: "instructions", channel: "instructions", menu: "instructions" },
    },
    slash: ({ asked, run }) => run(asked ?? { what: "unclear" }),
    run: (context, change) => answer(own(), context, change),
  });

const MAY_NOT: Label = "Only people with write permission here can add and change notes. Ask one of them.";

const LIST = { what: "list", from: 0 } as const;

const VERBS = ["add", "edit", "remove", "pin", "unpin", "from"] as const;

/** Words with another verb are a message. */
const changeIn = ({ typed }: CommandWords): MemoryChange | undefined => {
  const [first = "", ...rest] = typed;
  const verb = VERBS.find((one) => one === first.toLowerCase());
  if (verb === undefined) return undefined;
  const said = rest.join(" ");
  if (verb === "add") return said === "" ? { what: "unclear" } : { what: "add", ...noteIn(said) };
  const [, digits, text = ""] = /^#?(\d{1,6})\.?(?:\s*[:\s]\s*(\S.*))?$/su.exec(said) ?? [];
  if (digits === undefined) return verb === "from" ? undefined : { what: "unclear" };
  const number = Number(digits);
  if (verb === "from") return text === "" ? { what: "list", from: number } : undefined;
  if (verb === "edit") return text === "" ? { what: "unclear" } : { what: "edit", number, text };
  return text === "" ? { what: verb, number } : { what: "unclear" };
};

/** Parses `[repo] [until 2026-12-24]: TEXT`; a text without these words needs no colon. */
const noteIn = (said: string): NewNote => {
  const [, repo, day, text] =
    /^(?:(repo)(?:sitory)?\b\s*)?(?:until\s+(\d{4}-\d{2}-\d{2})\s*)?:\s*(\S.*)$/isu.exec(said) ?? [];
  const end = day === undefined ? null : Date.parse(`${day}T23:59:59Z`);
  return text === undefined || Number.isNaN(end)
    ? { text: said, isAboutRepo: false, expires: null }
    : { text, isAboutRepo: repo !== undefined, expires: end };
};

const answer = async (
  own: MemoryContext,
  { deps, asking, person, conversation: source }: CommandContext,
  change: MemoryChange,
): Promise<string> => {
  const { memory } = own;
  const { say, name, platform, clock } = deps;
  const at: ChannelAddress = { surface: name, place: asking.place };
  if (change.what === "list") return listText(memory.inChannel(at), change.from, clock.now(), say);
  if (change.what === "unclear") return say(HOW);
  const by = notePerson({ id: surfacePersonId(name, person.id), name: person.name });
  if (change.what === "add") {
    const readers = await readersOf(platform, asking.place);
    const { text, isAboutRepo, expires } = change;
    const messageLink = asking.root === null ? null : await platform.link(asking.place, asking.root);
    const note = { text, isAboutRepo, expires, source, messageLink };
    return resultText(await memory.add(at, note, by, readers), ADDED, say);
  }
  const note = memory.numbered(at, change.number);
  if (note === null)
    return say("There is no note {number} here. `/parley memory` lists the notes.", {
      number: change.number,
    });
  switch (change.what) {
    case "edit":
      return resultText(await memory.edit(note, change.text, by), EDITED, say);
    case "remove":
      return resultText(await memory.remove(note, by), REMOVED, say);
    case "pin":
    case "unpin":
      return resultText(
        await memory.pin(note, change.what === "pin", by),
        change.what === "pin" ? PINNED : UNPINNED,
        say,
      );
  }
};

type Done = typeof ADDED | typeof EDITED | typeof REMOVED | typeof PINNED | typeof UNPINNED;

const ADDED = "Note {number} is added. The agent reads it from its next request on.";
const EDITED = "Note {number} is changed.";
const REMOVED = "Note {number} is removed.";
const PINNED = "Note {number} is pinned: the agent reads it before the others.";
const UNPINNED = "Note {number} is no longer pinned.";

const resultText = (result: NoteResult, done: Done, say: Say): string => {
  switch (result.kind) {
    case "done":
      return say(done, { number: result.note.number });
    case "refused":
      return result.why(say);
    case "failed":
      return storageText(result.message, say);
  }
};

/** Characters of a list, so that every platform shows it whole. */
const MOST = 1_700;

const listText = (notes: readonly ChannelNote[], from: number, now: number, say: Say): string => {
  if (notes.length === 0) return `${say("The channel has no notes.")} ${say(HOW)}`;
  const lines: string[] = [];
  const listed = notes.filter(({ number }) => number >= from);
  let size = 0;
  for (const note of listed) {
    const line = noteLine(note, now, say);
    size += noteLength(line) + 1;
    if (size > MOST) {
      lines.push(say("… and more: `/parley memory from {number}` lists the rest.", { number: note.number }));
      break;
    }
    lines.push(line);
  }
  return [
    say("Notes of this channel, {count} of {most}:", { count: notes.length, most: MAX_NOTES }),
    ...lines,
  ].join("\n");
};

const noteLine = (note: ChannelNote, now: number, say: Say): string => {
  const { number, text, author, approver, at, isPinned, repo, expires, stale, messageLink } = note;
  const day = dayOf(at);
  const who =
    approver === null || approver.id === author.id
      ? say("by {author}, {day}", { author: author.name ?? author.id, day })
      : say("by {author}, approved by {approver}, {day}", {
          author: author.name ?? author.id,
          approver: approver.name ?? approver.id,
          day,
        });
  const facts = [
    who,
    ...(repo === null ? [] : [say("about the repository")]),
    ...(isPinned ? [say("pinned")] : []),
    ...(expires === null || !isUsable({ ...note, stale: null }, now)
      ? []
      : [say("until {day}", { day: dayOf(expires) })]),
    ...(expires !== null && expires <= now ? [say("expired")] : []),
    ...(stale === null ? [] : [say("not used: {why} changed", { why: stale })]),
  ];
  const from = messageLink === null ? "" : ` [${say("Message")}](${messageLink})`;
  return `${number}. ${shownNote(`${text} (${facts.join("; ")})`)}${from}`;
};

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const HOW: Label =
  "`/parley memory add TEXT` adds a note; `add repo: TEXT` makes it a note about the repository, `add until 2026-12-24: TEXT` lets it expire. `edit N TEXT`, `remove N`, `pin N` and `unpin N` change note N.";
