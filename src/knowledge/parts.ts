/** A text in parts that can be found and quoted one by one. Pure. */

/** Characters of a part, and parts of one text: what stands behind is not found. */
const LONGEST = 4_000;
const MOST_PARTS = 12;

/** At least one; cut between lines where a line ends in the second half. */
export const partsOf = (text: string): readonly string[] => {
  const parts: string[] = [];
  let rest = text.toWellFormed().trim();
  while (rest.length > LONGEST && parts.length < MOST_PARTS - 1) {
    const line = rest.lastIndexOf("\n", LONGEST);
    const end = line > LONGEST / 2 ? line : LONGEST;
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest.slice(0, LONGEST)].map((part) => part.toWellFormed());
};
