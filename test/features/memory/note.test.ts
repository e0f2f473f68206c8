/** Rules of notes: what goes to the model within its bound, what counts as the same, and when the agent stops proposing. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY } from "../../../src/machine/id.ts";
import {
  type ChannelNote,
  chosenNotes,
  isDue,
  isUsable,
  noteFingerprint,
  noteLength,
  noteText,
  pausedUntil,
  REFUSALS_A_WEEK,
  shownNote,
  REFUSALS_WITHIN,
} from "../../../src/features/memory/note.ts";
import { noteOf } from "./notes.ts";

const notes = fc.array(
  fc
    .record({
      id: fc.uuid(),
      at: fc.nat(1_000),
      isPinned: fc.boolean(),
      stale: fc.option(fc.constant("a.ts:1")),
      expires: fc.option(fc.nat(2_000)),
      text: fc.string({ minLength: 1, maxLength: 300, unit: "grapheme" }),
    })
    .map(noteOf),
  { maxLength: 60 },
);

const bytes = (chosen: readonly ChannelNote[]): number =>
  chosen.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 80, 0);

describe("the notes of a request", () => {
  it("stay within 2,000 tokens, are usable, and are those with the highest rank that fit", () => {
    fc.assert(
      fc.property(notes, (all) => {
        const chosen = chosenNotes(all, 1_000);
        expect(bytes(chosen)).toBeLessThanOrEqual(8_000);
        expect(chosen.every((one) => isUsable(one, 1_000))).toBe(true);
        expect(new Set(chosen).size).toBe(chosen.length);
        const usable = all.filter((one) => isUsable(one, 1_000));
        if (bytes(usable) <= 8_000) expect(chosen.length).toBe(usable.length);
      }),
    );
  });

  it("begin with the pinned ones, then the newest, whatever their order in the store", () => {
    fc.assert(
      fc.property(notes, (all) => {
        const chosen = chosenNotes(all, 1_000);
        const rank = chosen.map(({ isPinned, at }) => (isPinned ? 1e6 : 0) + at);
        expect(rank).toEqual(rank.toSorted((a, b) => b - a));
        expect(chosenNotes(all.toReversed(), 1_000)).toEqual(chosen);
      }),
    );
  });
});

describe("the text of a note", () => {
  it("is one line without invisible characters, and cleaning it again changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (typed) => {
        const text = noteText(typed);
        expect(text).not.toMatch(/[\n\r\p{Cc}]/u);
        expect(noteText(text)).toBe(text);
      }),
    );
    expect(noteText("We deploy\n on \u202eTuesdays.")).toBe("We deploy on Tuesdays.");
  });

  it("is counted in characters, as people count them", () => {
    expect([noteLength("🙂🙂"), noteLength("héllo")]).toEqual([2, 5]);
  });

  it("is the same in another case and with other punctuation, and not with other words", () => {
    expect(noteFingerprint("We deploy on *Tuesdays*!")).toBe(noteFingerprint("we deploy on tuesdays"));
    expect(noteFingerprint("We deploy on Mondays.")).not.toBe(noteFingerprint("We deploy on Tuesdays."));
  });
});

describe("a note in a line of the host", () => {
  it("shows no link with another text and no mention", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("[", "]", "(", ")", "<", ">", "@", "a"), maxLength: 20 }),
        (text) => {
          expect(shownNote(text)).not.toMatch(/\]\(|[<>]/);
        },
      ),
    );
    expect(shownNote("See [the docs](https://evil.example) <@U1>")).toBe(
      "See [the docs] (https://evil.example) ‹@U1›",
    );
    expect(shownNote("We deploy on Tuesdays.")).toBe("We deploy on Tuesdays.");
  });
});

describe("the pause after refusals", () => {
  it("holds exactly while three refusals lie within a week", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2 * REFUSALS_WITHIN, max: 0 })), (refusals) => {
        const recent = refusals.filter((at) => at > -REFUSALS_WITHIN);
        expect(pausedUntil(refusals, 0) !== null).toBe(recent.length >= REFUSALS_A_WEEK);
        const until = pausedUntil(refusals, 0);
        if (until !== null) expect(pausedUntil(refusals, until)).toBeNull();
      }),
    );
  });
});

describe("a note without citations", () => {
  it("is due once after 90 days, and not again before somebody says that it is true", () => {
    const note = noteOf({ id: "n", at: 0 });
    expect([isDue(note, 90 * DAY - 1), isDue(note, 90 * DAY)]).toEqual([false, true]);
    const asked = { ...note, asked: 90 * DAY };
    expect(isDue(asked, 400 * DAY)).toBe(false);
    expect(isDue({ ...asked, sure: 100 * DAY, asked: null }, 190 * DAY)).toBe(true);
  });

  it("with citations is never due, because its code is compared", () => {
    expect(isDue(noteOf({ id: "n", at: 0, cited: [{ kind: "symbol", name: "a.b" }] }), 400 * DAY)).toBe(
      false,
    );
  });
});
