/** Rules of a site for crawlers (RFC 9309). Pure; linear in the file, and in the number of rules for each address. */

interface Rule {
  readonly allows: boolean;
  readonly path: string;
}

export interface Robots {
  mayRead(url: URL): boolean;
  readonly sitemaps: readonly string[];
  /** Milliseconds between two pages; 0 if the site demands no pause. */
  readonly pause: number;
}

const MOST_RULES = 1_000;
const MOST_SITEMAPS = 20;
const LONGEST_PAUSE = 30_000;

/** `agent`: Parley's name in lower case. */
export const readRobots = (text: string, agent: string): Robots => {
  const groups = new Map<string, { readonly rules: Rule[]; pause: number }>();
  const sitemaps: string[] = [];
  let named: string[] = [];
  let isOpen = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, key = "", value = ""] = /^\s*([a-z-]{1,20})\s*:\s*([^#]{0,2000})/i.exec(line) ?? [];
    const word = key.toLowerCase();
    const given = value.trim();
    if (word === "sitemap" && sitemaps.length < MOST_SITEMAPS) sitemaps.push(given);
    else if (word === "user-agent") {
      if (!isOpen) named = [];
      isOpen = true;
      // Groups of other crawlers are skipped, and a rule is kept at most twice, no matter how many names a file contains.
      const name = given.toLowerCase();
      if ((name === agent || name === "*") && !named.includes(name)) named.push(name);
    } else if (word === "allow" || word === "disallow" || word === "crawl-delay") {
      isOpen = false;
      for (const name of named) {
        const group = groups.get(name) ?? { rules: [], pause: 0 };
        groups.set(name, group);
        const isRule = word !== "crawl-delay" && given !== "" && group.rules.length < MOST_RULES;
        if (isRule) group.rules.push({ allows: word === "allow", path: given });
        if (word === "crawl-delay")
          group.pause = Math.min(LONGEST_PAUSE, Math.max(0, Number(given) * 1_000 || 0));
      }
    }
  }
  const { rules, pause } = groups.get(agent) ?? groups.get("*") ?? { rules: [], pause: 0 };
  return { sitemaps, pause, mayRead: (url) => judged(rules, `${url.pathname}${url.search}`) };
};

/** The longest matching rule decides. Between rules of equal length, the allowing rule decides. */
const judged = (rules: readonly Rule[], path: string): boolean => {
  let best: Rule | null = null;
  for (const rule of rules) {
    if (!fits(rule.path, path)) continue;
    const isBetter = best === null || rule.path.length > best.path.length;
    if (isBetter || (rule.path.length === best?.path.length && rule.allows)) best = rule;
  }
  return best?.allows ?? true;
};

/** Matches a pattern with `*` for any text and a final `$` for the end. Each piece is searched once, from left to right. */
const fits = (pattern: string, path: string): boolean => {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  if (!isWhole) return true;
  const last = pieces.at(-1);
  return last === undefined
    ? at === path.length
    : path.endsWith(last) && path.length - last.length >= at - last.length;
};
