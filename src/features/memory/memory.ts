/** Notes of channels. Callers check the rights of people. No member throws or rejects. */

import type { Core } from "../../feature.ts";
import type { ConversationId, Millis, PersonId } from "../../machine/id.ts";
import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import { reposOf, type Conversation } from "../../ports/conversation.ts";
import type { WriteFailure } from "../../ports/host.ts";
import type { Label, LocalizedText, Sentence } from "../../i18n/say.ts";
import {
  type ChannelNote,
  chosenNotes,
  MAX_NOTE,
  MAX_NOTES,
  type NoteChange,
  noteFingerprint,
  noteLength,
  type NotePerson,
  noteText,
  pausedUntil,
  REFUSALS_WITHIN,
} from "./note.ts";
import type { CitedCode } from "./cited-code.ts";
import type { NoteDeed, NoteProposal, NoteRows } from "./rows.ts";

export type NoteResult =
  | { readonly kind: "done"; readonly note: ChannelNote }
  | { readonly kind: "refused"; readonly why: LocalizedText }
  | WriteFailure;

export interface NewNote {
  readonly text: string;
  /** Whether the note is about the repository, so that other channels use it too. */
  readonly isAboutRepo: boolean;
  readonly expires: Millis | null;
  /** Conversation in which a person stated the note; null outside of conversations. */
  readonly source?: ConversationId | null;
  /** Address of that message; null if unknown. */
  readonly messageLink?: string | null;
}

/** People who can read the channel of a note: everybody on its server, or only its members. */
export type NoteReaders = Pick<ChannelNote, "isPublic" | "server">;

export const readersOf = async (
  platform: Pick<ChatPlatform, "audience" | "server">,
  channel: string,
): Promise<NoteReaders> => ({
  isPublic: (await platform.audience(channel)) === "public",
  server: platform.server,
});

/** A note that the agent proposes. */
export interface NoteDraft {
  readonly conversation: ConversationId;
  readonly surface: string;
  readonly turn: number;
  readonly text: string;
  readonly isAboutRepo: boolean;
  readonly author: NotePerson;
}

export type ProposeResult =
  | { readonly kind: "proposed"; readonly proposal: Omit<NoteProposal, "message"> }
  | { readonly kind: "refused"; readonly why: string }
  | WriteFailure;

export interface ChannelMemory {
  inChannel(at: ChannelAddress): readonly ChannelNote[];
  all(): readonly ChannelNote[];
  changes(at: ChannelAddress): readonly NoteChange[];
  numbered(at: ChannelAddress, number: number): ChannelNote | null;
  note(id: string): ChannelNote | null;
  add(at: ChannelAddress, note: NewNote, by: NotePerson, readers: NoteReaders): Promise<NoteResult>;
  edit(note: ChannelNote, text: string, by: NotePerson): Promise<NoteResult>;
  pin(note: ChannelNote, isPinned: boolean, by: NotePerson): Promise<NoteResult>;
  remove(note: ChannelNote, by: NotePerson): Promise<NoteResult>;
  /** *Still true*: the note is used again, as it stands. */
  confirm(note: ChannelNote, by: NotePerson): Promise<NoteResult>;
  propose(draft: NoteDraft): Promise<ProposeResult>;
  proposals(): readonly NoteProposal[];
  proposal(id: string): NoteProposal | null;
  /** Null if the proposal was decided before. A null `text` keeps the proposed text. */
  remember(
    id: string,
    text: string | null,
    by: NotePerson,
    from: NoteReaders & Pick<ChannelNote, "messageLink">,
  ): Promise<NoteResult | null>;
  /** Null if the proposal was decided before. */
  refuse(id: string): Promise<{ readonly kind: "done" } | WriteFailure | null>;
  /** Notes for the model, the most important first. */
  usedIn(conversation: Conversation): readonly ChannelNote[];
}

interface MemoryDeps extends Pick<Core, "clock" | "randomId"> {
  readonly rows: NoteRows;
  readonly code: CitedCode;
  readonly chat: Pick<Core["chat"], "binding">;
  readonly ledger: Pick<Core["ledger"], "thread">;
  readonly repo: Core["repo"];
}

/** The operator's console counts as one channel. */
export const CONSOLE: ChannelAddress = { surface: "console", place: "console" };

export const createChannelMemory = ({
  rows,
  code,
  chat,
  ledger,
  clock,
  randomId,
  repo,
}: MemoryDeps): ChannelMemory => {
  const deed = (what: NoteDeed["what"], person: NotePerson | null): NoteDeed => ({
    id: randomId(),
    at: clock.now(),
    what,
    person,
  });

  const boundRepo = ({ surface, place }: ChannelAddress) =>
    (surface === CONSOLE.surface ? repo : chat.binding(surface, place)?.repo) ?? null;

  const refusalOf = (at: ChannelAddress, text: string, except: string | null): LocalizedText | null => {
    if (text === "") return (say) => say(EMPTY);
    const length = noteLength(text);
    if (length > MAX_NOTE)
      return (say) =>
        say(TOO_LONG, {
          length: length.toLocaleString(say.language),
          most: MAX_NOTE.toLocaleString(say.language),
        });
    const fingerprint = noteFingerprint(text);
    const same = rows
      .inChannel(at)
      .find((one) => one.id !== except && noteFingerprint(one.text) === fingerprint);
    return same === undefined ? null : (say) => say(SAME, { number: same.number });
  };

  const add = async (
    at: ChannelAddress,
    { isAboutRepo, expires, source = null, messageLink = null, ...given }: NewNote,
    { author, approver }: { readonly author: NotePerson; readonly approver: NotePerson | null },
    readers: NoteReaders,
    proposal: NoteProposal | null,
  ): Promise<NoteResult> => {
    const text = noteText(given.text);
    const refused = refusalOf(at, text, null);
    if (refused !== null) return { kind: "refused", why: refused };
    const bound = boundRepo(at);
    if (isAboutRepo && bound === null) return { kind: "refused", why: (say) => say(NO_REPO) };
    if (expires !== null && expires <= clock.now()) return { kind: "refused", why: (say) => say(PAST) };
    if (rows.inChannel(at).length >= MAX_NOTES)
      return { kind: "refused", why: (say) => say(FULL, { count: MAX_NOTES }) };
    const now = clock.now();
    const found = await code.find(text, bound);
    const id = randomId();
    const { surface, place } = at;
    const note: Omit<ChannelNote, "number"> = {
      id,
      surface,
      place,
      repo: isAboutRepo ? (bound?.location ?? null) : null,
      ...readers,
      text,
      wrote: proposal !== null && proposal.text === given.text ? author.id : (approver ?? author).id,
      author,
      approver,
      at: now,
      source: proposal?.conversation ?? source,
      messageLink,
      expires,
      isPinned: false,
      cited: found.cited,
      looked: found.commit,
      stale: null,
      sure: now,
      asked: null,
    };
    const done = await rows.add(
      note,
      deed(proposal === null ? "added" : "remembered", approver ?? author),
      proposal?.id ?? null,
    );
    if (done.kind === "failed") return done;
    const stored = rows.note(id);
    return stored === null
      ? { kind: "refused", why: (say) => say(FULL, { count: MAX_NOTES }) }
      : { kind: "done", note: stored };
  };

  const changed = async (note: ChannelNote, ...[edit, by]: [Parameters<NoteRows["edit"]>[1], NoteDeed]) => {
    const done = await rows.edit(note, edit, by);
    return done.kind === "failed" ? done : ({ kind: "done", note: { ...note, ...edit } } as const);
  };

  return {
    inChannel: rows.inChannel,
    all: rows.all,
    changes: rows.changes,
    numbered: rows.numbered,
    note: rows.note,
    add: (at, note, by, readers) => add(at, note, { author: by, approver: null }, readers, null),
    edit: async (note, typed, by) => {
      const text = noteText(typed);
      const refused = refusalOf(note, text, note.id);
      if (refused !== null) return { kind: "refused", why: refused };
      const now = clock.now();
      const { cited, commit } = await code.find(text, boundRepo(note));
      const edit = { text, wrote: by.id, cited, looked: commit, stale: null, sure: now, asked: null };
      return changed(note, edit, deed("edited", by));
    },
    pin: (note, isPinned, by) => changed(note, { isPinned }, deed(isPinned ? "pinned" : "unpinned", by)),
    confirm: async (note, by) => {
      const { cited, commit } = await code.find(note.text, boundRepo(note));
      const edit = { cited, looked: commit, stale: null, sure: clock.now(), asked: null };
      return changed(note, edit, deed("confirmed", by));
    },
    remove: async (note, by) => {
      const done = await rows.remove(note, deed("removed", by));
      return done.kind === "failed" ? done : { kind: "done", note };
    },
    propose: async ({ conversation, surface, turn, text: given, isAboutRepo, author }) => {
      const thread = ledger.thread(conversation);
      if (thread === null && surface !== CONSOLE.surface) return { kind: "refused", why: NO_CHANNEL };
      const at = thread === null ? CONSOLE : { surface: thread.surface, place: thread.place };
      const text = noteText(given);
      const now = clock.now();
      const refused = refusalOf(at, text, null);
      const fingerprint = noteFingerprint(text);
      const bound = boundRepo(at);
      const why =
        refused !== null
          ? noteLength(text) > MAX_NOTE
            ? SHORTER
            : KNOWN
          : rows.proposedIn(conversation, turn)
            ? ONCE
            : rows.proposed(at, fingerprint)
              ? KNOWN
              : pausedUntil(rows.refusals(at, now - REFUSALS_WITHIN), now) !== null
                ? PAUSED
                : rows.inChannel(at).length >= MAX_NOTES
                  ? NO_ROOM
                  : isAboutRepo && bound === null
                    ? REPO_MISSING
                    : null;
      if (why !== null) return { kind: "refused", why };
      const proposal = {
        id: randomId(),
        ...at,
        conversation,
        turn,
        at: now,
        fingerprint,
        repo: isAboutRepo ? (bound?.location ?? null) : null,
        text,
        author,
      };
      const done = await rows.propose(proposal);
      if (done.kind === "failed") return done;
      return { kind: "proposed", proposal: { ...proposal, outcome: "open", decided: null } };
    },
    proposals: rows.openProposals,
    proposal: rows.proposal,
    remember: async (id, text, by, { messageLink, ...readers }) => {
      const proposal = rows.proposal(id);
      if (proposal === null || proposal.outcome !== "open" || proposal.text === null) return null;
      const isAboutRepo = proposal.repo !== null;
      const note = { text: text ?? proposal.text, isAboutRepo, expires: null, messageLink };
      const result = await add(proposal, note, { author: proposal.author, approver: by }, readers, proposal);
      return result.kind === "refused" && rows.proposal(id)?.outcome !== "open" ? null : result;
    },
    refuse: async (id) => {
      if (rows.proposal(id)?.outcome !== "open") return null;
      return rows.refuse(id, clock.now());
    },
    usedIn: ({ id, surface, repo: worked, server = null }) => {
      const thread = ledger.thread(id);
      if (thread === null && surface !== CONSOLE.surface) return [];
      const at = thread ?? CONSOLE;
      const locations = new Set(reposOf(worked).map(({ location }) => location));
      const isHere = (one: ChannelAddress): boolean => one.surface === at.surface && one.place === at.place;
      const isShared = ({ repo: about, isPublic, ...one }: ChannelNote): boolean =>
        about !== null &&
        isPublic &&
        locations.has(about) &&
        one.surface === at.surface &&
        one.server === server;
      return chosenNotes(
        rows.all().filter((one) => isHere(one) || isShared(one)),
        clock.now(),
      );
    },
  };
};

/** A person as notes store them, with a name of one line. */
export const notePerson = ({ id, name }: { readonly id: PersonId; readonly name?: string }): NotePerson => ({
  id,
  name: name === undefined || noteText(name) === "" ? null : noteText(name),
});

const EMPTY: Label = "The note has no text.";
const TOO_LONG =
  "The note has {length} characters, and a note can have {most}. Shorten the note. Nothing was changed." satisfies Sentence;
const SAME = "Note {number} says this already." satisfies Sentence;
const FULL = "The channel has {count} notes, as many as it can have. Remove one first." satisfies Sentence;
const NO_REPO: Label = "The channel has no repository, so a note cannot be about the repository.";
const PAST: Label = "The date has passed. Use a later date.";

const NO_CHANNEL = "Not proposed: this conversation is in no channel, so nobody would read the note.";
const SHORTER = `Not proposed: a note has at most ${MAX_NOTE} characters. Say it in one short sentence.`;
const KNOWN = "Not proposed: people have seen this note before, or it exists. Do not propose it again.";
const ONCE = "Not proposed: one note was already proposed in this turn.";
const PAUSED = "Not proposed: people refused three notes here within a week. Propose none for now.";
const NO_ROOM = "Not proposed: this channel has as many notes as it can have.";
const REPO_MISSING =
  "Not proposed: this conversation's channel has no repository of its own. Propose it for the channel.";
