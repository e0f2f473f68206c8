/**
 * Marks an answer's citations: a link to the exact lines if the forge is known, and a note after each citation that could not
 * be verified. Verified citations get no note, so that no text can forge a verification. Pure.
 */

import { type Citation, citationKey, citedText } from "../../src/text/citation.ts";
import { mentionsOf } from "../../src/text/mentions.ts";
import { changeLink, type CommitLocation, permalink } from "./permalink.ts";
import { english, type Label, type Say } from "../../src/i18n/say.ts";
import { merged, type Range } from "../../src/text/ranges.ts";
import { andMore } from "../../src/thread/owners.ts";

/** The checked citations of an answer; absent if none were checked. */
type Checked = readonly Citation[] | undefined;

/** `text`: Markdown, already neutralized for chat platforms. Unchecked citations remain unchanged. */
export const markCitations = (
  text: string,
  checked: Checked,
  pinned: CommitLocation,
  say: Say = english,
): string => {
  if (checked === undefined) return text;
  // If a page is cited with several quotes, a missing quote decides the result.
  const ordered = checked.toSorted(
    (one, other) => Number(other.status === "found") - Number(one.status === "found"),
  );
  const known = new Map(ordered.map((one) => [keyOf(one), one]));
  const byKey = new Map(ordered.map((one) => [citationKey(one), one]));
  let shown = "";
  let from = 0;
  for (const mention of mentionsOf(text)) {
    const found = known.get(keyOf(mention));
    if (found === undefined && !mention.certain) continue;
    // The citation is part of a longer name whose file exists.
    const longer = mention.within === undefined ? undefined : byKey.get(mention.within);
    if (longer?.status === "found" || longer?.status === "changed") continue;
    const { whole, after } = mention;
    if (found !== undefined && whole !== null && whole.at >= from) {
      const link = permalink(pinned, found);
      if (link !== null || found.now?.kind === "moved") {
        const label = found.now?.kind === "moved" ? nowText(found) : text.slice(whole.at, whole.end);
        const code = label.startsWith("`") ? label : `\`${label}\``;
        shown += `${text.slice(from, whole.at)}${link === null ? code : `[${code}](<${link}>)`}`;
        from = whole.end;
      }
    }
    const status = found?.status ?? "unread";
    if (status === "found" || after < from) continue;
    shown += `${text.slice(from, after)} (${say(MARKS[status])})`;
    from = after;
  }
  return shown + text.slice(from);
};

const nowText = (cited: Citation): string => citedText(current(cited));

/** Returns the citation at its current lines, with their commit. */
const current = ({ now, ...cited }: Citation): Citation => {
  if (now?.kind !== "moved") return cited;
  const { file, from, to, commit } = now;
  return { ...cited, path: file === cited.file ? cited.path : file, file, from, to, at: commit };
};

interface Spelling {
  readonly code: (text: string) => string;
  readonly linked: (text: string, link: string | null) => string;
}

/** Reports changed citations: `a.ts:3` changed in abc1234. Null if all are current. */
export const changedText = (
  checked: Checked,
  pinned: CommitLocation,
  { code, linked }: Spelling,
  say: Say = english,
): string | null => {
  const changed = (checked ?? []).filter(({ now }) => now?.kind === "changed");
  const commits = Map.groupBy(changed, ({ now }) => (now?.kind === "changed" ? now.commit : null));
  const lines = [...commits].map(([commit, all]) => {
    const labels = [...new Set(all.map((one) => shortened(citedText(one))))];
    const names = `${labels.slice(0, MOST_CHANGED).map(code).join(", ")}${andMore(labels.length - MOST_CHANGED, say)}`;
    const [first] = all;
    if (commit === null || first === undefined) return say("{names} changed since", { names });
    return say("{names} changed in {commit}", {
      names,
      commit: linked(commit.slice(0, 7), changeLink(pinned, first)),
    });
  });
  return lines.length === 0 ? null : lines.slice(0, MOST_CHANGED).join("; ");
};

const MOST_CHANGED = 3;

/** Addresses are normalized as browsers write them. */
const keyOf = (cited: Pick<Citation, "path" | "from" | "to" | "quote">): string =>
  citationKey(
    cited.quote === undefined ? cited : { ...cited, path: URL.parse(cited.path)?.href ?? cited.path },
  );

const MARKS: Readonly<Record<Exclude<Citation["status"], "found">, Label>> = {
  changed: "as changed here",
  missing: "not found",
  unread: "not checked",
};

interface Source {
  readonly text: string;
  /** Null if the forge is unknown, and for lines that were changed here. */
  readonly link: string | null;
}

/** Maximum number of files and pages. */
const MOST_SHOWN = 5;
/** Maximum number of ranges of lines, and of characters of their links: Slack cuts a longer line in a link. */
const MOST_RANGES = 10;
const MOST_LINKED = 2_000;
/** Maximum characters of a name; its end is the most informative part. */
const MOST_NAME = 100;

const shortened = (text: string): string =>
  text.length <= MOST_NAME ? text : `…${text.slice(1 - MOST_NAME)}`.toWellFormed();

/**
 * Returns the line of sources below an answer; null if the answer cites nothing. Lines of one file are merged into
 * ranges. `write`: formats a source in the platform's markup.
 */
export const sourcesText = (
  checked: Checked,
  pinned: CommitLocation,
  write: (source: Source) => string,
  say: Say = english,
): string | null => {
  if (checked === undefined || checked.length === 0) return null;
  const held = checked.filter(({ status }) => status === "found" || status === "changed");
  const files = mergedFiles(held);
  const listed = files.slice(0, MOST_SHOWN).map(({ first, ranges }) =>
    ranges.map((range, index) => ({
      text: index === 0 ? shortened(citedText({ ...first, ...range })) : linesText(range),
      link: permalink(pinned, { ...first, ...range }),
    })),
  );
  // Each file has its first range. The remaining room is for further ranges.
  const room = { ranges: MOST_RANGES, linked: MOST_LINKED };
  const fits = ({ link }: Source): boolean => {
    room.ranges -= 1;
    room.linked -= link?.length ?? 0;
    return room.ranges >= 0 && room.linked >= 0;
  };
  for (const [head] of listed) if (head !== undefined) fits(head);
  const shown = listed.map((sources) => {
    const cut = sources.findIndex((source, index) => index > 0 && !fits(source));
    const named = cut === -1 ? sources : sources.slice(0, cut);
    const isLinked = named.some(({ link }) => link !== null);
    const joined = { text: named.map(({ text }) => text).join(", "), link: null };
    return `${(isLinked ? named : [joined]).map(write).join(", ")}${andMore(sources.length - named.length, say)}`;
  });
  const more = files.length - shown.length;
  const unverified = checked.length - held.length;
  const named = [...shown, ...(more === 0 ? [] : [say("{count} more", { count: more })])].join(", ");
  return [
    ...(named === "" ? [] : [say("Sources: {sources}", { sources: named })]),
    ...(unverified === 0 ? [] : [say("{count} not verified", { count: unverified })]),
  ].join(" · ");
};

/** A page, or the cited lines of a file at one commit, both ends included. */
interface CitedFile {
  readonly first: Citation;
  readonly ranges: readonly Range[];
}

/** Adjacent and overlapping lines become one range. Lines at different commits have different numbers. */
const mergedFiles = (held: readonly Citation[]): readonly CitedFile[] => {
  const files = Map.groupBy(held.map(current), ({ file, path, quote, status, at }) =>
    JSON.stringify([quote === undefined ? (file ?? path) : path, status, at]),
  );
  return [...files.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const ranges = merged(all.map(({ from, to }) => ({ from, to: to + 1 })));
    return [{ first, ranges: ranges.map(({ from, to }) => ({ from, to: to - 1 })) }];
  });
};

const linesText = ({ from, to }: Range): string => (from === to ? `${from}` : `${from}-${to}`);
