/** The buttons of a post, apart from how a platform draws them. Pure. */

import type { ConversationId } from "../../src/machine/id.ts";
import type { Button, RenderScene } from "../../src/ports/surface.ts";
import type { Post } from "../../src/thread/post.ts";
import { actionLabel, CHOICE_LABELS, isOwnAction } from "../../src/thread/wording.ts";

/** The answers to the pending question. */
export const choicesOf = (post: Post, { question }: RenderScene): readonly Button[] =>
  question === null
    ? []
    : post.actions.flatMap((action) =>
        isOwnAction(action) ? [] : [{ action, label: CHOICE_LABELS[action], value: question.wire }],
      );

/** Those that no question is about. */
export const buttonsOf = (post: Post, conversation: ConversationId): readonly Button[] =>
  post.actions.flatMap((action) =>
    isOwnAction(action) ? [{ action, label: actionLabel(action, post.body), value: conversation }] : [],
  );
