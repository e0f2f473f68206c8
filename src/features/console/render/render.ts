/**
 * render(row, scene): a post of the ledger with its texts, as the API and the page show it. Pure. Model text
 * stays Markdown and is sanitized by the client that displays it. The host's sentences have separate fields.
 */

import { familyOf } from "../../../machine/agent.ts";
import type { Decision } from "../../../machine/transcript.ts";
import type { QuestionSpec } from "../../../machine/vocabulary.ts";
import type { PostRow } from "../../../ports/store.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import type { Action, OwnAction, Post, PostBody } from "../../../thread/post.ts";
import { callInput, type StoredContent } from "../../../thread/prompt.ts";
import { answerText, citationsOf, givenAnswer } from "../../../thread/visible-text.ts";
import {
  actionLabel,
  capitalize,
  choiceLabel,
  DECISION_LABELS,
  isOwnAction,
  earlierText,
} from "../../../thread/wording.ts";
import { endedText } from "../../../thread/continuation-wording.ts";
import type { Say } from "../../../i18n/say.ts";
import { turnFacts } from "../../../../adapters/post/phrases.ts";
import { openedPullName } from "../../../../adapters/post/buttons.ts";
import { UPGRADE } from "../../../../adapters/post/question.ts";
import { changedText, markCitations, sourcesText } from "../../../../adapters/text/citations.ts";
import { proposalTextOf } from "./question.ts";
import { consoleCode, decisionText, marksIn, noticeBody, openingText } from "./render-host.ts";
import { activity, fileBody, pictures, questionReason, thoughtIn } from "./render-words.ts";
import type { PageScene } from "./scene.ts";
import { usageFigures } from "./summary.ts";
import type { WireAction, WireBody, WireDecision, WirePost } from "./api-types.ts";

export const render = ({ post, ordinal }: PostRow, scene: PageScene): WirePost | null => {
  const body = bodyOf(post, scene);
  if (body === null) return null;
  const { key, at, final } = post;
  const actions = post.actions.map((action) => wireAction(action, post.body, scene));
  return { key, at, final, ordinal, actions, ...body };
};

/** Null for posts that only summarize other posts for chat platforms. The page shows those other posts in full. */
const bodyOf = (post: Post, scene: PageScene): WireBody | null => {
  const { body } = post;
  const { say } = scene;
  switch (body.kind) {
    case "opening": {
      const tone = body.confinement === "enforced" ? "plain" : "warning";
      const { origin, id } = scene.conversation;
      const parent = familyOf(id) === id ? null : familyOf(id);
      const thread = origin?.conversation ?? parent ?? undefined;
      const markdown = openingText(body, scene);
      return { kind: "notice", topic: "opening", tone, markdown, ...omitUndefined({ thread }) };
    }
    case "user": {
      const words = scene.words.get(body.message);
      const said = words?.kind === "said" ? words : { text: say("[erased]"), images: [] };
      return { kind: "user", markdown: said.text, by: body.speaker.id, images: pictures(said.images) };
    }
    case "answer": {
      const words = scene.words.get(body.message);
      return { kind: "answer", markdown: markedAnswer(words, scene), ...thoughtIn(words) };
    }
    case "activity":
      return activity(body, scene);
    case "file":
      return fileBody(body, scene);
    case "question": {
      const ask = body.ask ?? UPGRADE;
      const words = scene.words.get(body.message);
      const decision =
        body.decision === null
          ? null
          : wireDecision(body.decision, ask, callInput(words, body.call.id), scene);
      const reason = questionReason(words, body.call.id);
      return {
        kind: "question",
        about: ask.kind,
        reason,
        decision,
        ...omitUndefined({ opened: openedPullName(body) ?? undefined }),
        ...proposalTextOf(ask, scene.words, say),
        markdown: decisionText(ask, decision, say),
      };
    }
    case "turn":
      return null;
    case "notice":
      return { kind: "notice", ...noticeBody(body.notice, say) };
    case "summary": {
      const { head, foot } = endedText(body, marksIn(say));
      const told = body.message === null ? null : answerText(scene.words.get(body.message));
      const thread = body.next ?? undefined;
      return { kind: "summary", markdown: head, summary: told, foot, ...omitUndefined({ thread }) };
    }
    case "footer": {
      const { model, mode, permission, duration: durationMs, notes = 0 } = body;
      const { base } = scene.conversation;
      const commit = base?.commit ?? null;
      const usage = usageFigures(body.usage);
      const cited = body.answer === undefined ? undefined : citationsOf(scene.words.get(body.answer));
      const sources = sourcesText(
        cited,
        scene.conversation,
        ({ text, link }) => SPELLING.linked(text, link),
        say,
      );
      const earlier = body.earlier === undefined ? null : earlierText(body.earlier, post.at, marksIn(say));
      const context = body.context ?? null;
      const answer = body.answer === undefined ? null : (scene.judged?.(body.answer, model) ?? null);
      const facts = {
        context,
        model,
        mode,
        permission,
        usage,
        commit,
        sources,
        earlier,
        notes,
        durationMs,
        answer,
      };
      const checkout = base === null ? null : `${base.commit.slice(0, 9)} (${consoleCode(base.ref)})`;
      const below = [sources, earlier].filter((text) => text !== null);
      const line = [...turnFacts(body, checkout, marksIn(say)), ...below];
      return { kind: "footer", markdown: line.join(" · "), ...facts };
    }
  }
};

/**
 * Marks the citations in an answer. The page shows the host of each link, and treats all other markup as
 * text.
 */
const markedAnswer = (words: StoredContent | undefined, { conversation, say }: PageScene): string => {
  const cited = citationsOf(words);
  const changed = changedText(cited, conversation, SPELLING, say);
  const marked = markCitations(answerText(words), cited, conversation, say);
  return changed === null ? marked : `${marked}\n\n*${changed}*`;
};

const SPELLING = {
  code: (text: string) => `\`${text}\``,
  linked: (text: string, link: string | null) => (link === null ? `\`${text}\`` : `[\`${text}\`](<${link}>)`),
};

const wireDecision = (
  decision: Decision,
  ask: QuestionSpec,
  input: unknown,
  { words, say }: PageScene,
): WireDecision => {
  const comment = decision.comment === null ? undefined : words.get(decision.comment);
  const { choice, by, at } = decision;
  const isComment = comment?.kind === "comment" || comment?.kind === "said";
  const given = ask.kind === "person" ? givenAnswer(ask, decision, comment, input, say) : null;
  const added = given ?? (isComment ? comment.text : null);
  return { choice, verdict: capitalize(say(DECISION_LABELS[choice])), by, at, comment: added };
};

const wireAction = (action: Action, body: PostBody, { question, say }: PageScene): WireAction =>
  isOwnAction(action)
    ? ownAction(action, body, say)
    : {
        action: "decide",
        label: choiceLabel(action, body.kind === "question" ? body.ask : undefined, say),
        choice: action,
        ...omitUndefined({ question: question?.wire }),
      };

const ownAction = (action: OwnAction, body: PostBody, say: Say): WireAction => {
  const label = actionLabel(action, body, say);
  if (action === "with_summary") return { action: "continue", label, choice: "summary" };
  return action === "new_empty" ? { action: "continue", label, choice: "empty" } : { action, label };
};
