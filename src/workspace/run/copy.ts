/** Copies an agent's directory inside the sandbox, as the files' owner: the copy shares no file with another user. */

import type { Mount, Sandbox } from "../../../sandbox/types.ts";
import type { Millis } from "../../machine/id.ts";
import { InTheWay } from "./git-trouble.ts";
import { SANDBOX_PATHS } from "../disk/layout.ts";
import { runStep, unlessNoSpace } from "./step.ts";

export interface Layers {
  readonly work: string;
  readonly under: NonNullable<Mount["under"]>;
}

export interface Copy {
  readonly from: Layers;
  /** Belongs to the same user. */
  readonly to: string;
  readonly slot: number;
  /** Limits of a copy that shares no data. Null skips counting, which takes time. */
  readonly limits: { readonly bytes: number; readonly entries: number } | null;
  readonly timeout: Millis;
  readonly signal?: AbortSignal;
}

const TOO_MANY = 75;
const TOO_LARGE = 74;

/** Counts the entries of `$1` into `$5` (at most `$4`) and the bytes into `$6`. "0" reads no sizes, which halves the time. */
export const countEntries = (size: "%s" | "0"): string => String.raw`set -eu
counts=$(find "$1" -printf '%y ${size} %P\0' | tr '\n\0' '_\n' | awk -v most="$4" '
  { n++; bytes += $2; if ($1 != "d" && $3 !~ /^\.git(\/|$)/) files++; if (n > most) exit }
  END { printf "%d %.0f %d", n, bytes, files }')
set -- "$1" "$2" "$3" "$4" $counts
trap 'printf "\n%s\n" "$7"' EXIT
`;

/** `$1` source, `$2` target. */
const COPY = `cp -dR --preserve=mode,timestamps,links --reflink=auto -- "$1/." "$2/"`;

/** `$3` most bytes, `$4` most entries. */
const COUNTED = String.raw`${countEntries("%s")}
[ "$5" -le "$4" ] || exit ${TOO_MANY}
first=$(find "$1" -type f -size +0 -print -quit)
if ! cp --reflink=always -- "$first" "$2/.first" 2> /dev/null; then [ "$6" -le "$3" ] || exit ${TOO_LARGE}; fi
rm -f "$2/.first"
${COPY}`;

/** Returns the number of files outside `.git`, if they were counted. */
export const copyCheckoutTree = async (
  sandbox: Sandbox,
  { from: { work, under }, to, limits, ...how }: Copy,
): Promise<number> => {
  const old = { source: work, target: SANDBOX_PATHS.source, write: false, under };
  const target = { source: to, target: SANDBOX_PATHS.work, write: true };
  const bounds = limits === null ? [] : [limits.bytes, limits.entries].map(String);
  const script = limits === null ? COPY : COUNTED;
  const { code, text } = await runStep(sandbox, { script, given: [old, target, ...bounds], ...how });
  if (limits !== null && code === TOO_MANY)
    throw tooLarge(`it has more than ${limits.entries.toLocaleString("en")} files and directories`);
  if (limits !== null && code === TOO_LARGE)
    throw tooLarge(`it is larger than ${Math.round(limits.bytes / 2 ** 20)} MiB`);
  if (code !== 0) throw unlessNoSpace(text, "the files could not be copied");
  return countIn(text);
};

export const countIn = (text: string): number => Number(/(\d+)\n$/.exec(text)?.[1] ?? 0);

const tooLarge = (why: string): InTheWay => new InTheWay({ kind: "noCopy", why });
