/** Rows from before results said whose text they are (schema 32) are brought up with what the tool's name said then. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { expect, it } from "vitest";
import type { MessageId } from "../../src/machine/id.ts";
import { CUT } from "../../src/machine/round.ts";
import type { EntryKind, Outcome } from "../../src/machine/transcript.ts";
import type { ResultOrigin } from "../../src/machine/vocabulary.ts";
import { canonical } from "../../src/text/canonical.ts";
import { openWithConnection, temporary } from "./kit.ts";
import { begin, commitOf, take } from "./plain.ts";

/** As schema 32 counted each tool. */
const BEFORE: readonly (readonly [tool: string, ResultOrigin])[] = [
  ["read_issue", "forge"],
  ["search_issues", "forge"],
  ["read_pull_request", "forge"],
  ["read_checks", "forge"],
  ["search_knowledge", "web"],
  ["mcp_tools", "server"],
  ["mcp_call", "server"],
  ["spawn_agents", "model"],
  ["bash", "checkout"],
  ["file_issue", "checkout"],
];

it("41.1 rows of schema 32 say whose text a result is and which call was cut off, as they did by name", () => {
  const name = join(temporary(), "parley.sqlite");
  const { store, db } = openWithConnection(name);
  let state = begin(store);
  for (const [tool, origin] of BEFORE) {
    const message: MessageId = `m-${tool}`;
    const entry = resultOf(tool, { kind: "ran", message, isError: false }, origin);
    const words = [{ id: message, words: { kind: "result", text: "out", images: [], diff: null } }] as const;
    const event = { kind: "ran", at: state.seq, by: "e1", message, origin, ...RAN } as const;
    state = take(
      store,
      commitOf(state, { event, append: [{ ...entry, turn: 1, seq: state.seq, at: 1 }], words }),
    );
  }
  const cut = { ...resultOf("bash", CUT, "host"), turn: 1, seq: state.seq, at: 1 };
  const rows = [{ message: "m-a", call: cut.call, outcome: CUT, took: 1 }];
  db.prepare(
    "INSERT INTO posts (conversation, key, ordinal, revision, body) VALUES ('c-1', 'turn/1', 1, 1, ?)",
  ).run(canonical({ kind: "turn", steps: { count: 1, rows } }));
  take(store, commitOf(state, { append: [cut] }));
  const wanted = rowsOf(db);
  expect(JSON.stringify(wanted)).toContain('"cut":true');

  db.exec(`
    UPDATE messages SET entry = json_remove(entry, '$.origin', '$.outcome.cut') WHERE kind = 'result';
    UPDATE events SET event = json_remove(event, '$.origin');
    UPDATE posts SET body = replace(body, '"cut":true,', '');`);
  expect(JSON.stringify(rowsOf(db))).not.toMatch(/"origin"|"cut"/);
  db.exec(
    "INSERT INTO messages (id, conversation, position, turn, kind, entry) VALUES ('m-x', 'c-1', 99, 1, 'result', '{')",
  );
  db.exec(readFileSync(new URL("../../src/store/migrations/0033-origins.sql", import.meta.url), "utf8"));
  // A damaged row is left as it is.
  db.exec("DELETE FROM messages WHERE id = 'm-x'");
  expect(rowsOf(db)).toEqual(wanted);
  db.close();
});

const RAN = { isError: false, background: false, reached: [] } as const;

const resultOf = (name: string, outcome: Outcome, origin: ResultOrigin): EntryKind & { kind: "result" } => ({
  kind: "result",
  call: { id: "t1", name, intent: "tool" },
  outcome,
  origin,
});

const rowsOf = (db: Database): unknown =>
  [
    "SELECT entry AS text FROM messages WHERE entry IS NOT NULL ORDER BY position",
    "SELECT event AS text FROM events ORDER BY seq",
    "SELECT body AS text FROM posts ORDER BY ordinal",
  ].map((sql) =>
    db
      .prepare<[], { readonly text: string }>(sql)
      .all()
      .map(({ text }): unknown => JSON.parse(text)),
  );
