/** The part of a long text that is shown for a question. Pure. */

/** Where a question's words stand thickest in a text: at most `most` characters, whole lines where they fit. */
export const excerptOf = (text: string, terms: readonly string[], most: number): string => {
  if (text.length <= most) return text;
  const lower = text.toLowerCase();
  const stems = terms.map((term) => term.slice(0, Math.max(STEM, term.length - ENDING)));
  const step = Math.ceil(most / 4);
  let best = { at: 0, hits: -1 };
  for (let at = 0; at < text.length; at += step) {
    const window = lower.slice(at, at + most);
    const hits = stems.filter((stem) => window.includes(stem)).length;
    // As far on as it goes: what stands before is the less telling half.
    if (hits > best.hits || (hits > 0 && hits === best.hits && at === best.at + step)) best = { at, hits };
  }
  const begin = best.at === 0 ? 0 : lineStart(text, best.at, step);
  const cut = text.slice(begin, begin + most);
  const end = begin + most >= text.length ? cut.length : cut.lastIndexOf("\n");
  return `${begin === 0 ? "" : "… "}${cut.slice(0, end > most / 2 ? end : most)}${begin + most >= text.length ? "" : " …"}`.toWellFormed();
};

/** Letters of a word that are looked for, so that another ending is found too. */
const STEM = 4;
const ENDING = 2;

const lineStart = (text: string, at: number, most: number): number => {
  const before = text.lastIndexOf("\n", at);
  return before === -1 || at - before > most ? at : before + 1;
};
