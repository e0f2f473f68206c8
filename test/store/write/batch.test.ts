/** Writes that share a transaction come to what they come to one by one, whatever happens to some of them. */

import fc from "fast-check";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import { createBatch } from "../../../src/store/write/batch.ts";
import type { StoreParts } from "../../../src/store/tables/all-tables.ts";
import { rowsOf } from "../../../src/store/tables/step-rows.ts";
import type { WriteJob } from "../../../src/store/write/write-job.ts";
import { dump, openWithConnection, temporary } from "../kit.ts";
import { begin, commitOf, stateOf } from "../plain.ts";
import { CONVERSATIONS, inPieces, jobOf, prepared, wishOf } from "./wishes.ts";

describe("a batch", () => {
  it("G1 G2 stores and answers what the same writes come to alone, in order", () => {
    fc.assert(
      fc.property(fc.array(wishOf(), { maxLength: 20 }), fc.integer({ min: 1, max: 20 }), (wishes, size) => {
        const jobs = wishes.map(jobOf);
        const alone = prepared();
        const grouped = prepared();
        const batch = createBatch(grouped.db, grouped);
        const one = createBatch(alone.db, alone);
        const expected = jobs.flatMap((job) => one([job]));
        const answers = inPieces(jobs, size).flatMap((piece) => batch(piece));
        expect(answers).toEqual(expected);
        expect(dump(grouped.db)).toEqual(dump(alone.db));
        alone.db.close();
        grouped.db.close();
      }),
      { numRuns: 60 },
    );
  });

  it("empties at its first write the log that the thread before it may have left full", () => {
    const name = join(temporary(), "parley.sqlite");
    const opened = openWithConnection(name);
    for (const id of CONVERSATIONS) begin(opened.store, id);
    expect(statSync(`${name}-wal`).size).toBeGreaterThan(0);
    createBatch(opened.db, opened)([]);
    expect(statSync(`${name}-wal`).size).toBe(0);
    opened.db.close();
  });

  it("G1 on a full disk refuses the write that does not fit and stores those that do", () => {
    const opened = openWithConnection(join(temporary(), "parley.sqlite"));
    for (const id of CONVERSATIONS) begin(opened.store, id);
    const { db } = opened;
    db.pragma(`max_page_count = ${Number(db.pragma("page_count", { simple: true })) + 4}`);
    const answers = createBatch(
      db,
      opened,
    )([step(opened, "c-1", 10), step(opened, "c-2", 100_000), step(opened, "c-3", 10)]);
    expect(answers).toMatchObject([{ kind: "committed" }, { code: "disk_full" }, { kind: "committed" }]);
    expect(CONVERSATIONS.map((id) => opened.store.load(id)?.state.seq)).toEqual([1, 0, 1]);
  });

  it("waits once for somebody who has the file, not once for each write", () => {
    const name = join(temporary(), "parley.sqlite");
    const opened = openWithConnection(name);
    for (const id of CONVERSATIONS) begin(opened.store, id);
    opened.db.pragma("busy_timeout = 200");
    const other = openWithConnection(name);
    other.db.exec("BEGIN IMMEDIATE");
    const jobs = Array.from({ length: 50 }, () => step(opened, "c-1", 10));
    const waited = (some: typeof jobs) => {
      const from = performance.now();
      const answers = createBatch(opened.db, opened)(some);
      return { answers, time: performance.now() - from };
    };
    const one = waited(jobs.slice(0, 1));
    const { answers, time } = waited(jobs);
    expect(time / one.time).toBeLessThan(jobs.length / 2);
    expect(answers.every((answer) => answer.kind === "failed" && answer.code === "io")).toBe(true);
    other.db.exec("COMMIT");
    expect(createBatch(opened.db, opened)(jobs.slice(0, 1))).toMatchObject([{ kind: "committed" }]);
  });
});

const step = ({ store }: StoreParts, id: ConversationId, length: number): WriteJob => {
  const state = store.load(id)?.state ?? stateOf(id);
  const words = [{ id: `m-${id}`, words: { kind: "comment", text: "x".repeat(length) } }] as const;
  return { port: "store", name: "step", given: [rowsOf(commitOf(state, { words }))] };
};
