/**
 * The script for a question about the repository: search, read the best places, cite them. Whatever is quoted
 * stands in a tool result of this turn.
 */

import { type Evidence, type FileEvidence, weigh } from "./evidence.ts";
import { commandOf } from "./command.ts";
import { citedAnswer, numberedLines } from "./cite.ts";
import { fenced, inlineCode, shortened } from "./markdown.ts";
import { bash, type DemoCall, finalReply, type Reply } from "./reply.ts";
import { literal, quoted, quotedPath } from "./shell.ts";
import { type Terms, termsOf } from "./terms.ts";
import { type DemoTurn, results } from "./turn.ts";

export const question = (turn: DemoTurn): Reply => {
  const terms = termsOf(turn.said);
  if (terms.asked.length === 0) return overview(turn, "");
  switch (turn.rounds.length) {
    case 0:
      return search(turn.said, terms);
    case 1:
      return read(turn, terms);
    default:
      return answer(turn, terms);
  }
};

const answer = (turn: DemoTurn, terms: Terms): Reply => {
  const { files, weights } = found(turn, terms);
  const read = worthReading(files);
  const readings = read.flatMap(({ path }) => {
    const done = results(turn, "bash").find(
      (each) => commandOf(each).startsWith(catOf(path)) && !each.isError,
    );
    return done === undefined ? [] : [{ path, lines: numberedLines(done.text) }];
  });
  return readings.length === 0
    ? overview(turn, `I found nothing for ${named(terms)}.`)
    : finalReply(citedAnswer(readings, files.slice(read.length), weights));
};

/** What the repository is, from its own files: for questions that name nothing, or nothing that is here. */
const overview = (turn: DemoTurn, before: string): Reply => {
  const listing = results(turn, "bash").find((done) => commandOf(done) === OVERVIEW);
  if (listing === undefined) {
    return turn.rounds.length >= 2
      ? finalReply(before === "" ? "I could not look at the repository." : before)
      : { text: `${before} Let me see what is here.`.trim(), calls: [bash(OVERVIEW)] };
  }
  const shown = listing.text.trim().split("\n").slice(0, 60).join("\n");
  return finalReply(
    `${before === "" ? "" : `${before}\n\n`}${listing.isError ? "I could not list the files:" : "Its files by folder, its latest commits and how its README begins:"}\n\n${fenced(shown)}\n\nAsk about a name or a word that stands in the code, and I cite where it is.`,
  );
};

const OVERVIEW =
  "git ls-files | sed 's|[^/]*$||; s|^$|./|' | sort | uniq -c | sort -rn | head -n 15; git log --oneline -n 5; head -n 20 README* 2>/dev/null || true";

const search = (said: string, terms: Terms): Reply => {
  const stems = [...terms.asked, ...terms.related].map((word) => literal(word)).join("|");
  return {
    text: `I search the repository for ${named(terms)}: one search for the words, one for where such names are defined, and one for files that are called so.`,
    calls: [
      {
        name: "think",
        input: {
          thoughts: `Scripted plan: search for ${named(terms)}, read the best places, cite what they say.`,
        },
      },
      { name: "keyword_search", input: { query: shortened(said, 500), search_terms: terms.search } },
      bash(
        `git grep -nIiE ${quoted(`(${KEYWORDS})[[:space:]]+[*]?[[:alnum:]_$]*(${stems})`)} | cut -c1-300 | head -n 300`,
      ),
      bash(
        `git ls-files | grep -iE ${quoted(terms.asked.map((word) => literal(word)).join("|"))} | head -n 40`,
      ),
    ],
  };
};

const KEYWORDS = "const|let|var|val|function|func|fn|def|class|interface|type|struct|enum|trait|define";

const read = (turn: DemoTurn, terms: Terms): Reply => {
  const best = worthReading(found(turn, terms).files);
  if (best.length === 0) return overview(turn, `I found nothing for ${named(terms)} in this repository.`);
  return {
    text: `The best match is ${inlineCode(best[0]?.path ?? "")}. I read the places before I cite them.`,
    calls: best.map(readCall),
  };
};

/** Lines around the hits of a file, with their numbers; the beginning of one that only its name led to. */
const readCall = ({ path, hits }: FileEvidence): DemoCall => {
  const first = hits[0]?.line ?? 1;
  const last = hits.at(-1)?.line ?? 60;
  const from = Math.max(1, first - 3);
  const to = Math.min(from + MAX_LINES, last + 12);
  return bash(`${catOf(path)}sed -n '${from},${to}p' | cut -c1-300`);
};

const catOf = (path: string): string => `cat -n ${quotedPath(path)} | `;

/** The best file, and the next where it says nearly as much. */
const worthReading = (files: readonly FileEvidence[]): readonly FileEvidence[] =>
  files.slice(0, 2).filter(({ weight }) => weight >= NEARLY * (files[0]?.weight ?? 0));

const NEARLY = 0.5;

/** Lines read of a file. */
const MAX_LINES = 220;

const found = (turn: DemoTurn, terms: Terms): Evidence => {
  const first = (turn.rounds[0] ?? []).filter((done) => !done.isError);
  const names = first
    .filter((done) => commandOf(done).startsWith("git ls-files"))
    .flatMap((done) => done.text.split("\n"));
  const outputs = first
    .filter((done) => !commandOf(done).startsWith("git ls-files"))
    .map((done) => done.text);
  return weigh(
    outputs,
    names.filter((name) => name.trim() !== ""),
    terms,
  );
};

const named = (terms: Terms): string =>
  [...terms.asked, ...terms.related].map((word) => inlineCode(word)).join(", ");
