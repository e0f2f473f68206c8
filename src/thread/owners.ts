/** Owners who must approve a change, from the CODEOWNERS of the pinned commit. */

import type { Label, Say } from "../i18n/say.ts";
import { ownersOf, parseCodeOwners } from "../text/code-owners.ts";
import { codePointName, visibleCode } from "../text/invisible.ts";
import type { NameFormatter } from "./formatter.ts";

export interface FileOwners {
  /** Path of the CODEOWNERS file; null if there is none. */
  readonly file: string | null;
  /** The approver must be an owner in each set. */
  readonly sets: readonly OwnerSet[];
  /** Owners that the operator's table did not contain. */
  readonly unknown: readonly string[];
}

interface OwnerSet {
  readonly owners: readonly string[];
  /** The first file of the set, and the number of files. */
  readonly path: string;
  readonly files: number;
}

/** The operator's table: ids by owner in lower case; `*` has the ids of every other owner. */
export type OwnerTable = ReadonlyMap<string, readonly string[]>;

export const ownerIdsOf = (table: OwnerTable, owner: string): readonly string[] | null =>
  table.get(owner.toLowerCase()) ?? table.get(EVERY_OTHER) ?? null;

const MAX_OWNER_SETS = 500;
/** Comparison steps: well under a second. */
const WORK = 30_000_000;

/** Null if the file says too much of so many paths. */
export const ownersOfFiles = (
  { file, text }: { readonly file: string; readonly text: string },
  paths: Iterable<string>,
  ownerKnown: (owner: string) => boolean,
): FileOwners | null => {
  const rules = parseCodeOwners(text);
  const sets = new Map<string, OwnerSet>();
  const work = { left: WORK };
  for (const path of paths) {
    const wanted = ownersOf(rules, path, work);
    if (wanted === null || sets.size > MAX_OWNER_SETS) return null;
    for (const owners of wanted) {
      const key = owners.join(" ").toLowerCase();
      const known = sets.get(key);
      sets.set(key, known === undefined ? { owners, path, files: 1 } : { ...known, files: known.files + 1 });
    }
  }
  const all = [...sets.values()];
  const unknown = new Set(all.flatMap(({ owners }) => owners).filter((owner) => !ownerKnown(owner)));
  return { file, sets: all, unknown: [...unknown] };
};

export const EVERY_OTHER = "*";

export const ANY_APPROVER = "approvers";

/** `groups`: as `slack:group:ID` and `discord:role:ID`. */
export const missingSets = (
  { sets }: FileOwners,
  table: OwnerTable,
  person: string,
  groups: readonly string[],
): readonly OwnerSet[] => {
  const own = new Set([ANY_APPROVER, person, ...groups]);
  return sets.filter(
    ({ owners }) => !owners.some((owner) => ownerIdsOf(table, owner)?.some((id) => own.has(id))),
  );
};

export const ownersText = (
  { file, sets, unknown }: FileOwners,
  { code, say }: NameFormatter,
  most: number = MAX_SETS,
): string => {
  if (file === null) return say("Owners: the commit has no CODEOWNERS, so any approver can decide.");
  if (sets.length === 0)
    return say("Owners: {file} names nobody for these files, so any approver can decide.", {
      file: code(file),
    });
  return [
    say("Owners who have to agree, by {file}: {sets}.", {
      file: code(file),
      sets: setsText(sets, { code, say }, most),
    }),
    ...(sets.length === 1 ? [] : [say("One person who belongs to all of these owners can decide alone.")]),
    ...(unknown.length === 0
      ? []
      : [say("This host does not know who {names} is.", { names: namesText(unknown, { code, say }) })]),
  ].join(" ");
};

export const missingText = (sets: readonly OwnerSet[], say: Say): string =>
  say(
    "You can't decide this: the change needs an approver who owns all of its files, and you do not own {sets}.",
    { sets: setsText(sets, { code: inBackticks, say }) },
  );

const inBackticks = (text: string): string => `\`${text.replaceAll("`", "'")}\``;

const setsText = (sets: readonly OwnerSet[], marks: NameFormatter, most: number = MAX_SETS): string => {
  const named = Math.min(most, MAX_SETS);
  const wanted = sets.slice(0, named).map((set) => setText(set, marks));
  return `${wanted.join("; ")}${andMore(sets.length - named, marks.say)}`;
};

export const andMore = (count: number, say: Say): string =>
  count > 0 ? ` ${say("and {count} more", { count })}` : "";

export const OWNERS_UNREAD: Label =
  "This card is older than the check of file owners. Ask me to propose the change again, so that the card names the owners.";

const setText = ({ owners, path, files }: OwnerSet, marks: NameFormatter): string =>
  `${marks.code(shortenOwners(path, MAX_PATH))}${andMore(files - 1, marks.say)} (${namesText(owners, marks)})`;

const namesText = (names: readonly string[], { code, say }: NameFormatter): string => {
  const more = names.length - MAX_NAMES;
  return [
    ...names.slice(0, MAX_NAMES).map((name) => code(shortenOwners(name, MAX_NAME))),
    ...(more > 0 ? [say("{count} more", { count: more })] : []),
  ].join(` ${say("or")} `);
};

/** Keeps the end, which says most about a path. `most`: width as displayed, so that escapes cannot displace the host's text. */
export const shortenOwners = (text: string, most: number): string => {
  const points = Array.from(text);
  let from = points.length;
  let shown = 0;
  // Starts at the end, to read no more than is displayed.
  for (let at = points.length - 1; at >= 0; at -= 1) {
    shown += widthOf(points[at] ?? "");
    if (shown > most) return `…${points.slice(from).join("")}`;
    if (shown < most) from = at;
  }
  return text;
};

const widthOf = (point: string): number =>
  point === " " ? 1 : Array.from(point === "`" ? codePointName(point) : visibleCode(point)).length;

const MAX_SETS = 5;
const MAX_NAMES = 5;
const MAX_NAME = 80;
const MAX_PATH = 120;
