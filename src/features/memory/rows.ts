import * as z from "zod";
import type { ConversationId, Millis } from "../../machine/id.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { Done, Log } from "../../ports/host.ts";
import type { RowChange, Rows } from "../../ports/rows.ts";
import { createRead, encode, flag, json } from "../../store/base/codec.ts";
import { conversationIdSchema, listSchema, personIdSchema } from "../../store/schema/id.ts";
import { type ChannelNote, MAX_NOTES, type NoteChange, NOTE_CHANGES, type NotePerson } from "./note.ts";

export interface NoteProposal extends ChannelAddress {
  readonly id: string;
  readonly conversation: ConversationId;
  readonly turn: number;
  /** Platform id of the author's newest message in the conversation; null on surfaces without such ids. */
  readonly message: string | null;
  readonly at: Millis;
  readonly fingerprint: string;
  readonly repo: string | null;
  /** Null once decided. */
  readonly text: string | null;
  readonly author: NotePerson;
  readonly outcome: "open" | "remembered" | "refused";
  readonly decided: Millis | null;
}

/** Who did what to a note. `id`: unique for each change. */
export interface NoteDeed extends Pick<NoteChange, "at" | "what" | "person"> {
  readonly id: string;
}

export type NoteEdit = Partial<
  Pick<
    ChannelNote,
    "text" | "wrote" | "isPinned" | "cited" | "looked" | "stale" | "sure" | "asked" | "expires"
  >
>;

export interface NoteRows {
  note(id: string): ChannelNote | null;
  numbered(at: ChannelAddress, number: number): ChannelNote | null;
  /** In the order of their numbers. */
  inChannel(at: ChannelAddress): readonly ChannelNote[];
  all(): readonly ChannelNote[];
  /** Newest first, at most 200. */
  changes(at: ChannelAddress): readonly NoteChange[];
  /** Takes the next number. Adds nothing to a full channel, and nothing for a decided proposal. */
  add(note: Omit<ChannelNote, "number">, deed: NoteDeed, proposal: string | null): Promise<Done>;
  edit(note: ChannelNote, edit: NoteEdit, deed: NoteDeed | null): Promise<Done>;
  remove(note: ChannelNote, deed: NoteDeed): Promise<Done>;
  proposal(id: string): NoteProposal | null;
  openProposals(): readonly NoteProposal[];
  /** Proposals with this fingerprint, decided or not. */
  proposed(at: ChannelAddress, fingerprint: string): boolean;
  proposedIn(conversation: ConversationId, turn: number): boolean;
  refusals(at: ChannelAddress, since: Millis): readonly Millis[];
  propose(proposal: Omit<NoteProposal, "outcome" | "decided" | "message">): Promise<Done>;
  refuse(id: string, at: Millis): Promise<Done>;
}

export const createNoteRows = (rows: Rows, log: Log): NoteRows => {
  const read = createRead(log);
  const select = (where: string, order = "") => rows.select(`${NOTES} WHERE ${where}${order}`);
  const selectNote = select("id = @id");
  const selectNumber = select("surface = @surface AND place = @place AND number = @number");
  const selectChannel = select("surface = @surface AND place = @place", " ORDER BY number");
  const selectAll = rows.select(`${NOTES} ORDER BY surface, place, number`);
  const selectChanges = rows.select(`
    SELECT note, number, at, what, person, person_name AS name, before, surface, place FROM note_changes
    WHERE surface = @surface AND place = @place ORDER BY at DESC, id DESC LIMIT 200`);
  const selectProposal = rows.select(`${PROPOSALS} WHERE id = @id`);
  const selectOpen = rows.select(`${PROPOSALS} WHERE outcome = 'open' ORDER BY at DESC LIMIT 200`);
  const selectSame = rows.select(
    "SELECT 1 FROM note_proposals WHERE surface = @surface AND place = @place AND fingerprint = @fingerprint LIMIT 1",
  );
  const selectTurn = rows.select(
    "SELECT 1 FROM note_proposals WHERE conversation = @conversation AND turn = @turn LIMIT 1",
  );
  const selectRefusals = rows.select(`
    SELECT decided FROM note_proposals
    WHERE surface = @surface AND place = @place AND outcome = 'refused' AND decided > @since ORDER BY decided DESC`);
  const notes = (found: readonly unknown[]) => read.all(noteRow, found, { table: "channel_notes" });
  const proposals = (found: readonly unknown[]) => read.all(proposalRow, found, { table: "note_proposals" });

  return {
    note: (id) => notes(selectNote({ id })).at(0) ?? null,
    numbered: ({ surface, place }, number) => notes(selectNumber({ surface, place, number })).at(0) ?? null,
    inChannel: ({ surface, place }) => notes(selectChannel({ surface, place })),
    all: () => notes(selectAll({})),
    changes: ({ surface, place }) =>
      read.all(changeRow, selectChanges({ surface, place }), { table: "note_changes" }),
    add: (note, deed, proposal) => {
      const values = { ...valuesOf(note), proposal, full: MAX_NOTES };
      return rows.write([
        { sql: proposal === null ? ADD : `${ADD} ${WHILE_OPEN}`, values },
        {
          sql: `${CHANGED} WHERE id = @note`,
          values: { note: note.id, ...deedValues(deed), before: null, wrote: null },
        },
        ...(proposal === null ? [] : [{ sql: REMEMBERED, values: { proposal, note: note.id, at: deed.at } }]),
      ]);
    },
    edit: (note, edit, deed) =>
      rows.write([
        ...(deed === null ? [] : [changeOf(note, deed, edit.text !== undefined)]),
        { sql: EDIT, values: valuesOf({ ...note, ...edit }) },
      ]),
    remove: (note, deed) =>
      rows.write([
        changeOf(note, deed, true),
        { sql: "DELETE FROM channel_notes WHERE id = @id", values: { id: note.id } },
      ]),
    proposal: (id) => proposals(selectProposal({ id })).at(0) ?? null,
    openProposals: () => proposals(selectOpen({})),
    proposed: ({ surface, place }, fingerprint) => selectSame({ surface, place, fingerprint }).length > 0,
    proposedIn: (conversation, turn) => selectTurn({ conversation, turn }).length > 0,
    refusals: ({ surface, place }, since) => decidedTimes.parse(selectRefusals({ surface, place, since })),
    propose: ({ author, ...proposal }) =>
      rows.write([{ sql: PROPOSE, values: { ...proposal, author: author.id, name: author.name } }]),
    refuse: (id, at) => rows.write([{ sql: REFUSE, values: { id, at } }]),
  };
};

const NOTES = `
  SELECT id, surface, place, number, repo, is_public AS "isPublic", server, text, wrote, author, author_name AS "authorName", approver,
    approver_name AS "approverName", at, source, message_link AS "messageLink", expires, pinned AS "isPinned", cited, looked, stale, sure, asked
  FROM channel_notes`;

const citation = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("lines"),
    file: z.string(),
    from: z.number(),
    to: z.number(),
    commit: z.string(),
  }),
  z.object({ kind: z.literal("symbol"), name: z.string() }),
]);

const noteRow = z
  .object({
    id: z.string(),
    surface: z.string(),
    place: z.string(),
    number: z.number(),
    repo: z.string().nullable(),
    isPublic: flag,
    server: z.string().nullable(),
    text: z.string(),
    wrote: personIdSchema,
    author: personIdSchema,
    authorName: z.string().nullable(),
    approver: personIdSchema.nullable(),
    approverName: z.string().nullable(),
    at: z.number(),
    source: conversationIdSchema.nullable(),
    messageLink: z.string().nullable(),
    expires: z.number().nullable(),
    isPinned: flag,
    cited: json(listSchema(citation)),
    looked: z.string().nullable(),
    stale: z.string().nullable(),
    sure: z.number(),
    asked: z.number().nullable(),
  })
  .transform(
    ({ author, authorName, approver, approverName, ...note }): ChannelNote => ({
      ...note,
      author: { id: author, name: authorName },
      approver: approver === null ? null : { id: approver, name: approverName },
    }),
  );

const changeRow = z
  .object({
    note: z.string(),
    number: z.number(),
    at: z.number(),
    what: z.enum(NOTE_CHANGES),
    person: personIdSchema.nullable(),
    name: z.string().nullable(),
    before: z.string().nullable(),
    surface: z.string(),
    place: z.string(),
  })
  .transform(
    ({ person, name, ...change }): NoteChange => ({
      ...change,
      person: person === null ? null : { id: person, name },
    }),
  );

const PROPOSALS = `
  SELECT id, surface, place, conversation, turn, message, at, fingerprint, repo, text, author, author_name AS "authorName", outcome, decided
  FROM note_proposals`;

const proposalRow = z
  .object({
    id: z.string(),
    surface: z.string(),
    place: z.string(),
    conversation: conversationIdSchema,
    turn: z.number(),
    message: z.string().nullable(),
    at: z.number(),
    fingerprint: z.string(),
    repo: z.string().nullable(),
    text: z.string().nullable(),
    author: personIdSchema,
    authorName: z.string().nullable(),
    outcome: z.enum(["open", "remembered", "refused"]),
    decided: z.number().nullable(),
  })
  .transform(
    ({ author, authorName, ...proposal }): NoteProposal => ({
      ...proposal,
      author: { id: author, name: authorName },
    }),
  );

const decidedTimes = z.array(z.object({ decided: z.number() }).transform(({ decided }) => decided));

const valuesOf = ({
  author,
  approver,
  isPublic,
  isPinned,
  cited,
  ...note
}: Omit<ChannelNote, "number">): RowChange["values"] => ({
  ...note,
  isPublic: Number(isPublic),
  isPinned: Number(isPinned),
  cited: encode(cited),
  author: author.id,
  authorName: author.name,
  approver: approver?.id ?? null,
  approverName: approver?.name ?? null,
});

const deedValues = ({ id, at, what, person }: NoteDeed): RowChange["values"] => ({
  id,
  at,
  what,
  person: person?.id ?? null,
  name: person?.name ?? null,
});

/** `isNew`: the change replaces or removes the text, which the history keeps. */
const changeOf = ({ id: note, text, wrote }: ChannelNote, deed: NoteDeed, isNew: boolean): RowChange => ({
  sql: `${CHANGED} WHERE id = @note`,
  values: { note, ...deedValues(deed), before: isNew ? text : null, wrote: isNew ? wrote : null },
});

const CHANGED = `
  INSERT INTO note_changes (note, at, id, what, person, person_name, before, wrote, surface, place, number)
  SELECT @note, @at, @id, @what, @person, @name, @before, @wrote, surface, place, number FROM channel_notes`;

/** A number is never given twice, so that \`memory remove 3\` cannot hit another note. */
const ADD = `
  INSERT INTO channel_notes (id, surface, place, number, repo, is_public, server, text, wrote, author, author_name, approver,
    approver_name, at, source, message_link, expires, pinned, cited, looked, stale, sure, asked)
  SELECT @id, @surface, @place, 1 + max(
      coalesce((SELECT max(number) FROM channel_notes WHERE surface = @surface AND place = @place), 0),
      coalesce((SELECT max(number) FROM note_changes WHERE surface = @surface AND place = @place), 0)),
    @repo, @isPublic, @server, @text, @wrote, @author, @authorName, @approver, @approverName, @at, @source, @messageLink,
    @expires, @isPinned, @cited, @looked, @stale, @sure, @asked
  WHERE (SELECT count(*) FROM channel_notes WHERE surface = @surface AND place = @place) < @full`;
const WHILE_OPEN = "AND EXISTS (SELECT 1 FROM note_proposals WHERE id = @proposal AND outcome = 'open')";

const EDIT = `
  UPDATE channel_notes SET text = @text, wrote = @wrote, pinned = @isPinned, cited = @cited, looked = @looked, stale = @stale,
    sure = @sure, asked = @asked, expires = @expires
  WHERE id = @id`;

const PROPOSE = `
  INSERT INTO note_proposals (id, surface, place, conversation, turn, message, at, fingerprint, repo, text, author, author_name,
    outcome)
  VALUES (@id, @surface, @place, @conversation, @turn, (
    SELECT body ->> 'source' FROM claims WHERE conversation = @conversation AND body ->> '$.speaker.id' = @author
      AND message IS NOT NULL ORDER BY arrival DESC LIMIT 1
  ), @at, @fingerprint, @repo, @text, @author, @name, 'open')
  ON CONFLICT (id) DO NOTHING`;
const REMEMBERED = `
  UPDATE note_proposals SET outcome = 'remembered', text = NULL, decided = @at
  WHERE id = @proposal AND outcome = 'open' AND EXISTS (SELECT 1 FROM channel_notes WHERE id = @note)`;
const REFUSE =
  "UPDATE note_proposals SET outcome = 'refused', text = NULL, decided = @at WHERE id = @id AND outcome = 'open'";
