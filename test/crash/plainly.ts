/** Threads without what may differ: the message that the host was restarted, what a turn took, when somebody clicked. */

/** A message of ours that begins with these words, to its end. */
const messageOf = (words: string): RegExp =>
  new RegExp(`--- from: @?parley \\(bot\\)[^\\n]*\\n${words}(?:(?!--- from: )[^\\n]*\\n)*`, "g");

const INTERRUPTED = messageOf("I was restarted while working on this turn\\.");
/** A waiting message starts after a turn that was interrupted, so nobody can try that turn again. */
const BEFORE_WAITING = messageOf("I do both\\.");
const UNWRITTEN = messageOf("The checkout could not be noted: ");
/** The line of context below an answer, up to what the turn took. */
const CONTEXT = /^((?:-# )?(?:Unr|R)estricted[^\n]*?) · (?:\d+ min )?[\d.]+ s(?: · \d+ % full[^·\n]*)?/gm;
/** What a turn did beside what it came to. */
const STEPS = /^plan: [^\n]*\n(?:>> [^\n]*\n)*/gm;
/** The button that shows it: only where something was done in the try that is told of. */
const STEPS_BUTTON = /^\[Steps\][\n ]| ?\[Steps\]/gm;
/** Whether a click on *Stop* comes before or after the first step is decided by who is quicker. */
const STOPPED_AFTER =
  /(?<=^Stopped by @\w+)(?:\. Nothing was changed| after \d+ steps?\. Steps shows what ran)(?=\.$)/gm;
const CAME_OF_IT = /^(?:(?:-# )?Changed |file: |\[file )[^\n]*\n/gm;
/**
 * A message of Discord's that is found again carries no sign of what it says: it is written once more to be sure. An answer
 * that is read while it is written is edited, or is not.
 */
const WRITTEN_AGAIN = /(?<=^--- from: @?parley \(bot\)) \(edited\)/gm;
/** It stands in the first turn's message, which may be the one about a restart. */
const BOUND = / · This channel works on [^\n]*? changes the repository/g;
/** Discord numbers its people anew in each town. */
const PERSON = /(?<="discord:)\d+(?=")/g;
const CLICKED = /<!date\^[^>]*>|<t:\d+:[tf]>/g;

/** Addresses of threads, which a lost call can cost. */
const ONWARD = /(?<=Continued here: ).*?(?= The new thread works on)/gm;
const BACK = /(?<=^Continues ).*?(?=, opened by )/gm;
/** A summary that is asked for once more knows nothing of the calls that were not run. */
const NOT_RUN = /(?<=the model's context window\.) Requested but not run: `bash`\./g;

/** After a disk that refused: the one message aside that says so. */
export const written = (thread: string | undefined): string => whatever(thread, UNWRITTEN);

/** After a crash: the one documented message aside. */
export const plainly = (thread: string | undefined): string =>
  whatever(thread, INTERRUPTED).replaceAll(STOPPED_AFTER, "").replaceAll(BEFORE_WAITING, "");

/** What a turn changed and shared stands in its message, also where another try has brought its answer: it comes last here. */
const whatever = (thread: string | undefined, aside: RegExp): string => {
  const whole = priceless(thread);
  const came = whole.match(CAME_OF_IT) ?? [];
  return [whole.replaceAll(aside, "").replaceAll(CAME_OF_IT, ""), ...came.toSorted()].join("");
};

/** Without what no two days have in common. */
export const priceless = (thread: string | undefined): string =>
  (thread ?? "")
    .replaceAll(CONTEXT, "$1")
    .replaceAll(STEPS, "")
    .replaceAll(STEPS_BUTTON, "")
    .replaceAll(ONWARD, "there")
    .replaceAll(BACK, "another")
    .replaceAll(NOT_RUN, "")
    .replaceAll(BOUND, "")
    .replaceAll(WRITTEN_AGAIN, "")
    .replaceAll(PERSON, "person")
    .replaceAll(CLICKED, "then");

/** For reviewers: the one long answer of the day is told by its first and its last paragraph. */
export const briefly = (thread: string | undefined): string =>
  priceless(thread).replaceAll(
    /(Paragraph \d+: )[^]*?\n\n(?:Paragraph[^\n]*\n\n)*(Paragraph \d+: )[^\n]*/g,
    "$1…\n\n$2…",
  );
