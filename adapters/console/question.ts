/** The pending question as the API shows it: facts of the host first, the model's reason apart. Pure. */

import type { Overview, QuestionRow } from "../../src/runtime/ports.ts";
import type { MessageId } from "../../src/core/id.ts";
import type { Words } from "../../src/core/prompt.ts";
import { questionReason } from "./render-words.ts";
import { repoName } from "./summary.ts";
import type { WireQuestion } from "./wire.ts";

/** The message whose words hold the reason; null while nothing is asked. */
export const reasonOf = ({ state }: Overview): MessageId | null =>
  state.phase.kind === "awaitingApproval" ? state.phase.question.message : null;

/** Null unless the conversation waits for exactly this question. */
export const wireQuestion = (
  { conversation, state }: Overview,
  row: QuestionRow | null,
  words: ReadonlyMap<MessageId, Words>,
  covers: string,
): WireQuestion | null => {
  const { phase } = state;
  if (phase.kind !== "awaitingApproval" || row === null || row.question !== phase.question.id) return null;
  return {
    id: row.wire,
    kind: "upgrade",
    reason: questionReason(words.get(phase.question.message), phase.call.id),
    choices: [
      { id: "approve", label: "Approve" },
      { id: "deny", label: "Deny" },
    ],
    facts: {
      askedBy: state.turn.speaker?.id ?? null,
      repo: repoName(conversation.repo),
      commit: conversation.base?.commit ?? null,
      covers,
    },
    askedAt: row.askedAt,
  };
};
