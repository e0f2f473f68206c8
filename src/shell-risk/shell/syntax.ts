/** From text to a tree, as bash takes what it is fed: zero bytes are no part of it, nor is a backslash at its very end. */
import { parse, type ParsedScript } from "unbash";

/** Its `source` is the text that its positions are in. */
export const readSyntax = (text: string): ParsedScript => {
  const source = text.replaceAll("\0", "").replace(LAST_BACKSLASH, "$1");
  return { ...parse(source), source };
};

const LAST_BACKSLASH = /(?<!\\)((?:\\\\)*)\\$/;
