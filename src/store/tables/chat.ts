/** Data of chat surfaces: the inbox, written before a platform is acknowledged, bindings, and participants. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import { LANGUAGES } from "../../i18n/say.ts";
import type { ChannelAddress } from "../../ports/channels.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import { type Repo, severalOf } from "../../ports/conversation.ts";
import type { Tables } from "../../ports/tables.ts";
import { encode, flag, json, type Read } from "../base/codec.ts";
import { createColumnReader } from "../base/column-reader.ts";
import { instructionsSchema, repoSchema } from "../schema/conversation.ts";
import { conversationIdSchema, listSchema, personIdSchema } from "../schema/id.ts";
import { askKindSchema } from "../schema/vocabulary.ts";
import { createTable } from "../base/table.ts";
import { DONE } from "../../ports/host.ts";
import { type DirectPort, doing, writing } from "../base/write.ts";
import { createMovePlace } from "./moved-place.ts";
import { createReplyTable } from "./replies.ts";

const names = json(listSchema(z.string()));
const inboxRow = z.object({ id: z.string(), lane: z.string(), at: z.number(), body: json(z.unknown()) });
const binding = z.object({ repo: json(repoSchema), by: personIdSchema, at: z.number() });
const channel = z.object({
  mode: z.string().nullable(),
  model: z.string().nullable(),
  approvers: names,
  servers: names,
  knowledge: names,
  language: z.enum(LANGUAGES).nullable(),
  review: z.string().nullable(),
  quiet: flag.nullable(),
  links: flag,
  by: personIdSchema,
  at: z.number(),
});
const waiting = z.object({
  place: z.string(),
  root: z.string(),
  conversation: conversationIdSchema,
  askedAt: z.number(),
  type: askKindSchema,
  title: json(z.string()),
});
const announced = z.object({ wire: z.string(), place: z.string(), message: z.string(), isOpen: flag });
const unbound = z.object({
  place: z.string(),
  root: z.string(),
  message: z.string(),
  note: z.string().nullable(),
  at: z.number(),
});
const participant = z.object({ person: z.string(), hinted: flag });

const OF_PLACE = ["surface", "place"] as const;

export const channelRows: Tables = {
  tables: {
    inbox: {
      kept: {
        "empty once the arrival is handled": ["body"],
        "ids of the platform, so that nothing is handled twice; old ones are dropped": [
          "arrival",
          "surface",
          "id",
          "lane",
          "at",
          "place",
          "root",
          "position",
          "loose",
        ],
      },
    },
    bindings: {
      kept: { "choices of a channel, and who made them": ["surface", "place", "repo", "bound_by", "at"] },
    },
    channels: {
      kept: {
        "choices of a channel, and who made them": [
          "surface",
          "place",
          "mode",
          "model",
          "approvers",
          "servers",
          "knowledge",
          "language",
          "review",
          "quiet",
          "links",
          "set_by",
          "at",
        ],
      },
    },
    unbound: {
      kept: {
        "ids of messages that wait for a repository": ["surface", "place", "message", "root", "note", "at"],
      },
    },
  },
  erase: {
    person: { kind: "kept", why: "choices and ids, no words" },
    conversation: { kind: "kept", why: "the rows belong to a channel" },
  },
};

export const instructionRows: Tables = {
  tables: { instructions: { person: ["surface", "place", "text", "set_by", "at"] } },
  erase: {
    person: {
      kind: "person",
      sql: ["DELETE FROM instructions WHERE set_by = @person"],
    },
    conversation: { kind: "kept", why: "the rows belong to a channel" },
  },
};

export const createChatStore = (
  db: Database,
  read: Read,
  tables: readonly Tables[],
): DirectPort<ChatStore> => {
  const pluck = createColumnReader(db);
  const table = createTable(db, read);
  const insert = db.prepare(`
    INSERT INTO inbox (surface, id, lane, at, body, place, root, position, loose)
    VALUES (@surface, @id, @lane, @at, @body, @place, @root, @position, @loose)
    ON CONFLICT (surface, id) DO NOTHING`);
  const settle = db.prepare("UPDATE inbox SET body = NULL WHERE surface = ? AND id = ?");
  const inbox = table("inbox", ["surface", "id"], inboxRow);
  const forget = [
    "DELETE FROM replies WHERE surface = ? AND at < ?",
    "DELETE FROM unbound WHERE surface = ? AND at < ?",
  ].map((sql) => db.prepare(sql));
  const forgetHandled = db.prepare("DELETE FROM inbox WHERE surface = ? AND body IS NULL AND at < ?");
  const selectUnused = db.prepare<[string], { readonly place: string; readonly at: number }>(`
    SELECT place, at FROM bindings AS bound WHERE surface = ?
      AND NOT EXISTS (SELECT 1 FROM inbox
        WHERE surface = bound.surface AND place = bound.place AND root = position)
      AND NOT EXISTS (SELECT 1 FROM cursors
        WHERE surface = bound.surface AND place = bound.place AND root = '')
    ORDER BY place`);
  const bindings = table("bindings", OF_PLACE, binding, { by: "bound_by" });
  const told = table("instructions", OF_PLACE, instructionsSchema, { by: "set_by" });
  const instruct = told.put();
  const clear = told.drop();
  const channels = table("channels", OF_PLACE, channel, { by: "set_by" });
  const selectChannels = db.prepare<[], ChannelAddress>(`
    SELECT surface, place FROM bindings UNION SELECT surface, place FROM channels
    UNION SELECT surface, place FROM instructions
    UNION SELECT substr(scope, 9, instr(substr(scope, 9), ':') - 1), substr(scope, 9 + instr(substr(scope, 9), ':'))
      FROM budgets WHERE scope LIKE 'channel:_%:_%'
    ORDER BY surface, place`);
  const selectBound = db.prepare("SELECT DISTINCT repo FROM bindings WHERE surface = ? ORDER BY repo");
  const selectThread = pluck.one("SELECT 1 FROM threads WHERE surface = ? AND place = ? LIMIT 1");
  const unbounds = table("unbound", [...OF_PLACE, "message"], unbound);
  const participants = table("participants", ["conversation", "person"], participant);
  const selectWaiting = db.prepare(`
    SELECT threads.place, threads.root, questions.conversation, questions.asked_at AS askedAt, questions.type,
      conversations.title
    FROM questions
      JOIN threads ON threads.conversation = questions.conversation
      JOIN conversations ON conversations.id = questions.conversation
    WHERE questions.status = 'pending' AND threads.surface = ?
    ORDER BY questions.asked_at`);
  const announcements = table("announcements", ["surface", "wire"], announced);
  const heard = table("heard", ["conversation"], z.object({ message: z.string() }));
  const selectHeard = heard.one();
  const hear = heard.put();
  const quiet = table("quiet", ["conversation"], z.object({ quiet: flag }));
  const selectQuiet = quiet.one();
  const hush = quiet.put();

  return {
    arrive: writing((surface, rows, loose = false) => {
      const fresh = rows.filter(
        ({ body, from = NOWHERE, ...row }) =>
          insert.run({ ...row, ...from, surface, body: encode(body), loose: loose ? 1 : 0 }).changes === 1,
      );
      return { ...DONE, fresh: new Set(fresh.map(({ id }) => id)) };
    }),
    settle: doing((surface, id) => settle.run(surface, id)),
    lastArrival: pluck.one("SELECT max(at) FROM inbox WHERE surface = ?"),
    unhandled: inbox.all("WHERE surface = ? AND body IS NOT NULL ORDER BY arrival"),
    heardUntil: pluck.one("SELECT max(at) FROM inbox WHERE surface = ? AND loose = 0"),
    newest: pluck.one(`SELECT position FROM inbox WHERE surface = ? AND loose = 0 AND position IS NOT NULL
      ORDER BY length(position) DESC, position DESC LIMIT 1`),
    forget: doing((surface, at, handled) => {
      forgetHandled.run(surface, handled);
      for (const statement of forget) statement.run(surface, at);
    }),
    ...createReplyTable(db, read),
    binding: bindings.one(),
    bind: doing(bindings.put()),
    instructions: told.one(),
    instruct: doing((surface, place, said) =>
      said === null ? clear(surface, place) : instruct(surface, place, said),
    ),
    channel: channels.one(),
    setChannel: doing(channels.put()),
    channels: () => selectChannels.all(),
    bound: (surface): readonly Repo[] =>
      read
        .all(binding.pick({ repo: true }), selectBound.all(surface), { table: "bindings" })
        .flatMap(({ repo: bound }): readonly Repo[] => {
          const several = severalOf(bound);
          return several.length === 0 ? [bound] : several;
        }),
    movePlace: doing(createMovePlace(db, tables)),
    unused: (surface) => selectUnused.all(surface),
    isFirstIn: (surface, place) => selectThread(surface, place) === null,
    unbound: unbounds.all("WHERE surface = ? AND place = ? ORDER BY at, message"),
    setUnbound: doing(unbounds.put()),
    dropUnbound: doing(unbounds.drop()),
    participants: participants.all("WHERE conversation = ? ORDER BY person"),
    waiting: (surface) => read.all(waiting, selectWaiting.all(surface), { table: "questions" }),
    announced: announcements.all("WHERE surface = ? AND is_open = 1"),
    setAnnounced: doing(announcements.put()),
    joined: doing(participants.put()),
    heard: (conversation) => selectHeard(conversation)?.message ?? null,
    setHeard: doing((conversation, message) => hear(conversation, { message })),
    isQuiet: (conversation) => selectQuiet(conversation)?.quiet ?? null,
    setQuiet: doing((conversation, isQuiet) => hush(conversation, { quiet: isQuiet })),
  };
};

const NOWHERE = { place: null, root: null, position: null };
