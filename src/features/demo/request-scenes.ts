/**
 * Scenes of requests for a change. Each one leads to a card: the change is drafted and proposed, or a person is asked for write
 * access if no draft can be opened.
 */

import { lookCommand, requestWrite } from "./change.ts";
import { inlineCode, shortenForDemo } from "./markdown.ts";
import { bash, type DemoCall, type DemoScene, demoStep } from "./reply.ts";
import type { DemoRequest } from "./requests.ts";
import { literal, quoteForShell, quotedPath } from "./shell.ts";
import type { DemoTurn } from "./turn.ts";

type Change = Exclude<DemoRequest, { readonly kind: "unknown" }>;

export function* requestedChange(turn: DemoTurn, change: Change): DemoScene {
  if (change.kind === "rename") return yield* rename(turn, change);
  if (change.kind === "pull") return yield* pull(turn);
  const { kind, text } = change;
  const isCreated = kind === "create";
  const look = isCreated ? exactly(change.file) : lookCommand(change.file);
  const looked = yield* demoStep("First I look for the file.", bash(look));
  if (looked.isError)
    return `The look at the files failed, so I change nothing: ${inlineCode(looked.text, 300)}`;
  const path = pathIn(looked.text);
  if (path === null)
    return isCreated
      ? yield* carryOut(turn, `Create ${change.file}`, append(change.file, text ?? CREATED))
      : `I found no file named ${inlineCode(change.file)}, so I change nothing. Say ${inlineCode(`create ${change.file}`)} to have it made.`;
  if (kind === "typo") return yield* typo(turn, path, text);
  if (kind === "comment")
    return yield* carryOut(turn, `Add a comment to ${path}`, append(path, commentFor(path, text ?? NOTE)));
  const told = isCreated ? "It exists already, so I add a line." : "";
  return yield* carryOut(turn, `Add a line to ${path}`, append(path, `\n${text ?? LINE}`), told);
}

const LINE = "Parley's demo model added this line to show how a change is proposed.";
const NOTE = "Parley's demo model added this comment.";
const CREATED = "Parley's demo model created this file.";

const append = (path: string, text: string): DemoCall => ({
  name: "patch",
  input: { path, patches: [{ operation: "append_eof", newText: `${text}\n` }] },
});

const exactly = (file: string): string => `git ls-files -co -- ${quoteForShell(`:(top,literal)${file}`)}`;

const pathIn = (listed: string): string | null => {
  const names = listed.split("\n").filter((name) => /^[^\0:]{1,300}$/.test(name));
  return names.find((name) => !name.includes("/")) ?? names[0] ?? null;
};

/** Drafts and proposes one change. If no draft can be opened, asks for write access and changes the checkout. */
function* carryOut(turn: DemoTurn, title: string, call: DemoCall, before = ""): DemoScene {
  const began = turn.calls.some(({ name }) => name === "draft");
  const canWrite = turn.mayWrite && !began;
  const opened = canWrite
    ? null
    : yield* demoStep(`${before} I open a draft, a copy that I may change.`.trim(), {
        name: "draft",
        input: {},
      });
  if (opened?.isError === true) {
    const refused = yield* requestWrite(title);
    if (refused !== null) return refused;
  }
  const where = opened?.isError === false ? { where: "draft" } : {};
  const changed = yield* demoStep("I make the change.", { ...call, input: { ...call.input, ...where } });
  if (changed.isError) return `Nothing is changed: ${inlineCode(changed.text, 300)}`;
  if (opened?.isError !== false) return `${before} ${title}: done. Nothing is committed.`.trim();
  const summary =
    "A script made this change to show a card. **Apply** makes it real; with a forge, it can become a draft pull request.";
  const proposed = yield* demoStep("I propose it.", { name: "propose", input: { title, summary } });
  const told = `${before}${proposed.isError ? " Nothing was changed." : ""}`.trim();
  return `${told} The answer was: ${inlineCode(proposed.text, 300)}`.trim();
}

function* pull(turn: DemoTurn): DemoScene {
  const looked = yield* demoStep("First I look for a README.", bash(lookCommand("README")));
  const path = looked.isError ? null : pathIn(looked.text);
  const call = append(path ?? "README.md", `\n${LINE}`);
  const told = "Where a forge is connected, the card also offers a draft pull request.";
  return yield* carryOut(turn, `Add a line to ${path ?? "README.md"}`, call, told);
}

/** Common misspellings, each with its correction. */
const TYPOS = {
  teh: "the",
  recieve: "receive",
  occured: "occurred",
  seperate: "separate",
  definately: "definitely",
  untill: "until",
  wich: "which",
  adress: "address",
  accomodate: "accommodate",
  neccessary: "necessary",
  succesful: "successful",
  existance: "existence",
  begining: "beginning",
  enviroment: "environment",
  lenght: "length",
  refered: "referred",
  dependancy: "dependency",
  compatability: "compatibility",
  paramater: "parameter",
  retreive: "retrieve",
  wiht: "with",
} as const;

/** `text`: the misspelled word, if the person quoted it. */
function* typo(turn: DemoTurn, path: string, text: string | null): DemoScene {
  const known = Object.entries(TYPOS).filter(([wrong]) => text === null || wrong === text.toLowerCase());
  const words = known.map(([wrong]) => wrong).join("|");
  const file = quotedPath(path);
  const found = yield* demoStep(
    "I look for a misspelling that I know.",
    bash(`grep -owiE ${quoteForShell(words || "^$")} ${file} | head -n 1 || true`),
  );
  const wrong = found.isError ? "" : found.text.trim();
  const [, right] = known.find(([one]) => one === wrong.toLowerCase()) ?? [];
  if (right === undefined) {
    const told = "I see none of the misspellings that a script knows, so I add a line instead.";
    return yield* carryOut(turn, `Add a line to ${path}`, append(path, `\n${LINE}`), told);
  }
  const written = /^\p{Lu}/u.test(wrong) ? `${right[0]?.toUpperCase()}${right.slice(1)}` : right;
  const edit = bash(`sed -i ${quoteForShell(`s/\\b${wrong}\\b/${written}/g`)} ${file}`);
  return yield* carryOut(turn, `Correct ${wrong} to ${written} in ${path}`, edit);
}

/** Renames a file, or a word in up to 20 files. */
function* rename(turn: DemoTurn, { from, to }: Extract<DemoRequest, { readonly kind: "rename" }>): DemoScene {
  const files = `git grep -lIwF -e ${quoteForShell(from)}`;
  const looked = yield* demoStep(
    `I look for ${inlineCode(from)}.`,
    bash(`${exactly(from)} | sed 's/^/file:/'; ${files} | head -n 20 | sed 's/^/word:/'`),
  );
  if (looked.isError || !/^(?:file|word):/m.test(looked.text))
    return `I found no ${inlineCode(from)} in the files, so I change nothing.`;
  const isFile = looked.text.startsWith("file:");
  const next = to ?? (isFile ? from.replace(/(\.[^./]*)?$/, "-renamed$1") : `${from}Renamed`);
  const title = `Rename ${shortenForDemo(from, 80)} to ${shortenForDemo(next, 80)}`;
  const folder = from.includes("/") && !next.includes("/") ? from.replace(/[^/]*$/, "") : "";
  const replaced = next.replaceAll(/[\\/&]/g, "\\$&");
  const command = isFile
    ? `mv -n -- ${quotedPath(from)} ${quotedPath(`${folder}${next}`)}`
    : `${files} -z | head -z -n 20 | xargs -0 sed -i -E ${quoteForShell(`s/(^|[^[:alnum:]_])${literal(from).replaceAll("/", "\\/")}($|[^[:alnum:]_])/\\1${replaced}\\2/g`)}`;
  return yield* carryOut(turn, title, bash(command));
}

const commentFor = (path: string, text: string): string => {
  const [open, close] = SYNTAX.find(([name]) => name.test(path))?.slice(1) ?? ["#", ""];
  return `${open} ${text.replaceAll(/\*\/|-->/g, "")}${close === "" ? "" : ` ${close}`}`;
};

const SYNTAX: readonly (readonly [RegExp, string, string])[] = [
  [/\.(?:[cm]?[jt]sx?|[ch]|cc|[ch]pp|go|rs|java|kts?|swift|cs|scala|dart|proto|gradle)$/i, "//", ""],
  [/\.(?:md|markdown|x?html?|xml|svg|vue)$|^readme$/i, "<!--", "-->"],
  [/\.(?:css|scss|less)$/i, "/*", "*/"],
  [/\.(?:sql|lua|hs|elm)$/i, "--", ""],
  [/\.(?:tex|erl)$/i, "%", ""],
];
