/** Laws of the classification, over spellings, wrappings and neighbours of commands. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Category } from "../../src/machine/vocabulary.ts";
import { glance, parse } from "../../src/shell-risk/shell/shell.ts";
import { WRAPPINGS } from "./refusals-corpus.ts";
import { CHARACTER_QUOTES, quoteWord, wrapIn } from "./spelling.ts";
import { categoriesOf, classifyCommand, readRows } from "./rows.ts";

const of = (command: string): readonly Category[] => categoriesOf(command, parse);

/** Plain words: any quoting of their characters leaves their meaning alone. */
const DANGEROUS: readonly (readonly string[])[] = [
  ["rm", "-r", "build"],
  ["mv", "a", "b"],
  ["git", "push"],
  ["git", "reset", "--hard"],
  ["npm", "install", "zod"],
  ["pip", "install", "a"],
  ["curl", "https://x.y"],
  ["systemctl", "restart", "nginx"],
  ["sudo", "ls"],
  ["cat", "/etc/passwd"],
  ["cat", "../x"],
  ["tee", ".env"],
  ["find", ".", "-delete"],
  ["eval", "ls"],
];

const HARMLESS: readonly (readonly string[])[] = [
  ["ls", "-la"],
  ["echo", "rm -rf build"],
  ["grep", "-rn", "sudo x", "src"],
  ["git", "log", "--grep=git push"],
  ["cat", "rm.txt"],
];

const quotedWord = (word: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...word
        .split("")
        .map((character) => fc.constantFrom(...CHARACTER_QUOTES.map((quote) => quote(character)))),
    )
    .map((parts) => parts.join(""));

const spellingOf = (commands: readonly (readonly string[])[]) =>
  fc
    .constantFrom(...commands)
    .chain((words) => fc.tuple(fc.constant(words), fc.tuple(...words.map(quotedWord))));

test("no quoting changes what a command is, dangerous or harmless", () => {
  fc.assert(
    fc.property(spellingOf([...DANGEROUS, ...HARMLESS]), ([words, spelled]) => {
      expect(of(spelled.join(" "))).toEqual(of(words.map(quoteWord).join(" ")));
    }),
    { numRuns: 200 },
  );
});

test("no wrapping makes a dangerous command harmless, up to three deep", () => {
  // `eval` and `parallel` read their joined arguments again, so quotes inside them would be lost for real.
  const outer = WRAPPINGS.filter((each) => !each.includes("; ") && !/^(?:eval|parallel) %/.test(each));
  const layering = fc
    .tuple(
      fc.constantFrom(...WRAPPINGS.filter((each) => !each.includes("; "))),
      fc.array(fc.constantFrom(...outer), { maxLength: 2 }),
    )
    .map(([inner, layers]) => [inner, ...layers]);
  fc.assert(
    fc.property(spellingOf(DANGEROUS), layering, ([words, spelled], layers) => {
      const plain = of(words.map(quoteWord).join(" "));
      const wrapped = layers.reduce<readonly string[]>((inner, layer) => [wrapIn(layer, inner)], spelled);
      const found = of(wrapped.join(" "));
      for (const category of plain) expect(found).toContain(category);
    }),
    { numRuns: 250 },
  );
});

test("a comment or a harmless command beside it takes no category away", () => {
  const beside = fc.constantFrom(
    "ls; %",
    "% && ls",
    "%\n# rm",
    "# ls\n%",
    "( % )",
    "{ %; }",
    "if true; then %\nfi",
    "for f in a b; do %\ndone",
    "x=$( % )",
    'echo "$( % )"',
    "! % | cat",
    "ls | %",
    "% > out.txt 2>&1",
    "f() { %\n}; f",
    "cd src; cd ..; %",
    "% &",
  );
  const rows = readRows("corpus.txt").filter(
    ({ categories, command }) =>
      categories.length > 0 && !/[\n#\\]|<<|^(?:cd|pushd)|\bcd\b|'file$|^\{|\(\) *\{/.test(command),
  );
  fc.assert(
    fc.property(fc.constantFrom(...rows), fc.array(beside, { minLength: 1, maxLength: 2 }), (row, layers) => {
      const script = layers.reduce((inner, layer) => layer.replace("%", () => inner), row.command);
      // Bash refuses a "!" behind a "|", and then runs nothing of the line.
      fc.pre(!script.includes("| !"));
      const found = of(script);
      for (const category of row.categories)
        expect({ script, found }).toEqual({ script, found: expect.arrayContaining([category]) });
    }),
    { numRuns: 400 },
  );
});

test("the same call is always the same answer, and a glance sees what reading sees", () => {
  for (const { command } of readRows("heldout.txt")) {
    const read = classifyCommand(command, parse);
    expect(classifyCommand(command, parse)).toEqual(read);
    const glanced = classifyCommand(command, glance);
    if (glanced.complete) expect(glanced).toEqual(read);
  }
});

const BITS =
  "rm|-rf|/|~|..| |;|&&|\\||(|)|{|}|$(|`|'|\"|\\|\n|#|<<E|E|<(|>|>>|&|*|?|[|]|eval|sudo|curl|git|push|npm|install|sh|-c|python3|-e|sed|s/a/b/e|awk|find|-exec|{}|xargs|-I|x=|$x|${x:-|if|then|fi|=|@|,|\u202e|файл|\ud800".split(
    "|",
  );

test("no text makes it throw, and everything it says is bounded", () => {
  const shellish = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(fc.constantFrom(...BITS), { maxLength: 25 }).map((parts) => parts.join("")),
    fc.array(fc.constantFrom(...BITS), { maxLength: 25 }).map((parts) => parts.join(" ")),
  );
  fc.assert(
    fc.property(shellish, (text) => {
      const { dangers, unsettled } = classifyCommand(text, parse);
      expect(unsettled.length).toBeLessThanOrEqual(256);
      for (const { what, changes } of dangers) {
        expect(changes.length).toBeGreaterThan(0);
        expect(changes.length).toBeLessThanOrEqual(3);
        for (const line of [what, ...changes]) expect(line.length).toBeLessThanOrEqual(200);
      }
    }),
    { numRuns: 500 },
  );
});
