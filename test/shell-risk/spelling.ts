/** Different spellings of the same words, for the tests: quoting and wrapping. */

/** A word in single quotes. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Puts a command, given as its quoted words, into a wrapping of the corpus. */
export const wrapIn = (wrapping: string, words: readonly string[]): string => {
  const command = words.join(" ");
  return wrapping
    .replace(/(^|\s)%(?=\s|$)/, (_, before: string) => before + command)
    .replace(/(^|\s)#(?=\s|$)/, (_, before: string) => before + quoteWord(command));
};

/** Ways to write one character so that it stays itself. */
export const CHARACTER_QUOTES: readonly ((character: string) => string)[] = [
  (character) => (/[\w./-]/.test(character) ? character : `\\${character}`),
  (character) => `'${character}'`,
  (character) => `"${character}"`,
  (character) => `\\${character}`,
  (character) => `$'${character}'`,
  (character) => `$'\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}'`,
  (character) => `''${character}`,
  (character) => `${character}""`,
];
