/** `indexOf` takes seconds on a pattern of one repeated character, which a repository may contain on purpose. */

/** Length of the part that `indexOf` searches, and the number of matches after which that search ends. */
const PROBE = 32;
const MAX_PLACES = 1000;

/** Offsets in UTF-16 units, overlapping ones included. An empty needle has no occurrence. */
export const occurrences = (haystack: string, needle: string, limit: number): readonly number[] => {
  if (needle.length === 0 || needle.length > haystack.length) return [];
  const probe = needle.slice(0, PROBE);
  const found: number[] = [];
  let places = 0;
  for (
    let at = haystack.indexOf(probe);
    at !== -1 && found.length < limit;
    at = haystack.indexOf(probe, at + 1)
  ) {
    places += 1;
    if (places > MAX_PLACES) return linearOccurrences(haystack, needle, limit);
    if (haystack.startsWith(needle, at)) found.push(at);
  }
  return found;
};

const linearOccurrences = (haystack: string, needle: string, limit: number): readonly number[] => {
  const fallback = fallbacks(needle);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < haystack.length && found.length < limit; at += 1) {
    const unit = haystack.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = fallback[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched += 1;
    if (matched === needle.length) {
      found.push(at - needle.length + 1);
      matched = fallback[matched - 1] ?? 0;
    }
  }
  return found;
};

/** Returns for each prefix the length of its longest proper suffix that is a prefix too (Knuth, Morris and Pratt). */
const fallbacks = (needle: string): Int32Array => {
  const table = new Int32Array(needle.length);
  let matched = 0;
  for (let at = 1; at < needle.length; at += 1) {
    const unit = needle.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = table[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched += 1;
    table[at] = matched;
  }
  return table;
};
