/**
 * Every place where one text stands in another, overlapping ones too, in time linear in both.
 *
 * `String.indexOf` takes seconds on a file and a pattern made of one repeated character; a repository may hold
 * such a file on purpose.
 */

/** Offsets in UTF-16 units; at most `limit` of them. An empty needle stands nowhere. */
export const occurrences = (haystack: string, needle: string, limit: number): readonly number[] => {
  if (needle.length === 0 || needle.length > haystack.length) return [];
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

/** For each prefix, the length of its longest proper suffix that is a prefix too (Knuth, Morris and Pratt). */
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
