/**
 * Posts as messages of a Slack thread. Pure. Quiet by default (design.md 5): activities and what people said make no
 * message; the answer, questions, notices and one footer do. In every question the host's facts stand above and the
 * model's reason below, quoted and bounded.
 */

import type { ConversationId } from "../../src/core/id.ts";
import type { Words } from "../../src/core/prompt.ts";
import type { Post, PostBody, Status } from "../../src/core/view.ts";
import type {
  Button,
  Content,
  Limits,
  Piece,
  Renderer,
  RenderScene,
} from "../../src/runtime/ports-surface.ts";
import { askText, CHOICE_LABELS, DECIDED, type Marks, noticeText } from "../../src/core/wording.ts";
import { neutralise, splitMarkdown } from "../text.ts";
import { escaped } from "./blocks.ts";

const MAX_REASON = 1_500;
/** The end of the streamed text that progress shows; the whole of it comes as the answer. */
const MAX_LIVE = 1_500;

export const slackRenderer: Renderer = {
  post: (post, scene, limits) =>
    contentsOf(post, scene, limits).map(
      (content, index): Piece => ({ key: `${post.key}#${index}`, content, final: post.final }),
    ),
  status: (status, live, conversation) => ({
    tone: "status",
    text: [statusText(status), ...(live === "" ? [] : [escaped(tail(live))])].join("\n"),
    buttons: status.actions.map(() => ({ action: "stop", label: "Stop", value: conversation })),
  }),
  refused: (why) => ({
    tone: "notice",
    text: `A part of this conversation cannot be shown here: Slack refused it (${why}). The console shows it.`,
    buttons: [],
  }),
  repeated: (content) => ({ ...content, text: `_This may be a repeat._\n\n${content.text}` }),
};

const contentsOf = (post: Post, scene: RenderScene, limits: Limits): readonly Content[] => {
  const { body } = post;
  switch (body.kind) {
    case "user":
    case "activity":
      return [];
    case "answer":
      return splitMarkdown(neutralise(answerText(scene.words.get(body.message))), {
        units: "utf16",
        max: limits.text,
      }).map((text) => ({ tone: "answer", text, buttons: [] }));
    case "opening":
      return [notice(openingText(body, scene))];
    case "notice":
      return [
        { ...notice(noticeText(body.notice, MARKS)), buttons: retryButtons(post, scene.conversation.id) },
      ];
    case "question":
      return [{ tone: "question", text: questionText(body, scene), buttons: choices(post, scene) }];
    case "footer":
      return [{ tone: "footer", text: footerText(body), buttons: [] }];
  }
};

const notice = (text: string): Content => ({ tone: "notice", text, buttons: [] });

const choices = (post: Post, { question }: RenderScene): readonly Button[] =>
  question === null
    ? []
    : post.actions.flatMap((action) =>
        action === "retry" ? [] : [{ action, label: CHOICE_LABELS[action], value: question.wire }],
      );

const retryButtons = (post: Post, conversation: ConversationId): readonly Button[] =>
  post.actions.includes("retry") ? [{ action: "retry", label: "Try again", value: conversation }] : [];

const openingText = (
  { permission, confinement }: PostBody & { readonly kind: "opening" },
  { conversation }: RenderScene,
): string => {
  const held =
    permission === "restricted"
      ? "**Restricted**: tools can read the checkout and nothing else, without network."
      : "**Unrestricted**: tools can write and reach the network.";
  const missing = confinement === "enforced" ? "" : "The sandbox is not available on this host. ";
  return `Working on ${code(conversation.repo.location)}. ${missing}${held}`;
};

const questionText = (
  { message, call, ask, decision }: PostBody & { readonly kind: "question" },
  { words, conversation }: RenderScene,
): string => {
  const asks = `**${askText(ask ?? { kind: "upgrade" }, MARKS)}**`;
  const commit = conversation.base === null ? "" : ` at ${code(conversation.base.commit.slice(0, 9))}`;
  const verdict = decision === null ? [] : [`${DECIDED[decision.choice]} by ${code(decision.by)}.`];
  return [
    asks,
    `${code(conversation.repo.location)}${commit}`,
    ...verdict,
    quoted(reasonOf(words.get(message), call.id)),
  ].join("\n\n");
};

const footerText = ({ usage, model, permission, duration }: PostBody & { readonly kind: "footer" }): string =>
  [
    permission === "restricted" ? "Restricted" : "Unrestricted",
    escaped(model),
    `${usage.input + usage.output + usage.cacheRead + usage.cacheWrite} tokens`,
    `$${(usage.costMicroUsd / 1e6).toFixed(4)}`,
    `${(duration / 1_000).toFixed(1)} s`,
  ].join(" · ");

const statusText = ({ kind, tool, wait }: Status): string => {
  switch (kind) {
    case "thinking":
      return "Thinking";
    case "retrying":
      return `Trying again soon: ${escaped(wait?.failure.message ?? "")}`;
    case "running":
      return `Running ${escaped(tool ?? "")}`;
    case "stopping":
      return "Stopping";
  }
};

const answerText = (words: Words | undefined): string =>
  words?.kind === "answer"
    ? words.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("")
    : "[erased]";

const reasonOf = (words: Words | undefined, call: string): string => {
  if (words?.kind !== "answer") return "[erased]";
  const use = words.blocks.find((block) => block.kind === "toolUse" && block.id === call);
  const input = use?.kind === "toolUse" ? use.input : null;
  const reason = typeof input === "object" && input !== null && "reason" in input ? input.reason : null;
  return typeof reason === "string" ? reason.trim() : "";
};

const quoted = (text: string): string =>
  neutralise(Array.from(text).slice(0, MAX_REASON).join(""))
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

const tail = (text: string): string => {
  const points = Array.from(text.slice(-2 * MAX_LIVE));
  return points.length <= MAX_LIVE ? text : `…${points.slice(-MAX_LIVE).join("")}`;
};

/** A code span that no content can leave. */
const code = (text: string): string => `\`${text.replaceAll(/[`\s]+/g, " ")}\``;

const plain = (text: string): string => text.replaceAll(/([\\`*_[\]<>#|~!])/g, "\\$1");

const MARKS: Marks = { code, plain, thread: code };
