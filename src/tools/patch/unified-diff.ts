import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";

const CONTEXT = 3;

/** Time limit of the search for a small diff of a large change. */
const MAX_MILLIS = 100;

const MAX_LENGTH = 262_144;

export const unifiedDiff = (path: string, before: string | null, after: string): string | null => {
  if (before === after) return null;
  const from = before === null ? "/dev/null" : `a/${path}`;
  const to = `b/${path}`;
  const patch = structuredPatch(from, to, before ?? "", after, undefined, undefined, {
    context: CONTEXT,
    timeout: MAX_MILLIS,
  });
  if (patch === undefined)
    return `--- ${from}\n+++ ${to}\n\\ The change is too large to be shown as a diff\n`;
  return bounded(formatPatch(patch, FILE_HEADERS_ONLY));
};

const bounded = (diff: string): string =>
  diff.length <= MAX_LENGTH
    ? diff
    : `${diff.slice(0, diff.lastIndexOf("\n", MAX_LENGTH) + 1)}\\ The rest of the diff is too long to be shown\n`;
