/**
 * Rendering that always comes to something: where a renderer throws, the words of the post go out as plain text, masked
 * and cut, and somebody is told. A failure of pure code is final: the same post would fail again.
 */

import type { Button, Content, Piece, Progress, Renderer, RenderScene } from "../../ports/surface.ts";
import type { Post } from "../../thread/post.ts";
import type { Words } from "../../thread/prompt.ts";
import type { Marks } from "../../thread/marks.ts";
import type { Say } from "../../i18n/say.ts";
import { answerText, callReason } from "../../thread/spoken.ts";
import {
  actionLabel,
  askText,
  CHOICE_LABELS,
  verdictText,
  isOwnAction,
  noticeText,
} from "../../thread/wording.ts";
import { masking, maskingReview } from "./masked.ts";
import type { HeldAnswer, ReviewRenderer } from "../../ports/review.ts";
import { wordsOf } from "../../thread/post-words.ts";

/** Told of each post once. */
type Fault = (scene: Pick<RenderScene, "conversation">, error: unknown) => void;

/** The renderer, masked; none of its members that renders people's or the model's words throws. */
export const createSafeRenderer = (renderer: Renderer, say: Say, fault: Fault): Renderer => {
  const masked = masking(renderer);
  const plainly = masking({ ...renderer, post: plainPieces(say) });
  const failed = new Set<string>();
  return {
    ...masked,
    post: (post, scene, limits) => {
      const name = `${scene.conversation.id} ${post.key}`;
      if (!failed.has(name)) {
        try {
          return masked.post(post, scene, limits);
        } catch (error) {
          failed.add(name);
          fault(scene, error);
        }
      }
      return plainly.post(post, scene, limits);
    },
    // What cannot be shown while it is written is told when the turn is over.
    open: (...given) => {
      try {
        return masked.open(...given);
      } catch {
        return [];
      }
    },
    progress: (progress, limits) => {
      for (const shown of [progress, { ...progress, live: "" }]) {
        try {
          return masked.progress(shown, limits);
        } catch {
          continue;
        }
      }
      return bare(progress, say);
    },
  };
};

/** What those read who look at answers, masked; where the renderer throws they are told that there is one. */
export const createSafeReview = (renderer: ReviewRenderer, fault: Fault, say: Say): ReviewRenderer => {
  const masked = maskingReview(renderer);
  return {
    review: (held, limits) => {
      try {
        return masked.review(held, limits);
      } catch (error) {
        if ("post" in held.shown) fault(held.shown.scene, error);
        return [unshown(held, say)];
      }
    },
  };
};

/** Whoever looks at answers reads this one where its operator does. */
const unshown = ({ wire: value, shown }: HeldAnswer, say: Say): Content => ({
  tone: "question",
  text: say("An answer that waits for review cannot be displayed here. The console displays it."),
  buttons: "post" in shown ? [{ action: "discard", label: say(CHOICE_LABELS.discard), value }] : [],
});

/** What would be shown anew in a second goes without a word to the operator. */
const bare = ({ conversation }: Progress, say: Say): Content => ({
  tone: "status",
  text: "…",
  buttons: [{ action: "stop", label: say("Stop"), value: conversation }],
});

const plainPieces =
  (say: Say): Renderer["post"] =>
  (post, scene, limits) => {
    // Half of the room: what a platform escapes takes two characters for one.
    const texts = cut(textOf(post, scene, { ...BARE, say }), limits.text >> 1);
    const buttons = buttonsOf(post, scene, say);
    const shown = texts.length === 0 && buttons.length > 0 ? ["…"] : texts;
    const tone = post.body.kind === "question" ? "question" : "answer";
    return shown.map(
      (text, index): Piece => ({
        key: `${post.key}#${index}`,
        content: { tone, text, plain: true, buttons: index === shown.length - 1 ? buttons : [] },
        final: post.final,
      }),
    );
  };

const textOf = (post: Post, { words }: RenderScene, marks: Marks): string => {
  const { body } = post;
  if (body.kind === "user" || body.kind === "footer") return "";
  if (body.kind === "notice") return noticeText(body.notice, marks);
  const told = wordsOf(post).flatMap((id) => textsIn(words.get(id)));
  if (body.kind !== "question") return joined(told);
  const { ask = { kind: "upgrade" }, decision, message, call } = body;
  const asked = decision === null ? askText(ask, marks) : verdictText(decision, marks);
  return joined([asked, ...told, callReason(words.get(message), call.id) ?? ""]);
};

const joined = (texts: readonly string[]): string => texts.filter((text) => text.trim() !== "").join("\n\n");

const same = (text: string): string => text;
const BARE: Omit<Marks, "say"> = {
  code: same,
  plain: same,
  thread: same,
  link: (text, url) => `${text} (${url})`,
};

const textsIn = (words: Words | undefined): readonly string[] => {
  switch (words?.kind) {
    case "answer":
      return [answerText(words)];
    case "result":
      return [words.diff ?? ""];
    case "said":
    case "comment":
    case "meta":
      return [words.text];
    case "dangers":
      return words.dangers.flatMap(({ what, why, risk, changes }) => [what, why, risk, ...changes]);
    case "proposal":
      return words.proposal.texts.map(({ name, text }) => `${name}:\n${text}`);
    case "gone":
    case undefined:
      return [];
  }
};

const buttonsOf = (post: Post, { question, conversation }: RenderScene, say: Say): readonly Button[] =>
  post.actions.flatMap((action): readonly Button[] => {
    if (isOwnAction(action))
      return [{ action, label: actionLabel(action, post.body, say), value: conversation.id }];
    return question === null ? [] : [{ action, label: say(CHOICE_LABELS[action]), value: question.wire }];
  });

/** At line ends where they are near, never through a character; without what does not show. */
const cut = (text: string, max: number): readonly string[] => {
  const shown = text.toWellFormed().replaceAll(UNSEEN, "");
  const parts: string[] = [];
  for (let at = 0; at < shown.length; ) {
    const rest = shown.slice(at, at + max);
    const line = rest.lastIndexOf("\n") + 1;
    const isLast = at + rest.length === shown.length;
    const part = isLast || line < max / 2 ? rest.replace(/[\ud800-\udbff]$/, "") : rest.slice(0, line);
    if (part.trim() !== "") parts.push(part);
    at += part.length;
  }
  return parts;
};

const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;
