/** Questions and what became of them, as rows: thousands of them at once. */

import type { Database } from "better-sqlite3";
import { encode } from "../../src/store/base/codec.ts";
import { conversationOf, stateOf } from "./plain.ts";

export interface AskedRow {
  readonly n: number;
  readonly at: number;
  readonly question: string;
  readonly asker?: string;
  readonly place?: string;
  readonly server?: string | null;
  /** Null: the turn fails. */
  readonly answer?: {
    readonly audience?: "public" | "private" | null;
    readonly cited?: readonly string[];
    readonly cost?: number;
    readonly standing?: "holds" | "moved" | "changed";
  } | null;
}

/** Each in a conversation and a thread of its own. */
export const insertAsked = (db: Database): ((row: AskedRow) => void) => {
  db.prepare("INSERT INTO prefixes VALUES ('h1', '\"\"', '[]') ON CONFLICT DO NOTHING").run();
  const conversation = db.prepare(`
    INSERT INTO conversations (id, surface, title, repo, created_by, created_at, updated_at, user_initiated, prefix,
      phase, state, initial, base)
    VALUES (?, 'slack', '"A thread"', ?, 'slack:U1', ?, ?, 1, 'h1', 'idle', ?, ?, ?)`);
  const message = db.prepare(
    "INSERT INTO messages (id, conversation, position, turn, kind, entry, words) VALUES (?, ?, ?, 1, ?, ?, ?)",
  );
  const thread = db.prepare(
    "INSERT INTO threads (conversation, surface, place, root, server) VALUES (?, 'slack', ?, ?, ?)",
  );
  const answered = db.prepare(`
    INSERT INTO answers (conversation, message, turn, question, said, at, cost, citations, standing, audience)
    VALUES (?, ?, 1, ?, '[]', ?, ?, ?, ?, ?)`);
  return ({ n, at, question, asker = "slack:U1", place = "CGENERAL", server = null, answer = {} }) => {
    const id = `c-${n}` as const;
    const [asked, ended] = [`m-${n}-asked`, `m-${n}-ended`];
    const state = encode(stateOf(id));
    const base = encode({ commit: "c0", ref: "main", cwd: "/work" });
    conversation.run(id, encode(conversationOf(id).repo), at, at, state, state, base);
    thread.run(id, place, String(n), server);
    const speaker = { id: asker, mayDrive: true, mayApprove: true };
    const said = { kind: "said", turn: 1, seq: 1, at, message: asked, speaker, images: 0 };
    message.run(asked, id, 0, "said", encode(said), encode({ kind: "said", text: question, images: [] }));
    if (answer === null) {
      const failure = { kind: "overloaded", message: "It is busy.", retryAfter: null };
      const notice = { kind: "failed", failure, attempts: 3 };
      const entry = { kind: "notice", turn: 1, seq: 2, at, notice };
      message.run(ended, id, 1, "notice", encode(entry), null);
      return;
    }
    const { audience = "public", cited = [], cost = 0, standing = "holds" } = answer;
    const entry = { kind: "answer", turn: 1, seq: 2, at, message: ended, text: 9, calls: [], stop: "end" };
    const words = { kind: "answer", blocks: [{ kind: "text", text: "Here." }] };
    message.run(ended, id, 1, "answer", encode(entry), encode(words));
    const citations = cited.map((file) => ({ path: file, from: 1, to: 1, status: "found", file }));
    answered.run(id, ended, asked, at, cost, encode(citations), standing, audience);
  };
};
