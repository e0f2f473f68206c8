/** Characters of what a forge says that stand in a sentence of ours. */
const MAX_WORDS = 300;

/** A forge's own words: one line of printable ASCII, because they reach people and the model beside ours. Pure. */
export const wordsOf = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, MAX_WORDS);

/** In brackets, to stand behind a sentence; empty where nothing was said. */
export const inBrackets = (text: string): string => {
  const words = wordsOf(text);
  return words === "" ? "" : ` (${words})`;
};
