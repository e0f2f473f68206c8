/** The index holds what was read last, in whatever order and however often it was read. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { createJobs } from "../../../src/features/knowledge/job.ts";
import { openIndexForWriting } from "../../../src/features/knowledge/schema.ts";
import type { ArchivedText } from "../../../src/ports/forge-archive.ts";
import { createIndexWriter, type SourceUpdate } from "../../../src/features/knowledge/write-index.ts";
import { scratch } from "../../scratch.ts";

const WORDS = ["cart", "login", "invoice"];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((all) => all.join(" "));
const state = fc.constantFrom("open", "closed");
const text = fc.oneof(
  words,
  fc.tuple(words, words).map(([a, b]) => `${a}\n${"- ".repeat(2_000)}\n${b}`),
);
const issue = fc.record({ key: fc.constantFrom("1", "2"), title: words, text, state, at: fc.nat(9) });
const comment = fc
  .record({ key: fc.constantFrom("1.1", "1.2", "2.1"), text, at: fc.nat(9) })
  .map((one) => ({ ...one, of: one.key.charAt(0), title: "" }));
const leaf = fc
  .oneof(issue, comment)
  .map((one): ArchivedText => ({ ...one, address: `https://forge/${one.key}` }));

it("a text that is read again is as if it had been read once, and comments are called as their issue is now", () => {
  const db = openIndexForWriting(join(scratch("index"), "knowledge.sqlite"));
  onTestFinished(() => void db.close());
  const writer = createIndexWriter(db);
  const rows = db.prepare("SELECT key, part, title, state, text, at FROM passages ORDER BY key, part");
  const texts = db.prepare("SELECT texts FROM sources").pluck();
  const holding = db.prepare(
    "SELECT key, part FROM words JOIN passages ON passages.id = words.rowid WHERE words MATCH ? ORDER BY key, part",
  );
  const indexOf = (steps: readonly (readonly ArchivedText[])[]) => {
    writer.keep([]);
    writer.keep(["issues"]);
    for (const leaves of steps) writer.take({ source: "issues", leaves, due: 0, why: null });
    return { rows: rows.all(), found: WORDS.map((word) => holding.all(word)), texts: texts.all() };
  };
  fc.assert(
    fc.property(fc.array(leaf, { maxLength: 12 }), (leaves) => {
      const last = [...new Map(leaves.map((one) => [one.key, one])).values()];
      const inOrder = last.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      expect(indexOf(leaves.map((one) => [one]))).toEqual(indexOf([inOrder]));
    }),
    { numRuns: 25 },
  );
});

const leafOf = (key: string, words: string): ArchivedText => ({
  key,
  address: `https://chat/${key}`,
  title: words,
  text: words,
  at: 1,
});

it("40.A4 a thread that is solved no more leaves no word in the file nor in its log; others stay", () => {
  const directory = scratch("index");
  const run = createJobs(join(directory, "knowledge.sqlite"));
  const take = (step: Pick<SourceUpdate, "leaves" | "gone">) =>
    run({ kind: "take", given: [{ source: "threads", due: 0, why: null, ...step }] });
  const held = (marker: string): boolean =>
    readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(marker));
  run({ kind: "keep", given: [["threads"]] });
  const secret = "The password of staging is Zebrafish-4711-Quokka";
  take({ leaves: [leafOf("1", secret), leafOf("2", "The port of the worker is Okapi-80")] });
  expect(held("Zebrafish-4711-Quokka")).toBe(true);
  expect(take({ gone: ["1"] })).toEqual({ kind: "done" });
  expect(held("Zebrafish-4711-Quokka")).toBe(false);
  expect(held("Okapi-80")).toBe(true);
});
