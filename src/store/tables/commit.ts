/** One accepted event as one transaction (idea 2): all rows of a step are stored, or none. */

import type { Database } from "better-sqlite3";
import type { ErasureRows, Tables } from "../../ports/tables.ts";
import { encode, type Read } from "../base/codec.ts";
import { createAnswered } from "./answers.ts";
import { createClaims } from "./claims.ts";
import { createConversations } from "./conversations.ts";
import { createMarkStale } from "./deliveries.ts";
import { createMessages } from "./messages.ts";
import { createPosts, createBumpRevision } from "./posts.ts";
import { createQuestions } from "./questions.ts";
import { createOweRefusal } from "./replies.ts";
import type { CommittedStep, StepRows } from "./step-rows.ts";
import { createTrace } from "./trace.ts";
import { writeFailed } from "../base/write.ts";

export const createStepTables = (db: Database, read: Read, declared: readonly Tables[]) => ({
  conversations: createConversations(db, read),
  messages: createMessages(db, read),
  trace: createTrace(db, read),
  questions: createQuestions(db, read),
  posts: createPosts(db, read),
  claims: createClaims(db, read),
  fallBehind: createMarkStale(db),
  showAnew: createBumpRevision(db),
  answered: createAnswered(db),
  oweRefusal: createOweRefusal(db),
  erasers: declared.flatMap(({ erase: { person } }) =>
    person.kind === "step" ? person.sql.map((sql) => db.prepare<[StepErasure]>(sql)) : [],
  ),
});

/** Parameters for the SQL of a declaration (`src/ports/tables.ts`); `erased` and `ids` are JSON. */
interface StepErasure {
  readonly conversation: StepRows["conversation"];
  readonly erased: string;
  readonly ids: string;
}

/** Throws SqliteError if the disk refuses. Fails if a row contradicts the commit: the transaction is then undone. */
export const createCommit = (tables: ReturnType<typeof createStepTables>) => {
  const {
    conversations,
    messages,
    trace,
    questions,
    posts,
    claims,
    fallBehind,
    showAnew,
    answered,
    oweRefusal,
    erasers,
  } = tables;

  const erase = (conversation: StepRows["conversation"], erasure: ErasureRows): void => {
    const ids = erasure.words.map(({ id }) => id);
    const erased = { conversation, erased: encode(erasure), ids: encode(ids) };
    for (const one of erasers) one.run(erased);
    showAnew.with(conversation, ids);
  };

  /** The claim keeps the text, so that its author can send it again. */
  const refuseWaiting = ({ conversation, at }: StepRows, refused: NonNullable<StepRows["refused"]>): void => {
    const key = claims.refuseWaiting(conversation, refused, at);
    messages.forget(conversation, refused.message);
    if (key !== null) oweRefusal(key, refused.why, at, "waited");
  };

  return (rows: StepRows): CommittedStep => {
    const { conversation, claim } = rows;
    const before = conversations.counters(conversation);
    if (before === null) return writeFailed(`there is no conversation ${conversation}`);
    const entries = messages.append(rows, before.entries);
    if (rows.answered !== null) answered.insert(rows.answered);
    trace.append(rows.event);
    for (const change of rows.questions)
      if (!questions.apply(conversation, change))
        return writeFailed(`question ${change.question} of ${conversation} is not pending`);
    const merged = posts.merge(conversation, rows.posts, { ...before, entries });
    if (merged.changed.length > 0) fallBehind(conversation);
    if (rows.version !== null) claims.insert(rows.version);
    if (claim !== null && !claims.close(claim, { kind: "accepted" }, rows.at, claim.message))
      return writeFailed(`a claim of ${claim.surface} is not open`);
    if (rows.refused !== null) refuseWaiting(rows, rows.refused);
    conversations.update(rows.state, merged.counters);
    if (rows.erasure !== null) erase(conversation, rows.erasure);
    return { kind: "committed", posts: merged.changed };
  };
};
