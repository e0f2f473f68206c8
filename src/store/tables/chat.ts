/** What chat surfaces keep: the inbox that is written before a platform is acknowledged, bindings, who takes part. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId } from "../../machine/id.ts";
import type { ChannelSettings } from "../../ports/channels.ts";
import { LANGUAGES } from "../../words/say.ts";
import type { Announced, Binding, ChatStore, Participant, Waiting } from "../../ports/chat-rows.ts";
import type { InboxRow } from "../../ports/chat.ts";
import { type Repo, severalOf } from "../../ports/conversation.ts";
import { encode, json, type Read } from "../codec.ts";
import { instructions, repo } from "../schema/conversation.ts";
import { conversationId, personId } from "../schema/id.ts";
import { askKind } from "../schema/words.ts";
import type { Direct } from "../write/direct.ts";
import { DONE, doing, whole, writing } from "../write/write.ts";
import { createReplies } from "./replies.ts";

const inboxRow = z.object({ id: z.string(), lane: z.string(), at: z.number(), body: json(z.unknown()) });
const binding = z
  .object({ repo: json(repo), bound_by: personId, at: z.number() })
  .transform(({ bound_by: by, ...row }): Binding => ({ ...row, by }));
const channelRow = z
  .object({
    mode: z.string().nullable(),
    model: z.string().nullable(),
    approvers: json(z.array(z.string()).readonly()),
    servers: json(z.array(z.string()).readonly()),
    knowledge: json(z.array(z.string()).readonly()),
    language: z.enum(LANGUAGES).nullable(),
    review: z.string().nullable(),
    set_by: personId,
    at: z.number(),
  })
  .transform(({ set_by: by, ...row }): ChannelSettings => ({ ...row, by }));
const boundRepo = z.object({ repo: json(repo) });
const waiting = z
  .object({
    place: z.string(),
    root: z.string(),
    conversation: conversationId,
    asked_at: z.number(),
    type: askKind,
    title: json(z.string()),
  })
  .transform(({ asked_at: askedAt, ...row }): Waiting => ({ ...row, askedAt }));
const announced = z
  .object({ wire: z.string(), place: z.string(), message: z.string(), is_open: z.number() })
  .transform(({ is_open: isOpen, ...row }): Announced => ({ ...row, isOpen: isOpen === 1 }));
const reviewCard = z.object({
  wire: z.string(),
  place: z.string(),
  messages: json(z.array(z.string()).readonly()),
});
const unbound = z.object({
  place: z.string(),
  root: z.string(),
  message: z.string(),
  note: z.string().nullable(),
  at: z.number(),
});
const participant = z
  .object({ person: z.string(), hinted: z.number() })
  .transform(({ person, hinted }): Participant => ({ person, hinted: hinted === 1 }));

export const createChatStore = (db: Database, read: Read): Direct<ChatStore> => {
  const insert = db.prepare(`
    INSERT INTO inbox (surface, id, lane, at, body, place, root, position, loose)
    VALUES (@surface, @id, @lane, @at, @body, @place, @root, @position, @loose)
    ON CONFLICT (surface, id) DO NOTHING`);
  const settle = db.prepare("UPDATE inbox SET body = NULL WHERE surface = ? AND id = ?");
  const selectOpen = db.prepare(
    "SELECT id, lane, at, body FROM inbox WHERE surface = ? AND body IS NOT NULL ORDER BY arrival",
  );
  const selectLast = db
    .prepare<[string], number | null>("SELECT max(at) FROM inbox WHERE surface = ?")
    .pluck();
  const forget = db.prepare("DELETE FROM inbox WHERE surface = ? AND body IS NULL AND at < ?");
  const forgetReplies = db.prepare("DELETE FROM replies WHERE surface = ? AND at < ?");
  const selectBinding = db.prepare("SELECT repo, bound_by, at FROM bindings WHERE surface = ? AND place = ?");
  const bind = db.prepare(`
    INSERT INTO bindings (surface, place, repo, bound_by, at) VALUES (@surface, @place, @repo, @by, @at)
    ON CONFLICT (surface, place) DO UPDATE SET repo = excluded.repo, bound_by = excluded.bound_by, at = excluded.at`);
  const selectInstructions = db.prepare(
    "SELECT text, set_by AS by, at FROM instructions WHERE surface = ? AND place = ?",
  );
  const instruct = db.prepare(`
    INSERT INTO instructions (surface, place, text, set_by, at) VALUES (@surface, @place, @text, @by, @at)
    ON CONFLICT (surface, place) DO UPDATE SET text = excluded.text, set_by = excluded.set_by, at = excluded.at`);
  const clear = db.prepare("DELETE FROM instructions WHERE surface = ? AND place = ?");
  const selectChannel = db.prepare(
    "SELECT mode, model, approvers, servers, knowledge, language, review, set_by, at FROM channels WHERE surface = ? AND place = ?",
  );
  const setChannel = db.prepare(`
    INSERT INTO channels (surface, place, mode, model, approvers, servers, knowledge, language, review, set_by, at)
    VALUES (@surface, @place, @mode, @model, @approvers, @servers, @knowledge, @language, @review, @by, @at)
    ON CONFLICT (surface, place) DO UPDATE SET
      mode = excluded.mode, model = excluded.model, approvers = excluded.approvers, servers = excluded.servers,
      knowledge = excluded.knowledge, language = excluded.language, review = excluded.review,
      set_by = excluded.set_by, at = excluded.at`);
  const selectChannels = db.prepare<[], { readonly surface: string; readonly place: string }>(`
    SELECT surface, place FROM bindings UNION SELECT surface, place FROM channels
    UNION SELECT surface, place FROM instructions
    UNION SELECT substr(scope, 9, instr(substr(scope, 9), ':') - 1), substr(scope, 9 + instr(substr(scope, 9), ':'))
      FROM budgets WHERE scope LIKE 'channel:_%:_%'
    ORDER BY surface, place`);
  const selectBound = db.prepare("SELECT DISTINCT repo FROM bindings WHERE surface = ? ORDER BY repo");
  const selectThread = db
    .prepare<[string, string], number>("SELECT 1 FROM threads WHERE surface = ? AND place = ? LIMIT 1")
    .pluck();
  const selectUnbound = db.prepare(
    "SELECT place, root, message, note, at FROM unbound WHERE surface = ? AND place = ? ORDER BY at, message",
  );
  const setUnbound = db.prepare(`
    INSERT INTO unbound (surface, place, message, root, note, at)
    VALUES (@surface, @place, @message, @root, @note, @at)
    ON CONFLICT (surface, place, message) DO UPDATE SET note = excluded.note`);
  const dropUnbound = db.prepare("DELETE FROM unbound WHERE surface = ? AND place = ? AND message = ?");
  const forgetUnbound = db.prepare("DELETE FROM unbound WHERE surface = ? AND at < ?");
  const selectParticipants = db.prepare(
    "SELECT person, hinted FROM participants WHERE conversation = ? ORDER BY person",
  );
  const join = db.prepare(`
    INSERT INTO participants (conversation, person, hinted) VALUES (?, ?, ?)
    ON CONFLICT (conversation, person) DO UPDATE SET hinted = excluded.hinted`);
  const selectWaiting = db.prepare(`
    SELECT threads.place, threads.root, questions.conversation, questions.asked_at, questions.type, conversations.title
    FROM questions
      JOIN threads ON threads.conversation = questions.conversation
      JOIN conversations ON conversations.id = questions.conversation
    WHERE questions.status = 'pending' AND threads.surface = ?
    ORDER BY questions.asked_at`);
  const selectAnnounced = db.prepare(
    "SELECT wire, place, message, is_open FROM announcements WHERE surface = ? AND is_open = 1",
  );
  const announce = db.prepare(`
    INSERT INTO announcements (surface, wire, place, message, is_open)
    VALUES (@surface, @wire, @place, @message, @isOpen)
    ON CONFLICT (surface, wire) DO UPDATE SET is_open = excluded.is_open`);
  const selectReviewCards = db.prepare(
    "SELECT wire, place, messages FROM review_cards WHERE surface = ? ORDER BY wire",
  );
  const putReviewCard = db.prepare(`
    INSERT INTO review_cards (surface, wire, place, messages) VALUES (@surface, @wire, @place, @messages)
    ON CONFLICT (surface, wire) DO UPDATE SET place = excluded.place, messages = excluded.messages`);
  const dropReviewCard = db.prepare("DELETE FROM review_cards WHERE surface = ? AND wire = ?");
  const selectHeard = db.prepare<[ConversationId], { readonly message: string }>(
    "SELECT message FROM heard WHERE conversation = ?",
  );
  const hear = db.prepare(`
    INSERT INTO heard (conversation, message) VALUES (?, ?)
    ON CONFLICT (conversation) DO UPDATE SET message = excluded.message`);

  const arrive = whole(db, (surface: string, rows: readonly InboxRow[], loose = false) => {
    const fresh = rows.filter(
      ({ body, from = NOWHERE, ...row }) =>
        insert.run({ ...row, ...from, surface, body: encode(body), loose: loose ? 1 : 0 }).changes === 1,
    );
    return { ...DONE, fresh: new Set(fresh.map(({ id }) => id)) };
  });

  const parsed = <S extends z.ZodType>(schema: S, row: unknown, table: string): z.output<S> | null =>
    read(schema, row, { table });

  return {
    arrive: writing(arrive),
    settle: doing((surface, id) => settle.run(surface, id)),
    lastArrival: (surface) => selectLast.get(surface) ?? null,
    unhandled: (surface) => selectOpen.all(surface).flatMap((row) => parsed(inboxRow, row, "inbox") ?? []),
    forget: doing((surface, at) => {
      forget.run(surface, at);
      forgetReplies.run(surface, at);
      forgetUnbound.run(surface, at);
    }),
    ...createReplies(db, read),
    binding: (surface, place) => parsed(binding, selectBinding.get(surface, place), "bindings"),
    bind: doing((surface, place, { repo: bound, by, at }) =>
      bind.run({ surface, place, repo: encode(bound), by, at }),
    ),
    instructions: (surface, place) =>
      parsed(instructions, selectInstructions.get(surface, place), "instructions"),
    instruct: doing((surface, place, said) =>
      said === null ? clear.run(surface, place) : instruct.run({ surface, place, ...said }),
    ),
    channel: (surface, place) => parsed(channelRow, selectChannel.get(surface, place), "channels"),
    setChannel: doing((surface, place, { approvers, servers, knowledge, ...row }) =>
      setChannel.run({
        ...row,
        surface,
        place,
        approvers: encode(approvers),
        servers: encode(servers),
        knowledge: encode(knowledge),
      }),
    ),
    channels: () => selectChannels.all(),
    bound: (surface): readonly Repo[] =>
      selectBound.all(surface).flatMap((row) => {
        const bound = parsed(boundRepo, row, "bindings")?.repo;
        if (bound === undefined) return [];
        const several: readonly Repo[] = severalOf(bound);
        return several.length === 0 ? [bound] : several;
      }),
    isFirstIn: (surface, place) => selectThread.get(surface, place) === undefined,
    unbound: (surface, place) =>
      selectUnbound.all(surface, place).flatMap((row) => parsed(unbound, row, "unbound") ?? []),
    setUnbound: doing((surface, { place, root, message, note, at }) =>
      setUnbound.run({ surface, place, root, message, note, at }),
    ),
    dropUnbound: doing((surface, place, message) => dropUnbound.run(surface, place, message)),
    participants: (conversation) =>
      selectParticipants.all(conversation).flatMap((row) => parsed(participant, row, "participants") ?? []),
    waiting: (surface) =>
      selectWaiting.all(surface).flatMap((row) => parsed(waiting, row, "questions") ?? []),
    announced: (surface) =>
      selectAnnounced.all(surface).flatMap((row) => parsed(announced, row, "announcements") ?? []),
    setAnnounced: doing((surface, { isOpen, ...row }) =>
      announce.run({ ...row, surface, isOpen: isOpen ? 1 : 0 }),
    ),
    reviewCards: (surface) =>
      selectReviewCards.all(surface).flatMap((row) => parsed(reviewCard, row, "review_cards") ?? []),
    putReviewCard: doing((surface, { wire, place, messages }) =>
      putReviewCard.run({ surface, wire, place, messages: encode(messages) }),
    ),
    dropReviewCard: doing((surface, wire) => dropReviewCard.run(surface, wire)),
    joined: doing((conversation, { person, hinted }) => join.run(conversation, person, hinted ? 1 : 0)),
    heard: (conversation) => selectHeard.get(conversation)?.message ?? null,
    setHeard: doing((conversation, message) => hear.run(conversation, message)),
  };
};

const NOWHERE = { place: null, root: null, position: null };
