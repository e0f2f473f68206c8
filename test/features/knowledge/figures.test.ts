/** How many texts a source has is kept with it: nobody counts passages to tell. */

import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createIndexReader } from "../../../src/features/knowledge/read-index.ts";
import { recreateIndex } from "../../../src/features/knowledge/schema.ts";
import { createIndexWriter } from "../../../src/features/knowledge/write-index.ts";
import { scratch } from "../../scratch.ts";

const SITE = "https://docs.example/";

const opened = () => {
  const db = recreateIndex(join(scratch("figures"), "knowledge.sqlite"));
  const reader = createIndexReader(db);
  onTestFinished(() => reader.close());
  const writer = createIndexWriter(db);
  writer.keep([SITE]);
  writer.begin(SITE, true);
  const counted = db.prepare("SELECT count(*) FROM passages WHERE part = 0").pluck();
  const texts = (): number => {
    const [row] = reader.sources();
    expect(row?.texts).toBe(counted.get());
    return row?.texts ?? -1;
  };
  return { writer, texts };
};

const leaf = (key: string, text: string) => ({
  key,
  of: null,
  address: `${SITE}${key}`,
  title: key,
  text,
  state: null,
  version: null,
  at: 1,
});

const step = { source: SITE, due: 0, why: null };
/** Of several passages. */
const LONG = "All of it is explained at length. ".repeat(300);

it("adds what is read, once however long it is and however often it comes, and takes off what is gone", () => {
  const { writer, texts } = opened();
  expect(texts()).toBe(0);
  writer.take({ ...step, leaves: [leaf("a", "One."), leaf("b", LONG)] });
  expect(texts()).toBe(2);
  writer.take({ ...step, leaves: [leaf("a", "One."), leaf("b", "Short now."), leaf("c", "Three.")] });
  expect(texts()).toBe(3);
  writer.take({ ...step, gone: ["b", "nobody"] });
  expect(texts()).toBe(2);
  writer.begin(SITE, true);
  writer.take({ ...step, leaves: [leaf("c", LONG)], ended: 2 });
  expect(texts()).toBe(1);
});
