/** Threads without what may differ: the notice that the host was restarted, what a turn took, when somebody clicked. */

const INTERRUPTED =
  /--- from: parley \(bot\)[^\n]*\n◆ Interrupted by a restart of the host\.[^\n]*\n(\[Try again\]\n)?/g;
const FOOTER = /^◎ (Restricted|Unrestricted) · (.*) · [\d,]+ tokens · \$[\d.]+ · [\d.]+ s/gm;
const CLICKED = /<!date\^[^>]*>/g;

const UNWRITTEN =
  /--- from: parley \(bot\)[^\n]*\nThe checkout could not be noted: [^\n]*\n(\[Try again\]\n)?/g;

/** After a disk that refused: the one notice aside that says so. */
export const written = (thread: string | undefined): string => priceless(thread).replaceAll(UNWRITTEN, "");

/** After a crash: the one documented notice aside. */
export const plainly = (thread: string | undefined): string => priceless(thread).replaceAll(INTERRUPTED, "");

export const priceless = (thread: string | undefined): string =>
  (thread ?? "").replaceAll(FOOTER, "$1 · $2").replaceAll(CLICKED, "then");
