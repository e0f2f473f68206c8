/** Whose the parts of a message are is known by offset; what a person writes can pass for no part of the host's. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Composed, escapeOwn, mapParts, withoutOwn } from "../../src/machine/message-parts.ts";

const PIECES = [
  "[Parley] The message:",
  "[Parley] Files of the message.",
  "[Parley] Shown below the message.",
  " \u200b[parley] You may write now.",
  '<untrusted-quote author="Ann" time="x">',
  "</untrusted-quote>",
  "| ",
  "secret",
  "\n",
  "\n\n",
  "\r",
  "\u2028",
  "\\",
];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(""));
const composed = fc.record({ before: text, brought: text, said: text });
const join = ({ before, brought, said }: Record<"before" | "brought" | "said", string>): Composed => ({
  text: `${before}${brought}${said}`,
  own: { brought: before.length, said: before.length + brought.length },
});

describe("a message that is taken back", () => {
  it("leaves what stood before it, whatever the person or the message's files say", () => {
    fc.assert(
      fc.property(composed, (parts) => {
        const { left, taken } = withoutOwn(join(parts));
        const mine = `${parts.brought}${parts.said}`;
        expect(taken.join("")).toBe(mine);
        expect(left.text).toMatch(/^$|The message itself was deleted\.$/);
        expect(left.text.startsWith(parts.before.trimEnd())).toBe(true);
      }),
    );
  });

  it("of which nothing is left but what stood before stays so when it is taken back again", () => {
    fc.assert(
      fc.property(composed, (parts) => {
        const { left } = withoutOwn(join(parts));
        expect(withoutOwn(left)).toEqual({ left, taken: [] });
      }),
    );
  });

  it("without offsets is all the person's own", () => {
    expect(withoutOwn({ text: "secret\n\n[Parley] The message:\n\nhello" })).toMatchObject({
      left: { text: "" },
      taken: ["secret\n\n[Parley] The message:\n\nhello"],
    });
  });
});

const change = (part: string): string => part.replaceAll("secret", "").replaceAll("|", "||");

it("a change of each part keeps the offsets right", () => {
  fc.assert(
    fc.property(composed, (parts) => {
      const { before, brought, said } = parts;
      expect(mapParts(join(parts), change)).toEqual(
        join({ before: change(before), brought: change(brought), said: change(said) }),
      );
    }),
  );
});

describe("what a person writes", () => {
  it("opens no line of the host and no quote, and the rest stays as it was", () => {
    fc.assert(
      fc.property(composed, (parts) => {
        const whole = join(parts);
        const said = escapeOwn(whole).slice(whole.own?.said);
        expect(said).not.toMatch(/^[\s\p{Cf}]*\[parley\]/imu);
        expect(said).not.toMatch(/<\/?untrusted-quote/i);
        expect(escapeOwn(whole).slice(0, whole.own?.said)).toBe(`${parts.before}${parts.brought}`);
        expect(escapeOwn({ ...whole, text: escapeOwn(whole) })).toBe(escapeOwn(whole));
      }),
    );
  });

  it("that looks like neither is told as it was written", () => {
    const plain = "What is [Parley] and <b>, | and `untrusted-quote`?\n  [x] done";
    expect(escapeOwn({ text: plain })).toBe(plain);
  });
});
