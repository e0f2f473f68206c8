/** The demo model at the end of a conversation, and at the beginning of the one that goes on from it. */

import type { ModelRequest } from "../../ports/model.ts";
import type { PromptMessage } from "../../thread/prompt.ts";
import { HEAD, SEED } from "../../thread/summary-prompt.ts";
import { finalReply, type DemoReply } from "./reply.ts";

/** What people said last is all that a script can tell of a conversation. */
const TOLD = 5;
const LENGTH = 200;

/** Null where neither is the case. */
export const onwardReply = ({
  prefix,
  messages,
}: Pick<ModelRequest, "prefix" | "messages">): DemoReply | null => {
  const last = lastText(messages);
  if (prefix.tools.length === 0 && last.startsWith(HEAD)) return finalReply(summary(last));
  return last.startsWith(SEED)
    ? finalReply(
        "I have read the summary of the earlier conversation. Ask about the repository, or for a change.",
      )
    : null;
};

const summary = (told: string): string => {
  const lines = told.split("\n");
  const said = lines.flatMap((line, index) => {
    const next = /^\S/u.test(line) && line.includes(" said:", 1) ? (lines[index + 1] ?? "") : "";
    return next === "" ? [] : [next.slice(0, LENGTH)];
  });
  return ["What people said last:", ...said.slice(-TOLD).map((line) => `- ${line}`)].join("\n");
};

const lastText = (messages: readonly PromptMessage[]): string => {
  const block = messages.at(-1)?.content.at(-1);
  return block?.kind === "text" ? block.text : "";
};
