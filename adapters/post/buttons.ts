/** The buttons of a post, independent of the platform's drawing. Pure. */

import type { ConversationId } from "../../src/machine/id.ts";
import { nameOfAnswer } from "../../src/ports/feedback.ts";
import type { Button, RenderScene } from "../../src/ports/surface.ts";
import type { Post, TurnBody } from "../../src/thread/post.ts";
import { choiceLabels } from "../../src/thread/person-question.ts";
import { callInput } from "../../src/thread/prompt.ts";
import { finalAnswer } from "../../src/thread/turn-post.ts";
import { batchesOf } from "../../src/thread/question.ts";
import { actionLabel, batchLabel, choiceLabel, isOwnAction } from "../../src/thread/wording.ts";
import type { Say } from "../../src/i18n/say.ts";

/** Returns the buttons of the pending question. `head`: text of the question. */
export const choicesOf = (
  post: Post,
  { question, words }: Pick<RenderScene, "question" | "words">,
  head: string,
  say: Say,
): readonly Button[] => {
  const ask = post.body.kind === "question" ? post.body.ask : undefined;
  return question === null
    ? []
    : [
        ...optionButtons(post, words, question.wire, head, say),
        ...post.actions.flatMap((action): readonly Button[] => {
          if (isOwnAction(action)) return [];
          const label = choiceLabel(action, ask, say);
          const more = action === "deny" ? { withWords: say("Deny, and say why") } : {};
          return [{ action, label, value: question.wire, spoken: `${label}: ${head}`, ...more }];
        }),
        ...batchesOf(ask).map((first): Button => {
          const label = batchLabel(first, say);
          return {
            action: "apply",
            label,
            value: `${question.wire}/${first}`,
            first,
            spoken: `${label}: ${head}`,
          };
        }),
      ];
};

const optionButtons = (
  { body }: Post,
  words: RenderScene["words"],
  wire: string,
  head: string,
  say: Say,
): readonly Button[] =>
  body.kind !== "question"
    ? []
    : choiceLabels(body.ask, callInput(words.get(body.message), body.call.id), say).map((label, index) => ({
        action: "choose",
        label,
        value: `${wire}/${index + 1}`,
        first: index + 1,
        spoken: `${label}: ${head}`,
      }));

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
