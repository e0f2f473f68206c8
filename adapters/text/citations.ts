/**
 * What an answer cites, as people see whether it holds: a link to the very lines where the forge is known, words
 * behind what could not be verified. Pure. There are none for what was, so that none can be forged.
 */

import { type Citation, citationKey, citedText } from "../../src/text/citation.ts";
import { mentionsOf } from "../../src/text/mentions.ts";
import { changeLink, type CommitLocation, permalink } from "./permalink.ts";
import { english, type Label, type Say } from "../../src/i18n/say.ts";
import { andMore } from "../../src/thread/owners.ts";

/** The citations of an answer that were looked up; absent where none were. */
type Checked = readonly Citation[] | undefined;

/** `text`: Markdown, where it is for a chat platform made harmless already. What was never looked up stays as it is. */
export const markCitations = (
  text: string,
  checked: Checked,
  pinned: CommitLocation,
  say: Say = english,
): string => {
  if (checked === undefined) return text;
  // Of words that are quoted from one page, those that it lacks count.
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
    // A part of a longer name whose file is there.
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

/** Where it stands now, as people write it. */
const nowText = ({ now, ...cited }: Citation): string => {
  if (now?.kind !== "moved") return citedText(cited);
  const { file, from, to } = now;
  return citedText({ path: file === cited.file ? cited.path : file, from, to });
};

interface Spelling {
  readonly code: (text: string) => string;
  readonly linked: (text: string, link: string | null) => string;
}

/** What is no longer as the answer says: `a.ts:3` changed in abc1234. Null where all of it holds. */
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

/** An address is shown as browsers write it. */
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
  /** Null where the forge is not known, and for what was changed here. */
  readonly link: string | null;
}

const MOST_SHOWN = 5;
/** Characters of one: the end tells most. */
const MOST_NAME = 100;

const shortened = (text: string): string =>
  text.length <= MOST_NAME ? text : `…${text.slice(1 - MOST_NAME)}`.toWellFormed();

/** What stands below an answer, as one line; null where it cites nothing. `write` puts a source into the platform's markup. */
export const sourcesText = (
  checked: Checked,
  pinned: CommitLocation,
  write: (source: Source) => string,
  say: Say = english,
): string | null => {
  if (checked === undefined || checked.length === 0) return null;
  const held = checked.filter(({ status }) => status === "found" || status === "changed");
  const shown = held
    .slice(0, MOST_SHOWN)
    .map((one) => write({ text: shortened(nowText(one)), link: permalink(pinned, one) }));
  const more = held.length - shown.length;
  const unverified = checked.length - held.length;
  const named = [...shown, ...(more === 0 ? [] : [say("{count} more", { count: more })])].join(", ");
  return [
    ...(named === "" ? [] : [say("Sources: {sources}", { sources: named })]),
    ...(unverified === 0 ? [] : [say("{count} not verified", { count: unverified })]),
  ].join(" · ");
};
