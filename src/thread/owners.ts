/** Who has to agree to a change, by the CODEOWNERS of the pinned commit: what a card shows, and whether somebody is among them. Pure. */

export interface Owned {
  /** Where the file stands; null where there is none. */
  readonly file: string | null;
  /** One person has to be among the owners of each. */
  readonly sets: readonly OwnerSet[];
  /** Owners that the operator's table did not know. */
  readonly unknown: readonly string[];
}

interface OwnerSet {
  readonly owners: readonly string[];
  /** The first of them, and how many. */
  readonly path: string;
  readonly files: number;
}

/** The operator's table: ids by owner, in small letters; `*` has those for every other owner. */
export type OwnerTable = ReadonlyMap<string, readonly string[]>;

export const idsOf = (table: OwnerTable, owner: string): readonly string[] | null =>
  table.get(owner.toLowerCase()) ?? table.get(EVERY_OTHER) ?? null;

export const EVERY_OTHER = "*";

/** Whoever may approve. */
export const ANY_APPROVER = "approvers";

/** Those sets that this person is in none of. `groups`: as `slack:group:ID` and `discord:role:ID`. */
export const missingSets = (
  { sets }: Owned,
  table: OwnerTable,
  person: string,
  groups: readonly string[],
): readonly OwnerSet[] => {
  const own = new Set([ANY_APPROVER, person, ...groups]);
  return sets.filter(({ owners }) => !owners.some((owner) => idsOf(table, owner)?.some((id) => own.has(id))));
};

/** The host's own line on a card. */
export const ownersText = ({ file, sets, unknown }: Owned, code: (text: string) => string): string => {
  if (file === null) return "Owners: the commit has no CODEOWNERS, any approver may decide.";
  if (sets.length === 0)
    return `Owners: ${code(file)} names nobody for these files, any approver may decide.`;
  const more = sets.length > MAX_SETS ? ` and ${sets.length - MAX_SETS} more` : "";
  const wanted = sets.slice(0, MAX_SETS).map((set) => setText(set, code));
  const names = namesText(unknown, code);
  return [
    `Owners who have to agree, by ${code(file)}: ${wanted.join("; ")}${more}.`,
    ...(sets.length === 1 ? [] : ["One person who is among the owners of each decides."]),
    ...(unknown.length === 0 ? [] : [`This host does not know who ${names} is.`]),
  ].join(" ");
};

/** Whom a click that is refused has to leave it to. */
export const missingText = (sets: readonly OwnerSet[]): string => {
  const wanted = sets
    .slice(0, MAX_SETS)
    .map((set) => setText(set, (text) => `\`${text.replaceAll("`", "'")}\``));
  const more = sets.length > MAX_SETS ? ` and ${sets.length - MAX_SETS} more` : "";
  return `You can't decide this: the change needs an approver who owns all of its files. You are not among the owners of ${wanted.join("; ")}${more}.`;
};

export const OWNERS_UNREAD =
  "This was shown before the owners of files counted here. Have it proposed again, so that the card names them.";

const setText = ({ owners, path, files }: OwnerSet, code: (text: string) => string): string =>
  `${code(shortened(path))}${files === 1 ? "" : ` and ${files - 1} more`} (${namesText(owners, code)})`;

const namesText = (names: readonly string[], code: (text: string) => string): string =>
  `${names.slice(0, MAX_NAMES).map(code).join(" or ")}${names.length > MAX_NAMES ? ` or ${names.length - MAX_NAMES} more` : ""}`;

const shortened = (path: string): string => (path.length <= MAX_PATH ? path : `…${path.slice(1 - MAX_PATH)}`);

const MAX_SETS = 5;
const MAX_NAMES = 5;
const MAX_PATH = 120;
