/** A thread without what may differ after a crash: the notice that the host was restarted, and what a turn cost. */

const INTERRUPTED =
  /--- from: parley \(bot\)[^\n]*\nInterrupted by a restart of the host\.[^\n]*\n(\[Try again\]\n)?/g;
const FOOTER = /^(Restricted|Unrestricted) · (.*) · \d+ tokens · \$[\d.]+ · [\d.]+ s$/gm;

export const plainly = (thread: string | undefined): string =>
  (thread ?? "").replaceAll(INTERRUPTED, "").replaceAll(FOOTER, "$1 · $2");
