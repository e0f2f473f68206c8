/** Returns the part with most of the query's terms: at most `most` characters, and whole lines if they fit. Pure. */
export const excerptOf = (text: string, terms: readonly string[], most: number): string => {
  if (text.length <= most) return text;
  const lower = text.toLowerCase();
  const stems = terms.map((term) => term.slice(0, Math.max(STEM, term.length - ENDING)));
  const step = Math.ceil(most / 4);
  let best = { at: 0, hits: -1 };
  for (let at = 0; at < text.length; at += step) {
    const window = lower.slice(at, at + most);
    const hits = stems.filter((stem) => window.includes(stem)).length;
    // After a tie the later window is taken, because the text before the match is less useful.
    if (hits > best.hits || (hits > 0 && hits === best.hits && at === best.at + step)) best = { at, hits };
  }
  const begin = best.at === 0 ? 0 : lineStart(text, best.at, step);
  const cut = text.slice(begin, begin + most);
  const end = begin + most >= text.length ? cut.length : cut.lastIndexOf("\n");
  return `${begin === 0 ? "" : "… "}${cut.slice(0, end > most / 2 ? end : most)}${begin + most >= text.length ? "" : " …"}`.toWellFormed();
};

/** Number of letters of a term that must match, and of letters at the end that may differ. */
const STEM = 4;
const ENDING = 2;

const lineStart = (text: string, at: number, most: number): number => {
  const before = text.lastIndexOf("\n", at);
  return before === -1 || at - before > most ? at : before + 1;
};
