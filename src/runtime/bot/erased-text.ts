import { mapParts, withoutOwn } from "../../machine/message-parts.ts";
import type { ErasureRequest } from "../../ports/erasure.ts";
import type { UnquotedText } from "../../text/quotes.ts";

/** `unquote`: removes quotes of the erased text from a message part. */
export const createCut =
  (unquote: (text: string) => UnquotedText): ErasureRequest["cut"] =>
  (said, own) => {
    const mine = own ? withoutOwn(said) : { left: said, taken: [] };
    const taken = [...mine.taken];
    const left = mapParts(mine.left, (part) => {
      const found = unquote(part);
      taken.push(...found.taken);
      return found.text;
    });
    return { left, taken };
  };
