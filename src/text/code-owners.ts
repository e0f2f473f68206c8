/**
 * CODEOWNERS as GitHub reads it: the last rule that matches names the owners of a file, and a line that cannot be read counts for
 * nothing. GitLab's sections each count for themselves. Pure; the time that matching takes is bounded by `work`.
 */

/** Rules by section, each in its order. */
type CodeOwners = readonly (readonly Rule[])[];

interface Rule {
  /** Names of directories and of the file, where `**` stands for any number. */
  readonly parts: readonly string[];
  readonly owners: readonly string[];
}

export const parseCodeOwners = (text: string): CodeOwners => {
  const sections: Rule[][] = [[]];
  let usual: readonly string[] = [];
  let counts = true;
  for (const line of text.split("\n")) {
    const words = wordsOf(line);
    const heading = HEADING.exec(words.join(" "));
    if (heading !== null) {
      const [, optional, named = ""] = heading;
      usual = named.split(" ").filter((name) => OWNER.test(name));
      // Nobody has to agree there.
      counts = optional === "";
      sections.push([]);
      continue;
    }
    const [pattern, ...named] = words;
    if (pattern === undefined || !counts || UNREAD.test(pattern)) continue;
    if (named.some((name) => !OWNER.test(name))) continue;
    sections.at(-1)?.push({ parts: partsOf(pattern), owners: named.length === 0 ? usual : named });
  }
  return sections;
};

/** The owners that each section wants, none for a file without any; null where `work.left` is used up before that is known. */
export const ownersOf = (
  sections: CodeOwners,
  path: string,
  work: { left: number },
): readonly (readonly string[])[] | null => {
  const names = path.split("/");
  const matches = ({ parts }: Rule): boolean =>
    fits(parts, names, "**", (part, name) => fits(part, name, "*", sameLetter, work), work);
  const wanted = sections.map((rules) => rules.findLast(matches)?.owners ?? []);
  return work.left < 0 ? null : wanted.filter((owners) => owners.length > 0);
};

const sameLetter = (one: string, letter: string): boolean => one === "?" || one === letter;

/** A name matches what lies beneath it too; `*` at the end stands for one name and nothing beneath. */
const partsOf = (pattern: string): readonly string[] => {
  const plain = pattern.replace(/^\//, "").replace(/\/\**$/, (end) => (end === "/*" ? end : "/"));
  const names = plain.split("/").filter((name) => name !== "");
  const last = names.at(-1);
  const beneath = plain.endsWith("/") ? ["*", "**"] : last === "*" || last === "**" ? [] : ["**"];
  return [...(pattern.slice(0, -1).includes("/") ? [] : ["**"]), ...names, ...beneath];
};

/** Up to a comment; a blank behind a backslash belongs to the word. */
const wordsOf = (line: string): readonly string[] => {
  const words = line.trim().split(/(?<!\\)\s+/);
  const comment = words.findIndex((word) => word.startsWith("#"));
  return (comment < 0 ? words : words.slice(0, comment))
    .filter((word) => word !== "")
    .map((word) => word.replaceAll(/\\(?=[\s\\])/g, ""));
};

/** No pattern of CODEOWNERS. */
const UNREAD = /^!|^\/+$|[[\]]/;

/** `@login`, `@org/team`, a role of GitLab's or an e-mail address. */
export const OWNER = /^(?:@@?[\w.-]+(?:\/[\w./-]+)?|[^\s@<>`]+@[\w-][\w.-]*)$/;

const HEADING = /^(\^?)\[[^\]]+\](?:\[\d+\])?((?: \S+)*)$/;

/**
 * Patterns some of whose parts stand for any number of items. Pure.
 * Whether the pattern matches all of the items, in at most as many steps as the product of both lengths; false where `work` is used up.
 */
const fits = <P, I>(
  pattern: ArrayLike<P>,
  items: ArrayLike<I>,
  any: P,
  same: (one: P, item: I) => boolean,
  work = { left: Number.POSITIVE_INFINITY },
): boolean => {
  let [at, star, from] = [0, -1, 0];
  for (let item = 0; item < items.length; ) {
    if (--work.left < 0) return false;
    const [one, other] = [pattern[at], items[item]];
    if (one === any) {
      star = at;
      from = item;
      at += 1;
    } else if (one !== undefined && other !== undefined && same(one, other)) {
      at += 1;
      item += 1;
    } else if (star >= 0) {
      from += 1;
      item = from;
      at = star + 1;
    } else return false;
  }
  while (pattern[at] === any) at += 1;
  return at === pattern.length;
};
