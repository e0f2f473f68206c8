/** Parses text to a tree like bash reads its input: without zero bytes and without a final backslash. */
import { parse, type ParsedScript } from "unbash";

/** `source`: the text to which the positions refer. */
export const readSyntax = (text: string): ParsedScript => {
  const source = text.replaceAll("\0", "").replace(LAST_BACKSLASH, "$1");
  return { ...parse(source), source };
};

const LAST_BACKSLASH = /(?<!\\)((?:\\\\)*)\\$/;
