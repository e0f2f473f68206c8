/**
 * Script for a question about the repository: search, read the best file, cite it. Every quote is from a tool
 * result of this turn.
 */

import { fenced, inlineCode, shortenForDemo } from "./markdown.ts";
import { bash, type DemoScene, demoStep } from "./reply.ts";
import { literal, quotedPath } from "./shell.ts";
import type { DemoTurn } from "./turn.ts";

export function* question({ said }: Pick<DemoTurn, "said">): DemoScene {
  const words = wordsOf(said);
  if (words.length === 0) return yield* overview("");
  const searched = yield* search(said, words);
  const hits = searched.isError ? [] : hitsOf(searched.text);
  const best = hits.find(({ path }) => !ASIDE.test(path)) ?? hits[0];
  const nothing = `I found nothing for ${words.map((word) => inlineCode(word)).join(", ")}.`;
  if (best === undefined) return yield* overview(nothing);
  const from = Math.max(1, best.line - 3);
  const read = yield* demoStep(
    `The best match is ${inlineCode(best.path)}. I read it before I cite it.`,
    bash(`cat -n ${quotedPath(best.path)} | sed -n '${from},${from + LINES}p' | cut -c1-300`),
  );
  const lines = numbered(best.path, read.isError ? "" : read.text);
  return lines.length === 0 ? yield* overview(nothing) : cited(lines, hits, words);
}

/** Maximum number of lines that are read of a file. */
const LINES = 200;

/** Search terms: names in quotes, and significant words without English endings. */
const wordsOf = (said: string): readonly string[] => {
  const exact = [...said.matchAll(/[`"“”']([^`"“”'\n]{2,60})[`"“”']/g)].map(([, inner = ""]) => inner.trim());
  const words = (said.match(/[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*/gu) ?? [])
    .map((word) => word.replace(/[./-]+$/, ""))
    .filter((word) => word.length > 2 && !STOP.has(word.toLowerCase()))
    .map((word) => (/[^\p{L}]|[a-z][A-Z]/u.test(word) ? word : word.toLowerCase().replace(ENDING, "")));
  return [...new Set([...exact, ...words])].slice(0, 5);
};

const ENDING = /(?<=\w{3})(?:ings?|ed|es|s)$/;

const STOP: ReadonlySet<string> = new Set(
  `about after all and any are before being between both but can code could did does doing done each explain file files find
  for from function get give had handle handled has have her here how implement implemented into its know like list located
  look made make many mean means need not one only our out over part place please policy program project readme repo
  repository see set she should show some summary tell than that the their them then there these they thing this those
  through use used uses using very want was what when where which while who why will with work works would you your`.split(
    /\s+/,
  ),
);

/** The first term finds definitions of the names, because the tool ranks files by the number of matching terms. */
const search = (said: string, words: readonly string[]): ReturnType<typeof demoStep> => {
  const terms = words.map((word) => literal(word));
  return demoStep(`I search the repository for ${words.map((word) => inlineCode(word)).join(", ")}.`, {
    name: "keyword_search",
    input: {
      query: shortenForDemo(said, 500),
      search_terms: [`${DEFINES}[\\w$]*(${terms.join("|")})`, ...terms],
    },
  });
};

const DEFINES = "\\b(const|let|var|func|function|fn|def|class|interface|type|struct|enum)\\s+[*]?";

interface Line {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Reads the matches among `path:line:text`, in the tool's order with the best files first. */
const hitsOf = (output: string): readonly Line[] =>
  output.split("\n").flatMap((row) => {
    const [, path, line, text] = /^(?:\.\/)?([^:\0]{1,300}):(\d{1,7}):(.*)$/.exec(row) ?? [];
    return path === undefined || text === undefined ? [] : [{ path, line: Number(line), text }];
  });

/** Tests, prose and generated files. */
const ASIDE =
  /(^|\/)(tests?|specs?|examples?|demo|bench|vendor|dist|build|fixtures?)\/|[._-](test|spec)\.|\.(md|txt|html|json|ya?ml|lock|map|svg)$/i;

/** Reads `cat -n` output. A long line is cut by bytes, so its last character may be incomplete. */
const numbered = (path: string, output: string): readonly Line[] =>
  output.split("\n").flatMap((row) => {
    const [, line, text] = /^ *(\d{1,7})\t(.*)$/.exec(row) ?? [];
    return text === undefined ? [] : [{ path, line: Number(line), text: text.replace(/\uFFFD+$/, "") }];
  });

/** Cites lines that contain a term, definitions first. The snippet starts above the first cited line. */
const cited = (lines: readonly Line[], hits: readonly Line[], words: readonly string[]): string => {
  const path = lines[0]?.path ?? "";
  const holds = new RegExp(words.map((word) => literal(word)).join("|"), "i");
  const defines = new RegExp(`${DEFINES}[\\w$]*(${holds.source})`, "i");
  const found = lines.filter(({ text }) => holds.test(text));
  const best = [...found.filter(({ text }) => defines.test(text)), ...found];
  const shown = [...new Set(best.length > 0 ? best : lines.filter(({ text }) => text.trim() !== ""))]
    .slice(0, 6)
    .toSorted((a, b) => a.line - b.line);
  const at = Math.max(0, lines.findIndex(({ line }) => line === shown[0]?.line) - 1);
  const snippet = lines.slice(at, at + 16);
  const also = hits
    .filter((hit, at) => hit.path !== path && hits.findIndex((other) => other.path === hit.path) === at)
    .slice(0, 3);
  return [
    `The best match is ${inlineCode(path)}:`,
    shown.map(citation).join("\n"),
    `Lines ${snippet[0]?.line} to ${snippet.at(-1)?.line}:`,
    fenced(snippet.map(({ text }) => text).join("\n"), /\.([a-z]{1,4})$/i.exec(path)?.[1]?.toLowerCase()),
    ...(also.length === 0 ? [] : ["Also found, not read:", also.map(citation).join("\n")]),
  ].join("\n\n");
};

const citation = ({ path, line, text }: Line): string =>
  `- ${inlineCode(`${path}:${line}`, 300)}: ${inlineCode(text)}`;

/** Describes the repository from its files, for questions without a term or a match. */
function* overview(before: string): DemoScene {
  const listing = yield* demoStep(`${before} Let me see what is here.`.trim(), bash(OVERVIEW));
  const shown = listing.text.trimEnd().split("\n").slice(0, 40).join("\n");
  return `${before}\n\n${listing.isError ? "I could not list the files:" : "Its folders, its latest commits and how its README begins:"}\n\n${fenced(shown)}\n\nAsk about a name or a word that stands in the code, and I cite where it is.`;
}

const OVERVIEW =
  "git ls-files | sed 's|[^/]*$||; s|^$|./|' | sort | uniq -c | sort -rn | head -n 15; git log --oneline -n 5; head -n 20 README* 2>/dev/null || true";
