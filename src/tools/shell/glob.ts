/** Shell patterns for one path component (no `/`), as bash matches them by default. */

/** Whether a pattern matches a name. A leading dot must be matched by a dot. */
export const matchesGlob = (pattern: string, name: string): boolean => {
  if (name.startsWith(".") && !/^(?:\.|\\\.)/.test(pattern)) return false;
  return matchTokens(tokens(pattern), name);
};

/** Whether a pattern matches every visible name: stars and question marks with at least one star. */
export const matchesAll = (pattern: string): boolean => /^\?*\*[*?]*$/.test(pattern);

type Token = { readonly kind: "star" } | { readonly kind: "one"; readonly test: (char: string) => boolean };

const tokens = (pattern: string): readonly Token[] =>
  [...pattern.matchAll(/\\([\s\S])|\[([!^]?)(\]?[^\]]*)\]|[\s\S]/g)].map((match): Token => {
    const [whole, escaped, negation, set] = match;
    if (escaped !== undefined) return { kind: "one", test: (char) => char === escaped };
    if (set !== undefined) return { kind: "one", test: (char) => inSet(set, char) !== (negation !== "") };
    if (whole === "*") return { kind: "star" };
    return { kind: "one", test: (char) => whole === "?" || char === whole };
  });

const inSet = (set: string, char: string): boolean => {
  for (let at = 0; at < set.length; at += 1) {
    const from = set[at] ?? "";
    const to = set[at + 1] === "-" ? set[at + 2] : undefined;
    if (to === undefined ? char === from : from <= char && char <= to) return true;
    if (to !== undefined) at += 2;
  }
  return false;
};

/** Greedy matching with one point to come back to: linear in practice, quadratic at worst. */
const matchTokens = (pattern: readonly Token[], name: string): boolean => {
  let [p, n, star, resume] = [0, 0, -1, 0];
  while (n < name.length) {
    const token = pattern[p];
    if (token?.kind === "one" && token.test(name[n] ?? "")) {
      p += 1;
      n += 1;
    } else if (token?.kind === "star") {
      star = p;
      resume = n;
      p += 1;
    } else if (star !== -1) {
      p = star + 1;
      resume += 1;
      n = resume;
    } else return false;
  }
  return pattern.slice(p).every(({ kind }) => kind === "star");
};
