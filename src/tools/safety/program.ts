/** Which program a word names. */
import { constantText, type Word } from "../shell/word.ts";

/** The name without its directory, also where only the directory is unknown (`$DIR/rm`); null when it is not told. */
export const programOf = (word: Word): string | null => {
  const written = constantText(word);
  if (written !== null) return lastName(written);
  const last = word.pieces.at(-1);
  return last?.kind === "text" && last.text.includes("/") ? lastName(last.text) : null;
};

const lastName = (path: string): string | null => path.slice(path.lastIndexOf("/") + 1) || null;
