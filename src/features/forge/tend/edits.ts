/** Whether the draft differs from the newest content that people or the click released. Such edits must not leave with a later push. */

import type { Detail } from "../../../ports/bot.ts";
import { proposalIn } from "../../../thread/proposal.ts";
import type { RunnerDeps } from "./runner-deps.ts";

export const hasTendEdits = async (
  { drafts, words }: Pick<RunnerDeps, "drafts" | "words">,
  { conversation, posts }: Pick<Detail, "conversation" | "posts">,
  signal: AbortSignal,
): Promise<boolean> => {
  const found = await drafts.tree(conversation.id, signal);
  if (found.kind === "none") return false;
  return found.kind === "failed" || found.tree !== writtenTree(words, posts);
};

/** Tree of the newest draft that was pushed completely; null if there is none. */
const writtenTree = (words: RunnerDeps["words"], posts: Detail["posts"]): string | null => {
  for (const { post } of posts.toReversed()) {
    const { body } = post;
    if (body.kind !== "question" || body.wrote?.kind !== "done" || body.ask?.kind !== "result") continue;
    const { shown } = body.ask;
    return proposalIn(words([shown]).get(shown))?.draft?.tree ?? null;
  }
  return null;
};
