/** Rows of pull requests that are looked after. Each change names only its own columns, because two hosts may write. */

import * as z from "zod";
import type { ConversationId } from "../../../machine/id.ts";
import type { Done, Log } from "../../../ports/host.ts";
import type { Rows } from "../../../ports/rows.ts";
import { createRead, encode, flag, json } from "../../../store/base/codec.ts";
import { conversationIdSchema, personIdSchema } from "../../../store/schema/id.ts";
import {
  TEND_ENDS,
  TEND_PHASES,
  type TendCause,
  type TendedPull,
  type TendedPush,
  type TendEnd,
  type TendPhase,
} from "./bounds.ts";

const pullRow = z.object({
  id: z.string(),
  conversation: conversationIdSchema,
  surface: z.string(),
  place: z.string(),
  by: personIdSchema,
  byName: z.string().nullable(),
  account: z.string().nullable(),
  name: z.string(),
  number: z.number(),
  branch: z.string(),
  began: z.number(),
  ends: z.number(),
  pushes: z.number(),
  budget: z.number(),
  head: z.string(),
  expected: z.string().nullable(),
  seen: json(z.array(z.string())),
  turn: z.number(),
  tries: z.number(),
  phase: z.enum(TEND_PHASES),
  cause: json(
    z.object({ checks: z.boolean(), remarks: z.array(z.string()), hadEdits: z.boolean().exactOptional() }),
  ),
  trouble: z.number().nullable(),
  ended: z.enum(TEND_ENDS).nullable(),
  told: flag,
});

const pushRow = z.object({
  no: z.number(),
  fingerprint: z.string(),
  commit: z.string().nullable(),
  standing: z.enum(["admitted", "landed", "void"]),
  told: flag,
});

const PULLS = `SELECT id, conversation, surface, place, person AS "by", person_name AS "byName", account, name, number, branch,
  began, ends, pushes, budget, head, expected, seen, turn, tries, phase, cause, trouble, ended, told
  FROM tended_pulls`;

export interface TendRows {
  /** Pull requests whose end the thread does not show yet. */
  active(): readonly TendedPull[];
  /** The newest one of the conversation. */
  of(conversation: ConversationId): TendedPull | null;
  find(id: string): TendedPull | null;
  pushes(id: string): readonly TendedPush[];
  /** The push of a decided card, with the id of its pull request; null if a person decided about the card. */
  pushOf(
    conversation: ConversationId,
    fingerprint: string,
  ): (TendedPush & { readonly tended: string }) | null;
  /** Does nothing if the conversation has one already. */
  begin(pull: TendedPull): Promise<Done>;
  end(id: string, why: TendEnd): Promise<Done>;
  toldEnd(id: string): Promise<Done>;
  turn(id: string, turn: TurnChange): Promise<Done>;
  trouble(id: string, since: number | null): Promise<Done>;
  /** Stores the push unless the number of pushes is used up or it is stored. */
  admit(pull: TendedPull, fingerprint: string): Promise<Done>;
  drop(id: string, no: number): Promise<Done>;
  /** Before a push: the commit that the branch will have. `no` is the number of the push under the click. */
  expect(pull: TendedPull, commit: string, no: number | null): Promise<Done>;
  landed(id: string, commit: string): Promise<Done>;
  toldPush(id: string, no: number): Promise<Done>;
}

export interface TurnChange {
  readonly phase: TendPhase;
  readonly turn: number;
  readonly tries: number;
  readonly cause: TendCause;
  readonly seen: readonly string[];
}

export const createTendRows = (rows: Rows, log: Log): TendRows => {
  const read = createRead(log);
  const selectActive = rows.select(`${PULLS} WHERE told = 0 ORDER BY id`);
  const selectOf = rows.select(
    `${PULLS} WHERE conversation = @conversation ORDER BY began DESC, id DESC LIMIT 1`,
  );
  const selectOne = rows.select(`${PULLS} WHERE id = @id`);
  const selectPushes = rows.select(
    'SELECT no, fingerprint, commit_id AS "commit", standing, told FROM tended_pushes WHERE tended = @id ORDER BY no',
  );
  const selectPush = rows.select(
    `SELECT tended, no, fingerprint, commit_id AS "commit", standing, told FROM tended_pushes
      WHERE conversation = @conversation AND fingerprint = @fingerprint ORDER BY tended, no`,
  );
  const pulls = (found: readonly unknown[]) => read.all(pullRow, found, { table: "tended_pulls" });

  return {
    active: () => pulls(selectActive({})),
    of: (conversation) => pulls(selectOf({ conversation })).at(0) ?? null,
    find: (id) => pulls(selectOne({ id })).at(0) ?? null,
    pushes: (id) => read.all(pushRow, selectPushes({ id }), { table: "tended_pushes" }),
    pushOf: (conversation, fingerprint) =>
      read
        .all(pushRow.extend({ tended: z.string() }), selectPush({ conversation, fingerprint }), {
          table: "tended_pushes",
        })
        .findLast(({ standing }) => standing !== "void") ?? null,
    begin: ({ seen, cause, told, ...pull }) =>
      rows.write([
        {
          sql: BEGIN,
          values: { ...pull, seen: encode(seen), cause: encode(cause), told: told ? 1 : 0 },
        },
      ]),
    end: (id, why) => rows.write([{ sql: END, values: { id, why } }]),
    toldEnd: (id) => rows.write([{ sql: TOLD_END, values: { id } }]),
    turn: (id, { cause, seen, ...change }) =>
      rows.write([{ sql: TURN, values: { id, ...change, cause: encode(cause), seen: encode(seen) } }]),
    trouble: (id, since) => rows.write([{ sql: TROUBLE, values: { id, since } }]),
    admit: ({ id, conversation }, fingerprint) =>
      rows.write([{ sql: ADMIT, values: { id, conversation, fingerprint } }]),
    drop: (id, no) => rows.write([{ sql: DROP, values: { id, no } }]),
    expect: ({ id }, commit, no) =>
      rows.write([
        { sql: EXPECT, values: { id, commit } },
        ...(no === null ? [] : [{ sql: COMMIT, values: { id, no, commit } }]),
      ]),
    landed: (id, commit) =>
      rows.write([
        { sql: LANDED, values: { id, commit } },
        { sql: PUSHED, values: { id, commit } },
      ]),
    toldPush: (id, no) => rows.write([{ sql: TOLD_PUSH, values: { id, no } }]),
  };
};

const BEGIN = `
  INSERT INTO tended_pulls (id, conversation, surface, place, person, person_name, account, name, number, branch, began, ends,
    pushes, budget, head, expected, seen, turn, tries, phase, cause, trouble, ended, told)
  SELECT @id, @conversation, @surface, @place, @by, @byName, @account, @name, @number, @branch, @began, @ends,
    @pushes, @budget, @head, @expected, @seen, @turn, @tries, @phase, @cause, @trouble, @ended, @told
  WHERE NOT EXISTS (SELECT 1 FROM tended_pulls WHERE conversation = @conversation AND ended IS NULL)`;
const END = "UPDATE tended_pulls SET ended = @why WHERE id = @id AND ended IS NULL";
const TOLD_END = "UPDATE tended_pulls SET told = 1 WHERE id = @id";
const TURN = `
  UPDATE tended_pulls SET phase = @phase, turn = @turn, tries = @tries, cause = @cause, seen = @seen
  WHERE id = @id`;
const TROUBLE = "UPDATE tended_pulls SET trouble = @since WHERE id = @id";
const ADMIT = `
  INSERT INTO tended_pushes (tended, no, conversation, fingerprint, commit_id, standing, told)
  SELECT @id, (SELECT count(*) FROM tended_pushes WHERE tended = @id) + 1, @conversation, @fingerprint, NULL, 'admitted', 0
  WHERE NOT EXISTS (SELECT 1 FROM tended_pushes
      WHERE tended = @id AND fingerprint = @fingerprint AND standing <> 'void')
    AND (SELECT count(*) FROM tended_pushes WHERE tended = @id AND standing <> 'void')
      < (SELECT pushes FROM tended_pulls WHERE id = @id AND ended IS NULL)`;
const DROP = `
  UPDATE tended_pushes SET standing = 'void', told = 1 WHERE tended = @id AND no = @no AND standing = 'admitted'`;
const EXPECT = "UPDATE tended_pulls SET expected = @commit WHERE id = @id";
const COMMIT = "UPDATE tended_pushes SET commit_id = @commit WHERE tended = @id AND no = @no";
const LANDED = "UPDATE tended_pulls SET head = @commit, expected = NULL WHERE id = @id";
const PUSHED =
  "UPDATE tended_pushes SET standing = 'landed' WHERE tended = @id AND commit_id = @commit AND standing <> 'landed'";
const TOLD_PUSH = "UPDATE tended_pushes SET told = 1 WHERE tended = @id AND no = @no";
