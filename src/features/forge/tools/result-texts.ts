/**
 * Converts a forge's answers to text for the model. Pure. All untrusted content is quoted and marked,
 * including titles, labels and file names; the host's own words are numbers, states and addresses.
 */

import type { Checks, ForgeCommit, ForgeFile, SearchResult, Issue, Project, Pull } from "../ports/project.ts";
import { quoteUntrusted } from "../../../text/quotes.ts";
import { fitToLimit } from "../../../tools/fit-to-limit.ts";

type Counting = Pick<Project, "pullSign">;

/**
 * Maximum number of characters of an answer, its first quote, each further quote, all patches, and all
 * reviews.
 */
const MAX_ANSWER = 48_000;
const MAX_BODY = 8_000;
const MAX_REMARK = 3_000;
const MAX_PATCHES = 24_000;
const MAX_FILE_PATCH = MAX_BODY - 400;
const MAX_REVIEWS = 20_000;
const PER_PAGE = 30;

export const issueResultText = (issue: Issue, page: number): string => {
  const pages = Math.max(1, Math.ceil(issue.commentsInAll / PER_PAGE));
  const labels = issue.labels.length === 0 ? "" : `\n\nLabels: ${issue.labels.join(", ")}`;
  const opening =
    page === 1
      ? [quoteUntrusted({ ...issue, text: `${issue.title}\n\n${cut(issue.text, MAX_BODY - 400)}${labels}` })]
      : [];
  return bounded([
    `${issue.isPull ? "Pull request" : "Issue"} #${issue.number}, ${issue.state}, ${counted(issue.commentsInAll, "comment")}: ${issue.url}`,
    ...(issue.isPull ? ["Use read_pull_request for its changes and reviews."] : []),
    ...opening,
    ...issue.comments.map((comment) => quoteUntrusted({ ...comment, text: cut(comment.text, MAX_REMARK) })),
    ...(pages > 1 ? [`[page ${page} of ${pages} of its comments; ask for another with \`page\`]`] : []),
  ]);
};

export const searchResultText = ({ inAll, hits }: SearchResult, { pullSign }: Counting): string =>
  hits.length === 0
    ? "Nothing found. Try fewer or other words."
    : bounded([
        inAll === null
          ? `More than ${counted(hits.length, "match", "matches")}, the first ${hits.length}:`
          : `${counted(inAll, "match", "matches")}${inAll > hits.length ? `, the first ${hits.length}` : ""}:`,
        ...hits.map((hit) =>
          [
            `${hit.isPull ? `Pull request ${pullSign}` : "Issue #"}${hit.number}, ${hit.state}: ${hit.url}`,
            quoteUntrusted({ author: hit.author, at: hit.at, text: hit.title }),
          ].join("\n"),
        ),
      ]);

/** `only`: paths of files whose changes alone are wanted; null for all of the pull request. */
export const pullResultText = (
  pull: Pull,
  { pullSign }: Counting,
  only: readonly string[] | null = null,
): string => {
  const fork = pull.fork === null ? "" : `, from the fork ${pull.fork}`;
  const asCode = (text: string): string => quoteUntrusted({ author: pull.author, at: pull.at, text });
  const files = pull.files.map(
    ({ path, status, added, removed }) => `${status} ${path} +${added} -${removed}`,
  );
  const left = pull.filesInAll - pull.files.length;
  const remarks = newestOf(pull);
  const head = `Pull request ${pullSign}${pull.number}, ${pull.state}${fork}, head commit ${pull.headCommit}, ${counted(pull.filesInAll, "file")}, +${pull.added} -${pull.removed}: ${pull.url}`;
  if (only !== null) {
    const wanted = pull.files.filter(({ path }) => only.includes(path));
    const unknown = only.length - wanted.length;
    return bounded([
      head,
      ...(unknown > 0 ? [`[${counted(unknown, "path")} not among the files of the pull request]`] : []),
      ...patchesOf({ files: wanted }, MAX_FILE).map((text) =>
        quoteUntrusted({ author: pull.author, at: pull.at, text }, MAX_FILE),
      ),
    ]);
  }
  return bounded([
    head,
    asCode(`${pull.title}\n\n${pull.head} into ${pull.base}\n\n${cut(pull.text, MAX_BODY - 800)}`),
    ...remarks,
    ...(files.length === 0 ? [] : [asCode(cut(files.join("\n"), MAX_BODY))]),
    ...(left > 0 ? [`[${left} more files]`] : []),
    ...patchesOf(pull).map(asCode),
    ...(hasRoom(pull) ? [] : ["[Not all changes fit. read_pull_request with `files` reads the rest.]"]),
  ]);
};

/** Whether all patches fit completely. */
const hasRoom = ({ files }: Pick<Pull, "files">): boolean => {
  const sizes = files.map(({ patch }) => patch?.length ?? 0);
  return sizes.every((size) => size <= MAX_FILE_PATCH) && sizes.reduce((a, b) => a + b, 0) <= MAX_PATCHES;
};

export const commitResultText = (commit: ForgeCommit): string => {
  const asCode = (text: string): string => quoteUntrusted({ author: commit.author, at: commit.at, text });
  const left = commit.filesInAll - commit.files.length;
  return bounded([
    `Commit ${commit.sha}, ${counted(commit.filesInAll, "file")}:`,
    asCode(cut(commit.text, MAX_BODY - 400)),
    ...(left > 0 ? [`[${left} more files]`] : []),
    ...patchesOf(commit).map(asCode),
  ]);
};

const MAX_FILE = 24_000;
/** Lines before and after the lines that a link names. */
const AROUND = 20;

/** `lines`: lines that the link names; null for the complete file. */
export const fileResultText = (
  { ref, path, host, text }: ForgeFile,
  lines: { readonly first: number; readonly last: number } | null,
): string => {
  if (text === null)
    return quoteUntrusted({
      author: host,
      at: Number.NaN,
      text: `${path} at ${ref} is no text, or it is too large.`,
    });
  const all = text.split("\n");
  const first = Math.max(1, (lines?.first ?? 1) - AROUND);
  const last = Math.min(all.length, lines === null ? all.length : lines.last + AROUND);
  const shown = all.slice(first - 1, last).map((line, index) => `${first + index}: ${line}`);
  return [
    `Lines ${first} to ${last} of ${all.length} of the file:`,
    quoteUntrusted(
      { author: host, at: Number.NaN, text: `${path} at ${ref}\n\n${shown.join("\n")}` },
      MAX_FILE,
    ),
  ].join("\n");
};

/** Reviews and remarks that fit. The newest are always included, because they are still unresolved. */
const newestOf = ({ reviews, reviewsLeft }: Pull): readonly string[] => {
  const kept: string[] = [];
  let room = MAX_REVIEWS;
  const inTime = reviews.toSorted((a, b) => (a.at || 0) - (b.at || 0));
  for (const review of inTime.toReversed()) {
    const quote = quoteUntrusted({ ...review, text: `[${review.on}] ${cut(review.text, MAX_REMARK)}` });
    room -= quote.length;
    if (room < 0 && kept.length > 0) break;
    kept.push(quote);
  }
  const unshown = reviews.length - kept.length;
  const older = reviewsLeft === null ? `more than ${unshown}` : String(unshown + reviewsLeft);
  return [
    ...(older === "0" ? [] : [`[${older} older reviews and remarks left out: see the pull request's page]`]),
    ...kept.toReversed(),
  ];
};

/** Patches that fit, and a note about the omitted patches. */
const patchesOf = ({ files }: Pick<Pull, "files">, mostOfFile = MAX_FILE_PATCH): readonly string[] => {
  const patches: string[] = [];
  const without: string[] = [];
  const unshown = files.flatMap(({ path, patch }) => (patch === null ? [path] : []));
  let room = MAX_PATCHES;
  for (const { path, patch } of files) {
    if (patch === null) continue;
    if (room < Math.min(patch.length, 500)) {
      without.push(path);
    } else {
      patches.push(`${path}\n${cut(patch, Math.min(room, mostOfFile))}`);
      room -= patch.length;
    }
  }
  return [
    ...patches,
    ...pathsText("No room here for the changes of", without),
    ...pathsText("The forge shows no changes (binary or too large) of", unshown),
  ];
};

const pathsText = (why: string, paths: readonly string[]): readonly string[] =>
  paths.length === 0 ? [] : [cut(`${why}: ${paths.join(", ")}`, MAX_BODY)];

export const checksResultText = ({ ref, runs, left }: Checks): string => {
  const failed = runs.filter(({ failed: isFailed }) => isFailed);
  const parts = runs
    .toSorted((a, b) => Number(b.failed) - Number(a.failed))
    .map((run) => {
      const said = run.log === null ? "" : `\n\n${run.log}`;
      return `${run.failed ? "Failed" : run.state}: ${run.url ?? "no address"}\n${quoteUntrusted({ author: "checks", at: Number.NaN, text: `${run.name} (${run.state})${run.failed ? said : ""}` })}`;
    });
  return runs.length === 0
    ? `No checks ran for ${ref}.`
    : bounded([`${summed(runs.length, left)} for ${ref}, ${failed.length} failed.${unread(left)}`, ...parts]);
};

const summed = (read: number, left: number | null): string =>
  left === null ? `More than ${counted(read, "check")}` : counted(read + left, "check");

const unread = (left: number | null): string => {
  if (left === 0) return "";
  return ` ${left === null ? "Some" : left} of them were not read, so more may have failed.`;
};

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n[${text.length - most} more characters]`;

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

const bounded = (parts: readonly string[]): string =>
  fitToLimit(parts, { most: MAX_ANSWER, between: "\n\n" }, (left) => `[${left} more parts left out]`);
