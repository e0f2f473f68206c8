import fc from "fast-check";
import { expect, test } from "vitest";
import { refuse } from "../../src/shell-risk/refusals.ts";
import { parse } from "../../src/shell-risk/shell/shell.ts";
import { WRAPPINGS } from "./refusals-corpus.ts";
import { CHARACTER_QUOTES, quoteWord, wrapIn } from "./spelling.ts";

const verdictOf = (command: string): string | null => refuse(parse(command));

/** Commands whose words have no active pattern or expansion: any quoting leaves their meaning alone. */
const PLAIN_COMMANDS: readonly (readonly string[])[] = [
  ["rm", "-rf", "/"],
  ["rm", "-r", "-f", "repo/.git"],
  ["rm", "--recursive", "--force", "/etc/"],
  ["/bin/rm", "-fr", ".."],
  ["git", "add", "."],
  ["git", "-C", "d", "add", "-A"],
  ["git", "push", "--force"],
  ["git", "push", "-uf", "origin", "main"],
  ["sudo", "-u", "x", "rm", "-rf", "/"],
  ["rm", "-rf", "node_modules"],
  ["rm", "-r", ".git"],
  ["git", "add", "src/main.ts"],
  ["git", "push", "--force-with-lease"],
  ["git", "commit", "-m", "git add ."],
  ["echo", "rm -rf /"],
];

const quotedWord = (word: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...word
        .split("")
        .map((character) => fc.constantFrom(...CHARACTER_QUOTES.map((quote) => quote(character)))),
    )
    .map((parts) => parts.join(""));

const anySpelling = fc
  .constantFrom(...PLAIN_COMMANDS)
  .chain((words) => fc.tuple(fc.constant(words), fc.tuple(...words.map(quotedWord))));

test("quoting the characters of a command in any way does not change the verdict", () => {
  fc.assert(
    fc.property(anySpelling, ([words, spelled]) => {
      expect(verdictOf(spelled.join(" "))).toBe(verdictOf(words.map(quoteWord).join(" ")));
    }),
    { numRuns: 500 },
  );
});

test("wrapping a command in wrappers, up to three deep, does not change the verdict", () => {
  const single = WRAPPINGS.filter((each) => !each.includes("; "));
  // `eval` and `parallel` read their joined arguments again, so quotes inside them would be lost for real.
  const keepsQuotes = single.filter((each) => !/^(?:eval|parallel) %/.test(each));
  const layering = fc
    .tuple(fc.constantFrom(...single), fc.array(fc.constantFrom(...keepsQuotes), { maxLength: 2 }))
    .map(([inner, outer]) => [inner, ...outer]);
  fc.assert(
    fc.property(anySpelling, layering, ([words, spelled], layers) => {
      const plain = words.map(quoteWord).join(" ");
      const wrapped = layers.reduce<readonly string[]>((inner, layer) => [wrapIn(layer, inner)], spelled);
      expect(verdictOf(wrapped.join(" "))).toBe(verdictOf(plain));
    }),
    { numRuns: 500 },
  );
});

test("what surrounds a command in a script does not change the verdict", () => {
  const SURROUNDINGS = [
    "ls; %",
    "% && ls",
    // Without blanks two of them are arithmetic.
    "( % )",
    "{ %; }",
    "if x; then %; fi",
    "x=$( % )",
    "! % | cat",
    "# c\n%\n# d",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...PLAIN_COMMANDS),
      fc.array(fc.constantFrom(...SURROUNDINGS), { maxLength: 3 }),
      (words, layers) => {
        const plain = words.map(quoteWord).join(" ");
        const script = layers.reduce(
          (inner, layer) => layer.replace("%", () => `${inner}\n`.trimEnd()),
          plain,
        );
        expect(verdictOf(script)).toBe(verdictOf(plain));
      },
    ),
    { numRuns: 300 },
  );
});

const SHELL_BITS = [
  "'",
  '"',
  "`",
  "$",
  "(",
  ")",
  "{",
  "}",
  "[",
  "]",
  "\\",
  "<",
  ">",
  "|",
  "&",
  ";",
  "\n",
  "#",
  "*",
  "~",
];
const shellish = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        ...SHELL_BITS,
        "rm",
        "-rf",
        " ",
        "/",
        "<<EOF",
        "EOF",
        "if",
        "$x",
        "x=",
        "find",
        "eval",
        "\ud800",
      ),
    )
    .map((parts) => parts.join("")),
);

test("no string makes the parser or the judge throw, and reading twice gives the same", () => {
  fc.assert(
    fc.property(shellish, (text) => {
      expect(parse(text)).toEqual(parse(text));
      expect(verdictOf(text)).toBe(verdictOf(text));
    }),
    { numRuns: 2_000 },
  );
});

test("a quoted text of any content is one argument with exactly that content", () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes("\0")),
      (text) => {
        const parsed = parse(`echo ${quoteWord(text)}`);
        expect(parsed.steps[0]).toMatchObject({
          args: [{ pieces: text === "" ? [] : [{ kind: "text", text, active: false }] }],
        });
      },
    ),
    { numRuns: 500 },
  );
});
