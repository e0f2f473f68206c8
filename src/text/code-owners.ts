/** Reads CODEOWNERS like GitHub: the last matching rule counts, on GitLab in each section. Unreadable lines are ignored. */

type CodeOwners = readonly (readonly Rule[])[];

interface Rule {
  /** Names of directories and of the file; `**` matches any number of them. */
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
      // Optional sections require no approval.
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

/** Null if `work.left` is used up first. */
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

/** A name also matches everything below it; a final `*` matches one name and nothing below. */
const partsOf = (pattern: string): readonly string[] => {
  const plain = pattern.replace(/^\//, "").replace(/\/\**$/, (end) => (end === "/*" ? end : "/"));
  const names = plain.split("/").filter((name) => name !== "");
  const last = names.at(-1);
  const beneath = plain.endsWith("/") ? ["*", "**"] : last === "*" || last === "**" ? [] : ["**"];
  return [...(pattern.slice(0, -1).includes("/") ? [] : ["**"]), ...names, ...beneath];
};

/** An escaped blank belongs to the word. */
const wordsOf = (line: string): readonly string[] => {
  const words = line.trim().split(/(?<!\\)\s+/);
  const comment = words.findIndex((word) => word.startsWith("#"));
  return (comment < 0 ? words : words.slice(0, comment))
    .filter((word) => word !== "")
    .map((word) => word.replaceAll(/\\(?=[\s\\])/g, ""));
};

const UNREAD = /^!|^\/+$|[[\]]/;

/** `@login`, `@org/team`, a role on GitLab or an e-mail address. */
export const OWNER = /^(?:@@?[\w.-]+(?:\/[\w./-]+)?|[^\s@<>`]+@[\w-][\w.-]*)$/;

const HEADING = /^(\^?)\[[^\]]+\](?:\[\d+\])?((?: \S+)*)$/;

/** False if `work` is used up. Takes at most as many steps as the product of both lengths. */
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
