import { advance, BLOCK_START } from "../../text/markdown/blocks.ts";
import { linksIn } from "../../text/links.ts";

/** Lines of a file on a forge. */
const LINES = /^#L\d/;

/**
 * Addresses that a person's text links to, in order, without fragments that only a browser reads. Block quotes repeat other
 * people, and code is no link.
 */
export const postedLinks = (text: string): readonly URL[] => {
  let position = BLOCK_START;
  const found = new Map<string, URL>();
  for (const line of text.split("\n")) {
    position = advance(position, line);
    const isQuote = position.containers.some(({ kind }) => kind === "quote");
    if (isQuote || position.leaf.kind === "fence") continue;
    for (const link of linksIn(line.replaceAll(/(`+)(?:(?!\1).)*\1/g, " "))) {
      const url = URL.parse(link);
      if (url === null) continue;
      if (!LINES.test(url.hash)) url.hash = "";
      found.set(url.href, url);
    }
  }
  return [...found.values()];
};
