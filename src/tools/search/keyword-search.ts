/**
 * `keyword_search`: several terms at once over the checkout, case ignored, best files first.
 *
 * ripgrep runs once a term inside the sandbox. A term that finds too much is left out, then terms from the end of
 * the list until the rest is small enough; no model filters the result (D31).
 */
import { z } from "zod";
import type { RunResult, Sandbox } from "../../../sandbox/types.ts";
import type { ToolOutcome } from "../../ports/tools.ts";
import type { FindCallPlace, CallPlace } from "../call-place.ts";
import { inDraft } from "../drafts/where.ts";
import { rankFiles, readLines, writeFiles, type TermLines } from "./search-hits.ts";
import { inRepository } from "../repository.ts";
import { defineTool, failure, success, textField, type Tool, type ToolCall, valueOf } from "../tool.ts";

/** Bytes that one term may find, and all of them together. */
const MAX_TERM = 65_536;
const MAX_TOGETHER = 131_072;

/** Characters of the answer. */
const MAX_ANSWER = 24_000;

const MAX_TERMS = 16;

/** Searches at a time, and milliseconds that one may take. */
const AT_ONCE = 2;
const TIMEOUT_MS = 30_000;

const DESCRIPTION = `Search the files of the working directory for several terms at once, ignoring case. Files that hold more of the terms come first, then those with more matches.

- Each term is a regular expression; one that is not valid is searched for as plain text.
- Give two to eight specific terms that relate to what you look for: names, phrases from messages, synonyms. Put the best first: terms that match too much are left out.
- The answer has \`path:line:text\` for matches and \`path-line-text\` for lines around them. Files that git ignores and binary files are not searched.`;

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

/** `rg` is the program as commands see it; null where this machine has none. */
export const createSearchTool = (
  sandbox: Pick<Sandbox, "run">,
  findPlace: FindCallPlace,
  rg: string | null,
): Tool =>
  defineTool({
    name: "keyword_search",
    description: DESCRIPTION,
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
      const searched = await searchAll(terms, (term) =>
        searchTerm({ sandbox, place, rg, call, directory }, term),
      );
      const stopped = searched.find((each) => each.kind === "failed");
      return stopped === undefined ? answer(searched) : failure(stopped.message);
    },
  });

type Searched =
  | ({ readonly kind: "found" } & TermLines)
  | { readonly kind: "tooMany"; readonly term: string }
  | { readonly kind: "failed"; readonly message: string };

/** In the order of the terms, AT_ONCE at a time. */
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

const searchTerm = async (search: Search, term: string): Promise<Searched> => {
  const asPattern = await ripgrep(search, term, []);
  // Status 2 without a match: not a regular expression, or nothing could be read, which the second search shows.
  const unusable =
    asPattern.result.kind === "exited" && asPattern.result.code === 2 && asPattern.lines.length === 0;
  const { result, lines } = unusable ? await ripgrep(search, term, ["--fixed-strings"]) : asPattern;
  if (search.call.signal.aborted) return { kind: "failed", message: "[search cancelled]" };
  switch (result.kind) {
    case "exited":
    case "killed":
      return result.total > MAX_TERM ? { kind: "tooMany", term } : { kind: "found", term, lines };
    case "timedOut":
      return { kind: "failed", message: `[search timed out after ${TIMEOUT_MS / 1000}s]` };
    case "signalled":
      return { kind: "failed", message: `The search ended with signal ${result.signal}` };
    case "failed":
      return { kind: "failed", message: `Failed to spawn process: ${result.reason}` };
  }
};

const ripgrep = async (
  { sandbox, place, rg, call, directory }: Search,
  term: string,
  options: readonly string[],
): Promise<{ readonly result: RunResult; readonly lines: TermLines["lines"] }> => {
  const enough = new AbortController();
  let received = 0;
  const result = await sandbox.run(
    {
      policy: place.policy,
      argv: [rg, ...RG_OPTIONS, ...options, "-e", term, directory],
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
  return { result, lines: "head" in result ? readLines(result.head.toString()) : [] };
};

/** Hidden files are searched (workflows, settings), git's own are not. A very long line is shown in part. */
const RG_OPTIONS = (
  "--no-config --no-messages --color=never --no-heading --with-filename --line-number --null " +
  "--ignore-case --context=10 --hidden --glob=!.git --max-columns=300 --max-columns-preview"
).split(" ");

const answer = (searched: readonly Searched[]): ToolOutcome => {
  const usable = searched.filter((each) => each.kind === "found");
  if (usable.length === 0) {
    return failure("Each of those search terms yielded too many results. Try more specific terms.");
  }
  const used = fitting(usable);
  const files = rankFiles(used);
  const left = [
    ...searched.flatMap((each) => (each.kind === "tooMany" ? [each.term] : [])),
    ...usable.slice(used.length).map((each) => each.term),
  ];
  const found =
    files.length === 0 ? "No matches found for the given search terms." : writeFiles(files, MAX_ANSWER);
  const note = `\n\n[left out because they match too much: ${left.map((term) => `\`${term}\``).join(", ")}]`;
  return success(left.length === 0 ? found : found + note);
};

/** The first terms whose merged lines are within MAX_TOGETHER; never none. */
const fitting = (found: readonly TermLines[]): readonly TermLines[] => {
  for (let count = found.length; count > 1; count -= 1) {
    const used = found.slice(0, count);
    if (sizeOf(used) <= MAX_TOGETHER) return used;
  }
  return found.slice(0, 1);
};

const sizeOf = (found: readonly TermLines[]): number => {
  let size = 0;
  for (const file of rankFiles(found)) {
    for (const line of file.lines.values()) size += file.path.length + line.text.length + 8;
  }
  return size;
};
