/**
 * What stands below an answer that cites the repository. Pure. The answer itself is not marked: clients have had its text
 * as it streamed.
 */

import type { Conversation } from "../../src/ports/conversation.ts";
import { citedText } from "../../src/text/citation.ts";
import type { Words } from "../../src/thread/prompt.ts";
import { citationsOf } from "../../src/thread/spoken.ts";
import { sourcesText } from "../text/text.ts";

const MOST_NAMED = 10;

/** Empty for an answer that cites nothing. */
export const sourcesBelow = (words: Words | undefined, conversation: Conversation): string => {
  const checked = citationsOf(words);
  const sources = sourcesText(checked, conversation, ({ text, link }) =>
    link === null ? `\`${text}\`` : `[\`${text}\`](${link})`,
  );
  if (checked === undefined || sources === null) return "";
  const { base } = conversation;
  const doubtful = checked.filter(({ status }) => status === "missing" || status === "unread");
  const named = doubtful.slice(0, MOST_NAMED).map((one) => `\`${citedText(one)}\``);
  return [
    "",
    "",
    `${sources}${named.length === 0 ? "" : `: ${named.join(", ")}`}${base === null ? "" : ` · commit ${base.commit.slice(0, 9)} (${base.ref})`}`,
  ].join("\n");
};
