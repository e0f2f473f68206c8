import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LONGEST_QUESTION, normalizedQuestion } from "../../../src/features/answers/normalized-question.ts";
import { projects } from "../../answers/labeled.ts";

const questions = (["tuned", "heldOut", "later"] as const).flatMap((lot) =>
  projects(lot).flatMap(({ topics }) =>
    topics.flatMap(({ question, paraphrases, nearMisses }) => [question, ...paraphrases, ...nearMisses]),
  ),
);

/** Texts that two questions may differ in, and that normalizing must not join. */
const DIFFERENT = [
  ..."not never without no 8080 9090 1.2 12 1.20 v1 V1 x² x2 C C# C++ .NET net -v -V --all all".split(" "),
  ..."Close close Map map PORT port find_files findFiles FindFiles a.ts A.ts ./a.ts a-b a_b `a` `A` a".split(
    " ",
  ),
  ...'\'a\' "a" "A" empty! empty save! .. . ?? ?. $x $X I i'.split(" "),
  '"a  b"',
  '"a b"',
  "`git log  -p`",
  "`git log -p`",
  "``git log  -p``",
  "``git log -p``",
  "`can I`",
  "`can i`",
  "from JSON to YAML",
  "from YAML to JSON",
];

const templates: readonly ((one: string) => string)[] = [
  (one) => `How do I use ${one} here?`,
  (one) => `why is ${one} slow`,
  (one) => `Does it need ${one} or can it do without`,
  (one) => `What is (${one})?`,
  (one) => `What is ${one} x`,
];

describe("the words of a question", () => {
  it("stay as they are when they are normalized again", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: 700 }),
          fc
            .array(
              fc.constantFrom(
                ..." ` \" “ ” ' ’ ? ! . I i can Hi hello @parley , thanks How Ａ ？ ¿ \n word".split(" "),
                " ",
              ),
              { maxLength: 40 },
            )
            .map((parts) => parts.join("")),
        ),
        (text) => {
          const once = normalizedQuestion(text);
          expect(normalizedQuestion(once)).toBe(once);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("differ if a digit, a negation, a name or code differs", () => {
    for (const template of templates)
      expect(new Set(DIFFERENT.map((one) => normalizedQuestion(template(one)))).size).toBe(DIFFERENT.length);
    const name = fc.stringMatching(/^[A-Za-z0-9_.$#+/-]{1,8}$/);
    fc.assert(
      fc.property(fc.constantFrom(...templates), name, name, (template, a, b) => {
        const isSame = normalizedQuestion(template(a)) === normalizedQuestion(template(b));
        expect(isSame).toBe(a === b);
      }),
      { numRuns: 1_000 },
    );
  });

  it("are the same however they are spelled", () => {
    const greetings = ["", "Hi, ", "Hello there! ", "hey @parley ", "@parley ", "Hi all, @parley: "];
    const ends = ["", "?", "??", "?!", "？", "? Thanks!", "? Thank you in advance."];
    fc.assert(
      fc.property(
        fc.constantFrom(...questions),
        fc.constantFrom(...greetings),
        fc.constantFrom(" ", "  ", "\t", "\u00a0", "\u3000"),
        fc.constantFrom(...ends),
        fc.boolean(),
        (question, greeting, blank, end, isTyped) => {
          const bare = question
            .replace(/[?.]+$/, "")
            .replaceAll(/(?<=\p{L})'(?=\p{L})/gu, isTyped ? "’" : "'");
          const isPlain = !/[`"]/.test(bare);
          const spelled = `${greeting}${isPlain ? bare.replaceAll(" ", blank) : bare}${end}`;
          expect(normalizedQuestion(spelled)).toBe(normalizedQuestion(question));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("of the labeled questions are never those of another one", () => {
    expect(new Set(questions.map(normalizedQuestion)).size).toBe(new Set(questions).size);
  });

  it.each([
    ["How do I set the port?", "how do i set the port"],
    ["What's new?", "what’s new"],
    ["“How do I set the port?”", "How do I set the port"],
    ["Where is “the log”?", 'where is "the log"'],
    ["¿Cómo cambio el puerto?", "cómo cambio el puerto"],
    ["ポートを変えるには？", "ポートを変えるには?"],
    ["Set it how.", "set it how"],
  ])("are the same: %s %s", (a, b) => {
    expect(normalizedQuestion(a)).toBe(normalizedQuestion(b));
  });

  it.each([
    ["What is println!", "What is println"],
    ["What is the operator ??", "What is the operator"],
    ["What does cd ..", "What does cd ."],
    ["What is foo?.", "What is foo."],
    ["Hello world example: where?", "world example: where?"],
    ["Where does Close return?", "Where does close return?"],
    ["Parley config?", "config?"],
    ["Why does this fail?\n  a: 1", "Why does this fail?\n    a: 1"],
    ["Why does this fail?\na: 1", "Why does this fail? a: 1"],
    ["What is in `A`?", "What is in `a`?"],
    ["Map?", "map?"],
    ["Should uploads be tried again?", "Should uploads not be tried again?"],
    [`How? ${"x".repeat(LONGEST_QUESTION)}`, `how? ${"x".repeat(LONGEST_QUESTION)}`],
  ])("are not the same: %s %s", (a, b) => {
    expect(normalizedQuestion(a)).not.toBe(normalizedQuestion(b));
  });
});
