/** The buttons of a post, independent of the platform's drawing. Pure. */

import type { ConversationId } from "../../src/machine/id.ts";
import { nameOfAnswer } from "../../src/ports/feedback.ts";
import type { Button, RenderScene } from "../../src/ports/surface.ts";
import { isWatch } from "../../src/machine/provenance.ts";
import type { Post, PostBody, TurnBody } from "../../src/thread/post.ts";
import { choiceLabels } from "../../src/thread/person-question.ts";
import { callInput } from "../../src/thread/prompt.ts";
import { finalAnswer } from "../../src/thread/turn-post.ts";
import { batchesOf, commentsLeft } from "../../src/thread/question.ts";
import {
  actionLabel,
  batchLabel,
  choiceLabel,
  isOwnAction,
  leaveOutLabel,
  writeOf,
} from "../../src/thread/wording.ts";
import type { Say } from "../../src/i18n/say.ts";

/** Returns the buttons of a question while it waits. `head`: text of the question. */
export const choicesOf = (
  { body, actions }: Post,
  { question, words }: Pick<RenderScene, "question" | "words">,
  head: string,
  say: Say,
): readonly Button[] => {
  if (question === null || body.kind !== "question" || body.decision !== null) return [];
  const { ask, call, message } = body;
  const { wire } = question;
  const numbered = (action: "choose" | "apply" | "leave_out", first: number, label: string): Button => ({
    action,
    label,
    value: `${wire}/${first}`,
    first,
    spoken: `${label}: ${head}`,
  });
  return [
    ...choiceLabels(ask, callInput(words.get(message), call.id), say).map((label, index) =>
      numbered("choose", index + 1, label),
    ),
    ...actions.flatMap((action): readonly Button[] => {
      if (isOwnAction(action)) return [];
      const label = choiceLabel(action, ask, say);
      const more = action === "deny" ? { withWords: say("Deny, and say why") } : {};
      return [{ action, label, value: wire, spoken: `${label}: ${head}`, ...more }];
    }),
    ...batchesOf(ask).map((first) => numbered("apply", first, batchLabel(first, say))),
    ...commentsLeft(ask).map((comment) => numbered("leave_out", comment, leaveOutLabel(comment, say))),
  ];
};

type QuestionBody = PostBody & { readonly kind: "question" };

/** The pull request that the decision opened. A turn that looks after the pull request adds no second one. */
export const openedPullName = ({ ask, asker, decision, wrote }: QuestionBody): string | null => {
  if (ask === undefined || decision === null || wrote?.kind !== "done") return null;
  if (writeOf(ask, decision.choice) !== "open_pull_request") return null;
  return asker !== undefined && isWatch(asker) ? null : wrote.name;
};

/** Returns the buttons of an opened pull request. */
export const pullButtons = (body: QuestionBody, say: Say): readonly Button[] => {
  const value = openedPullName(body);
  return value === null
    ? []
    : [
        { action: { feature: "look_after" }, label: say("Look after this pull request"), value },
        { action: { feature: "ask_for_merge" }, label: say("Merge"), value },
      ];
};

/** Returns the button for the steps of a turn (TH4). `turn`: null means the running turn. */
export const stepsButton = (
  conversation: ConversationId,
  turn: number | null,
  say: Say,
  count = 0,
): Button => ({
  action: "steps",
  label: say("Steps"),
  value: turn === null ? conversation : `${conversation}/${turn}`,
  spoken: spokenSteps(count, say),
});

const spokenSteps = (count: number, say: Say): string => {
  if (count === 0) return say("Show what was done");
  return count === 1
    ? say("Show the step behind this answer")
    : say("Show the {count} steps behind this answer", { count });
};

/** Returns the feedback buttons of an answer. `body`: the turn that ended with the answer. */
export const feedbackButtons = (
  body: TurnBody,
  { conversation, firstModel }: Pick<RenderScene, "conversation" | "firstModel">,
  say: Say,
): readonly Button[] => {
  const message = finalAnswer(body);
  if (message === null) return [];
  const value = nameOfAnswer({ conversation: conversation.id, message });
  const isFirst = firstModel !== undefined && body.model === firstModel;
  return [
    ...(isFirst ? [{ action: "deeper", label: say("Look deeper"), value } as const] : []),
    { action: "thumb_up", label: "👍", value, spoken: say("This answer helped") },
    { action: "thumb_down", label: "👎", value, spoken: say("This answer did not help") },
    {
      action: "solved",
      label: say("Solved"),
      value,
      spoken: say("Mark the question as solved by this answer"),
    },
  ];
};

export const buttonsOf = (post: Post, conversation: ConversationId, say: Say): readonly Button[] =>
  post.actions.flatMap((action) =>
    isOwnAction(action) ? [{ action, label: actionLabel(action, post.body, say), value: conversation }] : [],
  );
