/** What is looked up of a text while it is written. */

import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { createLiveLookup } from "../../../src/runtime/live/live-lookup.ts";
import { NARRATION } from "../../../src/thread/turn-post.ts";

const SHOWN = "https://example.org/a";
const ALSO = "https://example.org/b";
const lookup = (linkable: (text: string) => readonly string[] = () => []) =>
  createLiveLookup(
    () => Promise.resolve([]),
    () => undefined,
    linkable,
  );

it("goes as far as a message can show it as soon as there are words enough for one", () => {
  const look = lookup();
  const text = "so it goes ".repeat(60);
  let shown = 0;
  for (let end = 1; end <= text.length && shown <= NARRATION; end += 1) {
    shown = look(text.slice(0, end)).upTo;
    if (shown > NARRATION) expect(end).toBeLessThanOrEqual(NARRATION + "goes ".length);
  }
  expect(shown).toBeGreaterThan(NARRATION);
});

it("finds every link once, and looks for them in the lines that have grown alone", async () => {
  const looked: string[] = [];
  const look = lookup((text) => {
    looked.push(text);
    return [SHOWN, ALSO].filter((one) => text.includes(one));
  });
  const lines = [
    `see ${SHOWN} for more\n`,
    "so it goes on and on\n".repeat(20),
    `and ${SHOWN} or ${ALSO} too\n`,
  ];
  const text = lines.join("");
  for (let end = 10; end < text.length; end += 10) {
    look(text.slice(0, end));
    await setImmediate();
  }
  const whole = `${text}${"and the rest ".repeat(10)}`;
  look(whole);
  await setImmediate();
  expect(look(whole).links).toEqual([SHOWN, ALSO]);
  expect(Math.max(...looked.slice(1).map((one) => one.length))).toBeLessThan(NARRATION);
});
