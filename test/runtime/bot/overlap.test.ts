/** What one text repeats of another, word for word. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOverlap, DELETED } from "../../../src/runtime/bot/overlap.ts";

const upper = (list: readonly string[]): string => list.map((one) => `x${one}x`).join(" ");

const secret = "my key is sk-live-4242abcd and my number is +49 170 5550123, please keep it";

describe("what a text repeats", () => {
  it("goes, whatever case, marks or line breaks stand between the words", () => {
    const { without } = createOverlap(["The quick brown fox jumps over the lazy dog."]);
    expect(without("You said: > quick **Brown**\n> fox, jumps over. Right?")).toBe(
      `You said: > ${DELETED}. Right?`,
    );
  });

  it("keys, mail addresses and telephone numbers go even alone", () => {
    const { without } = createOverlap([secret, "write to bob@example.org"]);
    expect(without("sk-live-4242abcd / +49 170 5550123 / bob@example.org")).toBe(
      `${DELETED} / ${DELETED} / ${DELETED}`,
    );
  });

  it("a long word goes even alone, wherever it stands, and a short one stays", () => {
    const { without } = createOverlap(["What does Plantedzebraword mean in the README?"]);
    expect(without("git grep 'plantedzebraword|README' **/*plantedzebraword*: what does it mean?")).toBe(
      `git grep '${DELETED}|README' **/*${DELETED}*: what does it mean?`,
    );
    expect(without("ls src/plantedzebraword-2.ts a.plantedzebraword:1")).toBe(
      `ls src/${DELETED}-2.ts a.${DELETED}:1`,
    );
    expect(without("plantedzebrawords, unplantedzebraword")).toBe("plantedzebrawords, unplantedzebraword");
  });

  it("stays where it repeats a few words of everybody's, a path or nothing", () => {
    const { without } = createOverlap(["Where is the port read in src/config.ts?", "yes"]);
    const text = "The port is read in src/config.ts:3, yes. Where is the port?";
    expect(without(text)).toBe(text);
  });

  it("any text with a long quotation inside loses the quotation, and one without stays as it is", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "e"), minLength: 3, maxLength: 8 });
    const words = fc.array(word, { minLength: 6, maxLength: 30 });
    fc.assert(
      fc.property(words, words, words, (said, before, after) => {
        const { without } = createOverlap([said.join(" ")]);
        const around = `${upper(before)}. ${upper(after)}`;
        expect(without(around)).toBe(around);
        const quoted = without(`${upper(before)}. ${said.join("\n")} ${upper(after)}`);
        expect(quoted).toBe(`${upper(before)}. ${DELETED} ${upper(after)}`);
      }),
    );
  });
});
