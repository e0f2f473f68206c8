/** A term with many matches gets less context; terms with most matches are left out. No model filters the result (D31). */
import { dirname } from "node:path";
import { z } from "zod";
import type { Mount, RunResult, Sandbox } from "../../../sandbox/types.ts";
import type { ToolOutcome } from "../../ports/tools.ts";
import type { CallPlace, FindCallPlace } from "../resolve-execution.ts";
import { inDraft } from "../drafts/where.ts";
import { rankFiles, readLines, type SearchLine, type TermLines, writeFiles } from "./search-hits.ts";
import { inRepository } from "../repository.ts";
import { defineTool, failure, success, textField, type Tool, type ToolCall, valueOf } from "../tool.ts";

/** Bytes of output for one term, and for all terms together. */
const MAX_TERM = 65_536;
const MAX_TOGETHER = 131_072;

const MAX_ANSWER = 24_000;

const MAX_TERMS = 16;

const AT_ONCE = 2;
const TIMEOUT_MS = 30_000;

const DESCRIPTION = `Search the files of the working directory for several terms at once, ignoring case. Files that hold more of the terms come first, then those with more matches.

- Each term is a regular expression; one that is not valid is searched for as plain text.
- Give two to eight specific terms that relate to what you look for: names, phrases from messages, synonyms. Put the best first. If terms match too much, the answer has only a part of the matches, or leaves terms out, and says so.
- The answer has \`path:line:text\` for matches and \`path-line-text\` for lines around them. Of a very long line only the parts around matches are shown. Untracked files that git ignores, and binary files, are not searched.`;

const schema = z.object({
  query: textField
    .optional()
    .describe("What you want to find out, in one sentence, for the people who read along."),
  search_terms: z
    .array(textField.refine((term) => !/[\0\n]/.test(term), { error: "must be one line" }))
    .max(MAX_TERMS)
    .describe("The terms to search for, the most telling first."),
  where: inDraft,
  repository: textField
    .max(100)
    .optional()
    .describe(
      "Folder of the one repository to search, where this conversation has several; all of them without it.",
    ),
});

/** From an npm package, never from the host. Null if the package has no binary for this machine. */
export const findRipgrep = async (): Promise<Mount | null> => {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return { source: dirname(rgPath), target: "/opt/parley/bin", write: false };
  } catch {
    // The package throws if its part for this platform is not installed.
    return null;
  }
};

/** `rg`: the program as commands see it; null if this machine has none. */
export const createSearchTool = (
  sandbox: Pick<Sandbox, "run">,
  findPlace: FindCallPlace,
  rg: string | null,
): Tool =>
  defineTool({
    name: "keyword_search",
    description: DESCRIPTION,
    origin: "checkout",
    look: {
      past: "Searched for {object}",
      now: "searching for {object}",
      fields: ["search_terms", "query"],
      icon: "search",
      face: "prose",
    },
    judge: null,
    schema,
    tooLarge: "Use fewer terms.",
    run: async ({ search_terms, where, repository }, call) => {
      const terms = [...new Set(search_terms.filter((term) => term.trim() !== ""))];
      if (terms.length === 0) return failure("At least one search term is required");
      if (rg === null)
        return failure("keyword_search is not available on this machine; use grep through bash.");
      const hasFolder = repository !== undefined && valueOf(inRepository(call, repository)) !== call;
      const directory = hasFolder ? `./${repository}/` : "./";
      const place = await findPlace(call, where);
      const search = { sandbox, place, rg, call, directory };
      const beside = await ignoredButTracked(search);
      const searched = await searchAll(terms, (term) => searchTerm({ ...search, beside }, term));
      const stopped = searched.find((each) => each.kind === "failed");
      return stopped === undefined ? answer(searched) : failure(stopped.message);
    },
  });

type Searched =
  | ({ readonly kind: "found"; readonly isCut: boolean } & TermLines)
  | { readonly kind: "failed"; readonly message: string };

const searchAll = async (
  terms: readonly string[],
  search: (term: string) => Promise<Searched>,
): Promise<readonly Searched[]> => {
  const searched: Searched[] = [];
  for (let at = 0; at < terms.length; at += AT_ONCE) {
    searched.push(...(await Promise.all(terms.slice(at, at + AT_ONCE).map(search))));
  }
  return searched;
};

interface Search {
  readonly sandbox: Pick<Sandbox, "run">;
  readonly place: CallPlace;
  readonly rg: string;
  readonly call: ToolCall;
  readonly directory: string;
}

interface TermSearch extends Search {
  /** Files that are searched although git ignores them. */
  readonly beside: readonly string[];
}

/** Lines around a match. The first number whose output fits into MAX_TERM is used. */
const CONTEXTS = [10, 2, 0] as const;

const searchTerm = async (search: TermSearch, term: string): Promise<Searched> => {
  const where = [search.directory, ...search.beside];
  // Status 2 without a match: not a regular expression, or nothing was readable. The second search shows which.
  let pattern = ["-e", term];
  let found = await ripgrep(search, [...LINES, `--context=${CONTEXTS[0]}`, ...pattern, "--", ...where]);
  if (found.kind === "exited" && found.code === 2 && linesOf(found).length === 0) {
    pattern = ["--fixed-strings", "-e", term];
    found = await ripgrep(search, [...LINES, `--context=${CONTEXTS[0]}`, ...pattern, "--", ...where]);
  }
  for (const context of CONTEXTS.slice(1)) {
    if (!isOver(found)) break;
    found = await ripgrep(search, [...LINES, `--context=${context}`, ...pattern, "--", ...where]);
  }
  if (search.call.signal.aborted) return { kind: "failed", message: "[search cancelled]" };
  switch (found.kind) {
    case "exited":
    case "killed": {
      const lines = linesOf(found);
      const more = await behindNul(search, { pattern, where, found });
      const whole = await aroundMatches(search, term, pattern.length > 2, [...lines, ...more]);
      return { kind: "found", term, lines: whole, isCut: isOver(found) };
    }
    case "timedOut":
      return { kind: "failed", message: `[search timed out after ${TIMEOUT_MS / 1000}s]` };
    case "signalled":
      return { kind: "failed", message: `The search ended with signal ${found.signal}` };
    case "failed":
      return { kind: "failed", message: `Failed to spawn process: ${found.reason}` };
  }
};

const isOver = (result: RunResult): boolean => "total" in result && result.total > MAX_TERM;

/** Drops a last line that was cut. */
const linesOf = (result: RunResult): TermLines["lines"] => {
  const text = headOf(result);
  return readLines(isOver(result) ? text.slice(0, text.lastIndexOf("\n") + 1) : text);
};

const headOf = (result: RunResult): string => ("head" in result ? result.head.toString() : "");

const ripgrep = (search: Search, args: readonly string[]): Promise<RunResult> =>
  bounded(search, [search.rg, ...EVERY, ...args]);

const bounded = async (
  { sandbox, place, call }: Search,
  argv: readonly [string, ...string[]],
): Promise<RunResult> => {
  const enough = new AbortController();
  let received = 0;
  return sandbox.run(
    {
      policy: place.policy,
      argv,
      env: place.env,
      timeoutMs: TIMEOUT_MS,
      keep: { head: MAX_TERM, tail: 1 },
    },
    {
      signal: AbortSignal.any([call.signal, enough.signal]),
      onOutput: (chunk) => {
        received += chunk.length;
        if (received > MAX_TERM) enough.abort();
      },
    },
  );
};

/** Searches hidden files (workflows, settings), but not git's. `.ignore` and `.rgignore` are for searches by people. */
const EVERY =
  "--no-config --no-messages --color=never --ignore-case --hidden --no-ignore-dot --glob=!.git".split(" ");
const LINES =
  "--no-heading --with-filename --line-number --null --max-columns=300 --max-columns-preview".split(" ");

/** Files that are named to ripgrep besides the directory. */
const MOST_NAMED = 400;

/** ripgrep follows a named link and reads a named pipe, so only regular files count (WG2). */
const ignoredButTracked = async (search: Search): Promise<readonly string[]> => {
  const ran = await bounded(search, ["/bin/sh", "-c", TRACKED, "sh", search.directory]);
  return namesIn(headOf(ran)).slice(0, MOST_NAMED);
};

const TRACKED = String.raw`for each in "$1" "$1"*/; do
  [ -e "$each.git" ] && [ ! -L "$\{each%/}" ] || continue
  git -C "$each" ls-files -z --cached --ignored --exclude-standard 2> /dev/null | xargs -0 -r printf "$each%s\000"
done | xargs -0 -r sh -c 'find "$@" -maxdepth 0 -type f -size -16385k -print0 2> /dev/null' sh`.replaceAll(
  "$\\{",
  "${",
);

const namesIn = (text: string): readonly string[] => text.split("\0").filter((name) => name !== "");

/** ripgrep treats a file as binary from the first NUL on. Git checks only the first 8,000 bytes, and so does this search. */
const behindNul = async (
  search: TermSearch,
  {
    pattern,
    where,
    found,
  }: { readonly pattern: readonly string[]; readonly where: readonly string[]; readonly found: RunResult },
): Promise<TermLines["lines"]> => {
  const known = new Set(linesOf(found).map(({ path }) => path));
  const stopped = new Set(Array.from(headOf(found).matchAll(STOPPED), ([, path = ""]) => path));
  const all = namesIn(
    headOf(
      await ripgrep(search, [
        "--files-with-matches",
        "--null",
        "--binary",
        `--max-filesize=${MAX_TEXT}`,
        ...pattern,
        "--",
        ...where,
      ]),
    ),
  );
  // If output was cut, further text files are missing too.
  const isSilent = (path: string): boolean => !isOver(found) && !known.has(path.replace(/^\.\//, ""));
  const asked = all.filter((path) => stopped.has(path) || isSilent(path)).slice(0, MOST_NAMED);
  if (asked.length === 0) return [];
  const binary = await ripgrep(search, [
    "--files-with-matches",
    "--null",
    "--multiline",
    "--text",
    "-e",
    NUL_EARLY,
    "--",
    ...asked,
  ]);
  const isBinary = new Set(namesIn(headOf(binary)));
  const text = asked.filter((path) => !isBinary.has(path));
  if (text.length === 0) return [];
  return linesOf(await ripgrep(search, [...LINES, "--text", ...pattern, "--", ...text]));
};

/** Largest file that is read whole. */
const MAX_TEXT = "16M";
const STOPPED = /^(.+?): (?:WARNING: stopped searching binary file|binary file matches)/gm;
const NUL_EARLY = String.raw`(?s-u)\A.{0,8000}\x00`;

const isLong = ({ isMatch, text }: SearchLine): boolean => isMatch && CUT.test(text);

/** Replaces cut lines by the text around their matches (WG6). */
const aroundMatches = async (
  search: Search,
  term: string,
  isFixed: boolean,
  lines: TermLines["lines"],
): Promise<TermLines["lines"]> => {
  const files = [...new Set(lines.filter(isLong).map(({ path }) => `./${path}`))].slice(0, MOST_NAMED);
  if (files.length === 0) return lines;
  const inner = isFixed ? term.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : term;
  const args = ["--no-heading", "--with-filename", "--line-number", "--null", "--text", "--only-matching"];
  const ran = await ripgrep(search, [
    ...args,
    "-e",
    `.{0,${AROUND}}(?:${inner}).{0,${AROUND}}`,
    "--",
    ...files,
  ]);
  const parts = Map.groupBy(linesOf(ran), ({ path, number }) => `${number} ${path}`);
  return lines.map((line) => {
    const found = isLong(line) ? (parts.get(`${line.number} ${line.path}`) ?? []) : [];
    if (found.length === 0) return line;
    const more = found.length > MOST_PARTS ? ` [${found.length - MOST_PARTS} more matches in this line]` : "";
    const shown = found.slice(0, MOST_PARTS).map(({ text }) => text.slice(0, 4 * AROUND));
    return { ...line, text: `[long line] …${shown.join("… …")}…${more}` };
  });
};

/** How ripgrep ends a line that it cuts. */
const CUT = / \[\.\.\. (?:\d+ more match(?:es)?|omitted end of long line)\]$/;
const AROUND = 100;
const MOST_PARTS = 3;

const answer = (searched: readonly Searched[]): ToolOutcome => {
  const found = searched.filter((each) => each.kind === "found");
  const used = fitting(found);
  const files = rankFiles(used);
  const left = found.filter((each) => !used.includes(each));
  const cut = used.filter(({ isCut }) => isCut);
  const text =
    files.length === 0 ? "No matches found for the given search terms." : writeFiles(files, MAX_ANSWER);
  const notes = [
    [cut, "only the first matches were read of"],
    [left, "left out because they match too much:"],
  ] as const;
  const said = notes.flatMap(([terms, note]) =>
    terms.length === 0 ? [] : [`\n\n[${note} ${terms.map(({ term }) => `\`${term}\``).join(", ")}]`],
  );
  return success(text + said.join(""));
};

/** Terms whose merged lines fit into MAX_TOGETHER, in order. Terms with most matches are left out, but never all. */
const fitting = <T extends TermLines>(found: readonly T[]): readonly T[] => {
  const smallest = found
    .map((each) => ({ each, size: sizeOf([each]) }))
    .toSorted((a, b) => a.size - b.size)
    .map(({ each }) => each);
  for (let count = smallest.length; count > 1; count -= 1) {
    const used = new Set(smallest.slice(0, count));
    const kept = found.filter((each) => used.has(each));
    if (sizeOf(kept) <= MAX_TOGETHER) return kept;
  }
  return smallest.slice(0, 1);
};

const sizeOf = (found: readonly TermLines[]): number => {
  let size = 0;
  for (const file of rankFiles(found)) {
    for (const line of file.lines.values()) size += file.path.length + line.text.length + 8;
  }
  return size;
};
