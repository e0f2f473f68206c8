/** Threads without what may differ: the notice that the host was restarted, what a turn took, when somebody clicked. */

const INTERRUPTED =
  /--- from: @?parley \(bot\)[^\n]*\n◆ Interrupted by a restart of the host\.[^\n]*\n(\[Try again\]\n)?/g;
const FOOTER =
  /^◎ (Restricted|Unrestricted) · (.*) · [\d,]+ tokens · (?:\d+ % of context · )?\$[\d.]+ · [\d.]+ s/gm;
/** Discord's shows no money, and how full the context is. */
const FULL = /^(-# ◎ .*) · \d+ % of context/gm;
/** A message of Discord's that is found again carries no sign of what it says: it is written once more to be sure. */
const WRITTEN_AGAIN = /(?<=^--- from: @parley \(bot\)) \(edited\)/gm;
const CLICKED = /<!date\^[^>]*>/g;

/** The first post was there before its commit was known, or not. */
const CHANGED = / \(edited\)(?=\n[◇◆] Working on)/g;

const UNWRITTEN =
  /--- from: @?parley \(bot\)[^\n]*\n◆ The checkout could not be noted: [^\n]*\n(\[Try again\]\n)?/g;

/** Sub-agents of which some did not come to their ends: others are started in their place. */
const UNFINISHED =
  /--- from: @?parley \(bot\)[^\n]*\n◇ [01] of 2 sub-agents finished[^\n]*\n1\. [^\n]*\n2\. [^\n]*\n/g;

/** Addresses of threads, which a lost call can cost. */
const ONWARD = /(?<=Goes on here: ).*?(?= It works on)/gm;
const BACK = /(?<=^Continues ).*?(?=, opened by )/gm;
/** A summary that is asked for once more knows nothing of the calls that were not run. */
const NOT_RUN = /(?<=its context window is used\.) Asked for and not run: `bash`\./g;

/** After a disk that refused: the one notice aside that says so. */
export const written = (thread: string | undefined): string =>
  priceless(thread).replaceAll(UNWRITTEN, "").replaceAll(UNFINISHED, "");

/** After a crash: the one documented notice aside, and what it says of sub-agents. */
export const plainly = (thread: string | undefined): string =>
  priceless(thread).replaceAll(INTERRUPTED, "").replaceAll(UNFINISHED, "");

export const priceless = (thread: string | undefined): string =>
  (thread ?? "")
    .replaceAll(FOOTER, "$1 · $2")
    .replaceAll(FULL, "$1")
    .replaceAll(ONWARD, "there")
    .replaceAll(BACK, "another")
    .replaceAll(NOT_RUN, "")
    .replaceAll(WRITTEN_AGAIN, "")
    .replaceAll(CLICKED, "then")
    .replaceAll(CHANGED, "");

/** For reviewers: the one long answer of the day is told by its first and its last paragraph. */
export const briefly = (thread: string | undefined): string =>
  priceless(thread).replaceAll(
    /(Paragraph \d+: )[^]*?\n\n(?:Paragraph[^\n]*\n\n)*(Paragraph \d+: )[^\n]*/g,
    "$1…\n\n$2…",
  );
