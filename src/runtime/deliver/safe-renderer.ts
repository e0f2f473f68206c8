/** If a renderer throws, the words of the post are sent as plain text, because the same post would fail again. */

import type { Button, Content, MessagePiece, Progress, Renderer, RenderScene } from "../../ports/surface.ts";
import type { Post } from "../../thread/post.ts";
import type { StoredContent } from "../../thread/prompt.ts";
import type { Formatter } from "../../thread/formatter.ts";
import type { Say } from "../../i18n/say.ts";
import { answerText, callReason } from "../../thread/visible-text.ts";
import {
  actionLabel,
  askText,
  CHOICE_LABELS,
  choiceLabel,
  verdictText,
  isOwnAction,
  noticeText,
} from "../../thread/wording.ts";
import { withMaskedSecrets, maskingReview } from "./masked.ts";
import type { PendingReview, ReviewRenderer } from "../../ports/review.ts";
import { postTextsOf } from "../../thread/post-words.ts";

/** Called once for each post. */
type Fault = (scene: Pick<RenderScene, "conversation">, error: unknown) => void;

export const createSafeRenderer = (renderer: Renderer, say: Say, fault: Fault): Renderer => {
  const masked = withMaskedSecrets(renderer);
  const plainly = withMaskedSecrets({ ...renderer, post: plainPieces(say) });
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
    // Text that cannot be rendered while it streams is posted when the turn is over.
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

const unshown = ({ wire: value, shown }: PendingReview, say: Say): Content => ({
  tone: "question",
  text: say("An answer that waits for review cannot be displayed here. The console displays it."),
  buttons: "post" in shown ? [{ action: "discard", label: say(CHOICE_LABELS.discard), value }] : [],
});

/** Progress is rendered again within a second, so this failure is not reported. */
const bare = ({ conversation }: Progress, say: Say): Content => ({
  tone: "status",
  text: "…",
  buttons: [{ action: "stop", label: say("Stop"), value: conversation }],
});

const plainPieces =
  (say: Say): Renderer["post"] =>
  (post, scene, limits) => {
    // Half of the limit: an escaped character takes two.
    const texts = cut(textOf(post, scene, { ...BARE, say }), limits.text >> 1);
    const buttons = buttonsOf(post, scene, say);
    const shown = texts.length === 0 && buttons.length > 0 ? ["…"] : texts;
    const tone = post.body.kind === "question" ? "question" : "answer";
    return shown.map(
      (text, index): MessagePiece => ({
        key: `${post.key}#${index}`,
        content: { tone, text, plain: true, buttons: index === shown.length - 1 ? buttons : [] },
        final: post.final,
      }),
    );
  };

const textOf = (post: Post, { words }: RenderScene, marks: Formatter): string => {
  const { body } = post;
  if (body.kind === "user" || body.kind === "footer") return "";
  if (body.kind === "notice") return noticeText(body.notice, marks);
  const told = postTextsOf(post).flatMap((id) => textsIn(words.get(id)));
  if (body.kind !== "question") return joined(told);
  const { ask = { kind: "upgrade" }, decision, message, call } = body;
  const asked = decision === null ? askText(ask, marks) : verdictText(decision, marks);
  return joined([asked, ...told, callReason(words.get(message), call.id) ?? ""]);
};

const joined = (texts: readonly string[]): string => texts.filter((text) => text.trim() !== "").join("\n\n");

const same = (text: string): string => text;
const BARE: Omit<Formatter, "say"> = {
  code: same,
  plain: same,
  thread: same,
  link: (text, url) => `${text} (${url})`,
};

const textsIn = (words: StoredContent | undefined): readonly string[] => {
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
    const ask = post.body.kind === "question" ? post.body.ask : undefined;
    if (isOwnAction(action))
      return [{ action, label: actionLabel(action, post.body, say), value: conversation.id }];
    return question === null ? [] : [{ action, label: choiceLabel(action, ask, say), value: question.wire }];
  });

/** Cuts at line ends if one is near, never inside a character. Invisible characters are removed. */
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
