/** From text to a tree, as bash takes what it is fed: zero bytes are no part of it, nor is a backslash at its very end. */
import { parse, type ParsedScript } from "unbash";

export const readSyntax = (source: string): ParsedScript =>
  parse(source.replaceAll("\0", "").replace(LAST_BACKSLASH, "$1"));

const LAST_BACKSLASH = /(?<!\\)((?:\\\\)*)\\$/;
