import * as z from "zod";
import { jsonOf } from "../../../adapters/http/body.ts";
import { badRequest, notFound, refusal, storeFailed } from "../../../adapters/http/problem.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import { english } from "../../i18n/say.ts";
import type { MemoryBody } from "./memory-body.ts";
import { notePerson, type NoteResult } from "./memory.ts";
import type { ChannelNote, NotePerson } from "./note.ts";
import type { MemoryContext } from "./open.ts";

export const readNotes = ({ memory }: MemoryContext): Promise<Response> => {
  const notes = memory.all();
  const proposals = memory.proposals();
  const addresses: readonly ChannelAddress[] = [...notes, ...proposals];
  const channels = new Map(addresses.map((at) => [channelOf(at), at]));
  const body: MemoryBody = {
    notes: notes.map((note) => ({
      id: note.id,
      channel: channelOf(note),
      number: note.number,
      text: note.text,
      repo: note.repo,
      author: nameOf(note.author),
      approver: note.approver === null ? null : nameOf(note.approver),
      at: note.at,
      conversation: note.source,
      messageLink: note.messageLink,
      expires: note.expires,
      isPinned: note.isPinned,
      isPublic: note.isPublic,
      stale: note.stale,
    })),
    changes: [...channels.values()]
      .flatMap((at) => memory.changes(at))
      .toSorted((a, b) => b.at - a.at)
      .map((change) => ({
        channel: channelOf(change),
        number: change.number,
        at: change.at,
        what: change.what,
        person: change.person === null ? null : nameOf(change.person),
        before: change.before,
      })),
    proposals: proposals.flatMap(({ text, author, ...one }) =>
      text === null
        ? []
        : [
            {
              id: one.id,
              channel: channelOf(one),
              text,
              author: nameOf(author),
              at: one.at,
              conversation: one.conversation,
            },
          ],
    ),
  };
  return Promise.resolve(Response.json(body));
};

export const changeNotes = async (own: MemoryContext, request: Request): Promise<Response> => {
  const asked = await jsonOf(request, changeBody);
  const by = notePerson({ id: own.operator.id, name: "Console" });
  return Response.json({ number: await change(own, asked, by) });
};

const changeBody = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("add"),
    channel: z.string().regex(/^[a-z]{1,20}:[\w-]{1,40}$/, "is a surface and an id such as slack:C024BE91L"),
    text: z.string().max(4_000),
    isAboutRepo: z.boolean().default(false),
  }),
  z.object({ action: z.literal("edit"), id: z.string(), text: z.string().max(4_000) }),
  z.object({ action: z.enum(["remove", "pin", "unpin", "confirm"]), id: z.string() }),
  z.object({
    action: z.literal("remember"),
    proposal: z.string(),
    text: z.string().max(4_000).exactOptional(),
  }),
  z.object({ action: z.literal("refuse"), proposal: z.string() }),
]);

/** Returns the number of the changed note; null if a proposal was refused. */
const change = async (
  { memory, show }: MemoryContext,
  asked: z.output<typeof changeBody>,
  by: NotePerson,
): Promise<number | null> => {
  switch (asked.action) {
    case "add": {
      const [surface = "", place = ""] = asked.channel.split(":");
      const { text, isAboutRepo } = asked;
      // The channel may be private, so other channels do not get a note that the operator adds for it.
      const readers = { isPublic: surface === "console", server: null };
      return changed(await memory.add({ surface, place }, { text, isAboutRepo, expires: null }, by, readers));
    }
    case "edit":
      return changed(await memory.edit(noteNamed(memory, asked.id), asked.text, by));
    case "pin":
    case "unpin":
      return changed(await memory.pin(noteNamed(memory, asked.id), asked.action === "pin", by));
    case "remove":
      return changed(await memory.remove(noteNamed(memory, asked.id), by));
    case "confirm":
      return changed(await memory.confirm(noteNamed(memory, asked.id), by));
    case "remember": {
      const proposal = memory.proposal(asked.proposal);
      const result = await memory.remember(asked.proposal, asked.text ?? null, by, PRIVATE);
      if (proposal === null || result === null) throw decidedBefore();
      const number = changed(result);
      if (result.kind === "done")
        await show(proposal, { state: "remembered", by: by.id, number, text: result.note.text });
      return number;
    }
    case "refuse": {
      const proposal = memory.proposal(asked.proposal);
      const done = await memory.refuse(asked.proposal);
      if (done === null || proposal === null) throw decidedBefore();
      if (done.kind === "failed") throw storeFailed(done);
      await show(proposal, { state: "refused", by: by.id });
      return null;
    }
  }
};

const changed = (result: NoteResult): number => {
  if (result.kind === "failed") throw storeFailed(result);
  if (result.kind === "refused") throw badRequest("unusable_note", result.why(english));
  return result.note.number;
};

const decidedBefore = () =>
  refusal({ status: 409, code: "already_decided", message: "The note was decided before." });

const noteNamed = (memory: MemoryContext["memory"], id: string): ChannelNote => {
  const note = memory.note(id);
  if (note === null) throw notFound("note", "There is no such note. It may have been removed.");
  return note;
};

const channelOf = ({ surface, place }: ChannelAddress): string => `${surface}:${place}`;

const nameOf = ({ id, name }: NotePerson): string => name ?? id;

/** The console does not know who reads the channel of a proposal. */
const PRIVATE = { isPublic: false, server: null, messageLink: null };
