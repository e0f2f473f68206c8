/** From text to a tree, as bash takes what it is fed: zero bytes are no part of it, nor is a backslash at its very end. */
import { parse, type ParsedScript } from "unbash";

export const readSyntax = (source: string): ParsedScript => {
  try {
    return parse(source.replaceAll("\0", "").replace(LAST_BACKSLASH, "$1"));
  } catch (error) {
    // Of most nesting the parser says that it is too deep; of some it has no measure.
    if (!(error instanceof RangeError)) throw error;
    const errors = [{ message: TOO_DEEP, pos: 0 }];
    return { type: "Script", pos: 0, end: 0, shebang: undefined, commands: [], errors };
  }
};

/** How the parser begins to say that it left out what is nested too deep. */
export const TOO_DEEP = "maximum";

const LAST_BACKSLASH = /(?<!\\)((?:\\\\)*)\\$/;
