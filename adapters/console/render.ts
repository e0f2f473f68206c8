/**
 * render(row, scene): a post of the ledger with its words, as the API and the page show it. Pure. Model text stays
 * Markdown and is made safe where it is shown; everything the host says about it stands in fields of its own.
 */

import type { PostRow, QuestionRow } from "../../src/runtime/ports.ts";
import type { MessageId } from "../../src/core/id.ts";
import type { Decision } from "../../src/core/transcript.ts";
import type { Action, Post } from "../../src/core/view.ts";
import { CHOICE_LABELS } from "../../src/core/wording.ts";
import type { Ask } from "../../src/core/words.ts";
import { activity, answerText, pictures, questionReason } from "./render-words.ts";
import { decisionText, footerText, noticeBody, openingText } from "./render-host.ts";
import { detailsOf } from "./question.ts";
import type { Scene } from "./scene.ts";
import { usageFigures } from "./summary.ts";
import type { WireAction, WireBody, WireDecision, WirePost } from "./wire.ts";

export const render = ({ post, ordinal }: PostRow, scene: Scene): WirePost => ({
  key: post.key,
  at: post.at,
  final: post.final,
  ordinal,
  actions: post.actions.map((action) => wireAction(action, scene.question)),
  ...bodyOf(post, scene),
});

/** The messages whose words `render` needs for a post. */
export const wordsOf = ({ body }: Post): readonly MessageId[] => {
  switch (body.kind) {
    case "opening":
    case "notice":
    case "footer":
      return [];
    case "user":
    case "answer":
      return [body.message];
    case "question":
      return [body.message, ...present(body.decision?.comment), ...shownBy(body.ask)];
    case "activity":
      return [body.message, ...(body.outcome?.kind === "ran" ? [body.outcome.message] : [])];
  }
};

const bodyOf = (post: Post, scene: Scene): WireBody => {
  const { body } = post;
  switch (body.kind) {
    case "opening": {
      const tone = body.confinement === "enforced" ? "plain" : "warning";
      const { origin } = scene.conversation;
      const from = origin === null ? {} : { thread: origin.conversation };
      return { kind: "notice", topic: "opening", tone, markdown: openingText(body, scene), ...from };
    }
    case "user": {
      const words = scene.words.get(body.message);
      const said = words?.kind === "said" ? words : { text: "[erased]", images: [] };
      return { kind: "user", markdown: said.text, by: body.speaker.id, images: pictures(said.images) };
    }
    case "answer":
      return { kind: "answer", markdown: answerText(scene.words.get(body.message)) };
    case "activity":
      return activity(body, scene.words);
    case "question": {
      const decision = body.decision === null ? null : wireDecision(body.decision, scene.words);
      const reason = questionReason(scene.words.get(body.message), body.call.id);
      const ask = body.ask ?? UPGRADE;
      const details = detailsOf(ask, scene.words);
      return {
        kind: "question",
        about: ask.kind,
        reason,
        decision,
        ...(details === null ? {} : { details }),
        markdown: decisionText(ask, decision),
      };
    }
    case "notice":
      return { kind: "notice", ...noticeBody(body.notice) };
    case "footer": {
      const { model, mode, permission, duration } = body;
      const commit = scene.conversation.base?.commit ?? null;
      const usage = usageFigures(body.usage);
      const facts = { model, mode, permission, usage, commit, durationMs: duration };
      return { kind: "footer", markdown: footerText(facts), ...facts };
    }
  }
};

const wireDecision = (decision: Decision, words: Scene["words"]): WireDecision => {
  const comment = decision.comment === null ? undefined : words.get(decision.comment);
  const { choice, by, at } = decision;
  return { choice, by, at, comment: comment?.kind === "comment" ? comment.text : null };
};

const wireAction = (action: Action, question: QuestionRow | null): WireAction =>
  action === "retry"
    ? { action, label: "Try again" }
    : {
        action: "decide",
        label: CHOICE_LABELS[action],
        choice: action,
        ...(question === null ? {} : { question: question.wire }),
      };

const UPGRADE: Ask = { kind: "upgrade" };

const present = (id: MessageId | null | undefined): readonly MessageId[] =>
  id === null || id === undefined ? [] : [id];

/** What people were shown of a held call. */
const shownBy = (ask: Ask | undefined): readonly MessageId[] => (ask?.kind === "danger" ? [ask.shown] : []);
