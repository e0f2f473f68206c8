/** Words around a change, so that a reader finds its place in the text. */
const CONTEXT = 3;
/** Most words between the first and the last change that are compared word by word. */
const MOST_WORDS = 200;

/** Length of both texts together below which they are shown in full. */
const SHORT = 400;

/** A range of words of each text: `from` and `to` of the old one, then of the new one. */
interface Change {
  readonly old: readonly [from: number, to: number];
  readonly new: readonly [from: number, to: number];
}

/** Returns old and new words of each change; null if the new text is easier to read. Linear time. */
export const changedWords = (before: string, after: string): string | null => {
  const old = wordsOf(before);
  const now = wordsOf(after);
  const lines = changesIn(old, now).flatMap((change) => [
    `Old: ${excerpt(old, change.old)}`,
    `New: ${excerpt(now, change.new)}`,
  ]);
  if (lines.length === 0) return null;
  const text = lines.join("\n");
  if (text.length < after.length) return text;
  return before.length + after.length > SHORT ? null : `Old: ${before}\nNew: ${after}`;
};

const wordsOf = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== "");

const changesIn = (old: readonly string[], now: readonly string[]): readonly Change[] => {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const whole: Change = { old: [start, old.length - end], new: [start, now.length - end] };
  const size = Math.max(old.length, now.length) - start - end;
  if (size === 0) return [];
  return size > MOST_WORDS ? [whole] : joined(compared(old, now, whole));
};

/** Longest common subsequence of the two ranges. */
const compared = (old: readonly string[], now: readonly string[], whole: Change): readonly Change[] => {
  const [oldFrom, oldTo] = whole.old;
  const [newFrom, newTo] = whole.new;
  const width = newTo - newFrom + 1;
  const lengths = new Uint16Array((oldTo - oldFrom + 1) * width);
  const at = (i: number, k: number): number => (i - oldFrom) * width + (k - newFrom);
  const length = (i: number, k: number): number => lengths[at(i, k)] ?? 0;
  for (let i = oldTo - 1; i >= oldFrom; i -= 1)
    for (let k = newTo - 1; k >= newFrom; k -= 1)
      lengths[at(i, k)] =
        old[i] === now[k] ? length(i + 1, k + 1) + 1 : Math.max(length(i + 1, k), length(i, k + 1));
  const changes: Change[] = [];
  let [i, k] = [oldFrom, newFrom];
  while (i < oldTo || k < newTo) {
    const [from, begin] = [i, k];
    while (i < oldTo && k < newTo && old[i] === now[k]) [i, k] = [i + 1, k + 1];
    if (i > from || k > begin) continue;
    while ((i < oldTo || k < newTo) && !(i < oldTo && k < newTo && old[i] === now[k]))
      if (k >= newTo || (i < oldTo && length(i + 1, k) >= length(i, k + 1))) i += 1;
      else k += 1;
    changes.push({ old: [from, i], new: [begin, k] });
  }
  return changes;
};

/** Joins changes whose contexts meet. */
const joined = (changes: readonly Change[]): readonly Change[] => {
  const all: Change[] = [];
  for (const change of changes) {
    const last = all.at(-1);
    if (last === undefined || change.old[0] - last.old[1] > 2 * CONTEXT) all.push(change);
    else
      all[all.length - 1] = {
        old: [last.old[0], change.old[1]],
        new: [last.new[0], change.new[1]],
      };
  }
  return all;
};

const excerpt = (words: readonly string[], [from, to]: Change["old"]): string => {
  const start = Math.max(0, from - CONTEXT);
  const end = Math.min(words.length, to + CONTEXT);
  const shown = words.slice(start, end).join(" ");
  return [start > 0 ? "… " : "", shown, end < words.length ? " …" : ""].join("");
};
