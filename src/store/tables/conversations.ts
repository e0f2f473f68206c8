import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ConversationId, Millis, PersonId } from "../../machine/id.ts";
import type { State } from "../../machine/state.ts";
import type { Base, Conversation, Prefix } from "../../ports/conversation.ts";
import type { Tables } from "../../ports/tables.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { encode, encodeState, flag, json, type Read } from "../base/codec.ts";
import { createColumnReader } from "../base/column-reader.ts";
import {
  baseSchema,
  instructionsSchema,
  conversationOriginSchema,
  repoSchema,
  toolSpecsSchema,
} from "../schema/conversation.ts";
import { conversationIdSchema, personIdSchema } from "../schema/id.ts";
import { stateSchema } from "../schema/state.ts";
import { createTable } from "../base/table.ts";
import type { StateRow } from "./step-rows.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export interface ConversationCounters {
  readonly entries: number;
  readonly posts: number;
  readonly revision: number;
}

export interface ConversationRow {
  readonly conversation: Conversation;
  readonly state: State;
}

const kept = z
  .object({
    id: conversationIdSchema,
    surface: z.string(),
    title: json(z.string()),
    repo: json(repoSchema),
    createdBy: personIdSchema,
    createdAt: z.number(),
    updatedAt: z.number(),
    prefix: z.string(),
    base: json(baseSchema).nullable(),
    archived: flag,
    introduces: flag,
    titledBy: personIdSchema.nullable(),
    instructions: json(instructionsSchema).nullable(),
    server: z.string().nullable(),
    origin: json(conversationOriginSchema).nullable(),
    state: json(stateSchema),
  })
  .transform(
    ({ state: of, server, instructions: told, archived, introduces, titledBy, ...row }): ConversationRow => ({
      conversation: omitUndefined({
        ...row,
        server: server ?? undefined,
        instructions: told ?? undefined,
        archived: archived || undefined,
        introduces: introduces || undefined,
        titledBy: titledBy ?? undefined,
      }),
      state: of,
    }),
  );

const began = json(stateSchema);
const FROM = { table: "conversations" };

interface Place {
  readonly updated_at: Millis;
  readonly id: string;
}

const READ = `id, surface, title, repo, created_by AS createdBy, created_at AS createdAt, updated_at AS updatedAt, prefix, base,
  origin, state, instructions, introduces, archived, titled_by AS titledBy,
  (SELECT server FROM threads WHERE threads.conversation = conversations.id) AS server`;
const FIRST_PAGE: Place = { updated_at: Number.MAX_SAFE_INTEGER, id: "" };

export const conversationRows: Tables = {
  tables: {
    conversations: {
      both: ["title", "titled_by", "instructions"],
      conversation: [
        "id",
        "surface",
        "repo",
        "created_by",
        "created_at",
        "updated_at",
        "parent",
        "user_initiated",
        "archived",
        "removed",
        "prefix",
        "base",
        "origin",
        "introduces",
        "phase",
        "entries",
        "posts",
        "revision",
        "state",
        "initial",
      ],
    },
  },
  erase: {
    person: {
      kind: "step",
      sql: [
        `UPDATE conversations SET title = @erased ->> '$.title', titled_by = NULL
          WHERE id = @conversation AND @erased ->> '$.title' IS NOT NULL`,
        "UPDATE conversations SET instructions = NULL WHERE id = @conversation AND @erased ->> '$.uninstructed'",
      ],
    },
    conversation: { kind: "last", sql: "DELETE FROM conversations WHERE id = ?" },
  },
};

export const prefixRows: Tables = {
  tables: {
    prefixes: {
      kept: { "system prompts and tools of a version, the same for everybody": ["hash", "system", "tools"] },
    },
  },
  erase: {
    person: { kind: "kept", why: "no words of people" },
    conversation: { kind: "kept", why: "conversations share them" },
  },
};

export const createConversations = (db: Database, read: Read) => {
  const pluck = createColumnReader(db);
  const insert = db.prepare(`
    INSERT INTO conversations (id, surface, title, repo, created_by, created_at, updated_at, prefix, base, origin, state,
      instructions, introduces, parent, user_initiated, phase, initial)
    VALUES (@id, @surface, @title, @repo, @createdBy, @createdAt, @updatedAt, @prefix, @base, @origin, @state,
      @instructions, @introduces, @parent, @isOfPeople, @phase, @state)`);
  const select = db.prepare(`SELECT ${READ} FROM conversations WHERE id = ? AND removed = 0`);
  const selectListed = (archived: 0 | 1) =>
    db.prepare<[Place]>(`
      SELECT ${READ} FROM conversations
      WHERE user_initiated = 1 AND archived = ${archived} AND (updated_at, id) < (@updated_at, @id)
      ORDER BY updated_at DESC, id DESC`);
  const lists = { listed: selectListed(0), archived: selectListed(1) };
  const selectPlace = db.prepare<[ConversationId], Place>(
    "SELECT updated_at, id FROM conversations WHERE id = ?",
  );
  const selectCounters = db.prepare<[ConversationId], ConversationCounters>(
    "SELECT entries, posts, revision FROM conversations WHERE id = ?",
  );
  const update = db.prepare(`
    UPDATE conversations SET state = @state, phase = @phase, updated_at = max(updated_at, @at),
      archived = iif(@back, 0, archived), entries = @entries, posts = @posts, revision = @revision
    WHERE id = @id`);
  const updateBase = db.prepare("UPDATE conversations SET base = ? WHERE id = ? AND base IS NULL");
  const selectBase = pluck.one<[ConversationId], string>("SELECT base FROM conversations WHERE id = ?");
  const updateTitle = db.prepare("UPDATE conversations SET title = ?, titled_by = ? WHERE id = ?");
  /* A sub-agent's id starts with its parent's, so that the primary key finds it. */
  const selectAgents = pluck.all<[{ readonly id: ConversationId }], ConversationId>(
    "SELECT id FROM conversations WHERE id >= @id || '-e' AND id < @id || '-f' AND parent = @id ORDER BY created_at, id",
  );
  const selectInitial = pluck.one("SELECT initial FROM conversations WHERE id = ?");

  return {
    insert(conversation: Conversation, initial: State): void {
      const { title, repo: works, base: at, origin: from, instructions: told, introduces } = conversation;
      insert.run({
        ...conversation,
        title: encode(title),
        repo: encode(works),
        base: at === null ? null : encode(at),
        origin: from === null ? null : encode(from),
        state: encodeState(initial),
        instructions: told === undefined ? null : encode(told),
        introduces: introduces === true ? 1 : 0,
        parent: initial.parent,
        isOfPeople: initial.kind === "thread" ? 1 : 0,
        phase: initial.phase.kind,
      });
    },

    get: (id: ConversationId): ConversationRow | null => read(kept, select.get(id), FROM),

    /** Latest activity first. Unreadable rows are skipped and not counted. */
    page(
      limit: number,
      before: ConversationId | null,
      which: "listed" | "archived" = "listed",
    ): readonly ConversationRow[] {
      const place = before === null ? FIRST_PAGE : selectPlace.get(before);
      return place === undefined ? [] : read.all(kept, lists[which].iterate(place), FROM, limit);
    },

    initial: (id: ConversationId): State | null =>
      read(began, selectInitial(id) ?? undefined, { ...FROM, id }),

    offspring: pluck.all<[ConversationId], ConversationId>(
      "SELECT id FROM conversations WHERE origin IS NOT NULL AND origin ->> 'conversation' = ? AND removed = 0",
    ),

    /** A reused answer ends its turn with a notice that names its original conversation. */
    repeats: pluck.all<[ConversationId], ConversationId>(`
      SELECT DISTINCT conversation FROM messages
      WHERE kind = 'notice' AND json_valid(entry) AND entry ->> '$.notice.kind' = 'reused'
        AND entry ->> '$.notice.from' = ?`),

    agents: (id: ConversationId): readonly ConversationId[] =>
      selectAgents({ id }).toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })),

    unsettled: pluck.all<[], ConversationId>(
      `SELECT id FROM conversations WHERE phase IN ('thinking', 'running', 'stopping', 'summarizing')
       UNION SELECT id FROM conversations WHERE phase = 'awaitingAgents'
       UNION SELECT id FROM conversations WHERE json_array_length(state, '$.branches') > 0
       UNION SELECT id FROM conversations WHERE json_array_length(state, '$.waiting') > 0`,
    ),

    counters: (id: ConversationId): ConversationCounters | null => selectCounters.get(id) ?? null,

    update: ({ back, ...row }: StateRow, counters: ConversationCounters): void =>
      void update.run({ ...counters, ...row, back: back ? 1 : 0 }),

    setTitle: (id: ConversationId, title: string, by: PersonId | null): boolean =>
      updateTitle.run(encode(title), by, id).changes === 1,

    /** A base is set only once. Returns false if the conversation is unknown or has another base. */
    setBase(id: ConversationId, base: Base): boolean {
      const text = encode(base);
      return updateBase.run(text, id).changes === 1 || selectBase(id) === text;
    },
  };
};

/** System prompts and tools of conversations, stored once each (D16). */
const prefix = z.object({ hash: z.string(), system: json(z.string()), tools: json(toolSpecsSchema) });

const KEPT = 16;

export const createPrefixes = (db: Database, read: Read) => {
  const prefixes = createTable(db, read)("prefixes", ["hash"], prefix);
  const insert = prefixes.insert();
  const select = prefixes.one();
  /** Conversations of one version share a few prefixes. */
  const known = createLruCache<Prefix>(KEPT);

  return {
    insert: (one: Prefix): void => void insert({ ...one, system: encode(one.system) }),

    get(hash: string): Prefix | null {
      const before = known.get(hash);
      if (before !== undefined) return before;
      const found = select(hash);
      if (found === null) return null;
      known.set(hash, found);
      return found;
    },
  };
};
