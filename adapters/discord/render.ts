/**
 * Posts as messages of a Discord thread. Pure. Quiet by default (design.md 5): activities and what people said make no
 * message. In every question the host's facts stand above, and the model's words below, quoted and bounded. A public
 * thread learns the permission and the commit of an answer; money and tokens stay in the console (issue 6 item 2).
 */

import type { ConversationId } from "../../src/core/id.ts";
import type { Post, PostBody, Status } from "../../src/core/view.ts";
import { CHOICE_LABELS, noticeText } from "../../src/core/wording.ts";
import type {
  Button,
  Content,
  Limits,
  Piece,
  Renderer,
  RenderScene,
} from "../../src/runtime/ports-surface.ts";
import { neutralise, splitMarkdown } from "../text.ts";
import { hostMarks } from "../text/marks.ts";
import { code, MARKS, plain, repoText } from "./render-host.ts";
import { questionText } from "./render-question.ts";

/** The end of the streamed text that progress shows; the whole of it comes as the answer. */
const MAX_LIVE = 1_500;
/** UTF-16 code units of it once it is harmless. */
const MAX_SHOWN = 3_000;

export const discordRenderer: Renderer = {
  post: (post, scene, limits) =>
    contentsOf(post, scene, limits).map(
      (content, index): Piece => ({ key: `${post.key}#${index}`, content, final: post.final }),
    ),
  progress: ({ status, live, conversation }) => ({
    tone: "status",
    text: [`${hostMarks.status} ${statusText(status)}`, ...liveText(live)].join("\n"),
    buttons: status.actions.map(() => ({ action: "stop", label: "Stop", value: conversation })),
  }),
  refused: (why) =>
    notice(
      "warning",
      `A part of this conversation cannot be shown here: Discord refused it (${plain(why)}). The console shows it.`,
    ),
  repeated: (content) => ({ ...content, text: `*This may be a repeat.*\n\n${content.text}` }),
};

const contentsOf = (post: Post, scene: RenderScene, limits: Limits): readonly Content[] => {
  const { body } = post;
  switch (body.kind) {
    case "user":
    case "activity":
      return [];
    case "answer":
      return splitMarkdown(neutralise(answerText(body, scene)), { units: "utf16", max: limits.text }).map(
        (text) => ({ tone: "answer", text, buttons: [] }),
      );
    case "opening":
      return [notice("notice", openingText(body, scene))];
    case "notice":
      return [
        {
          ...notice(isBad(body) ? "warning" : "notice", noticeText(body.notice, MARKS)),
          buttons: retryButtons(post, scene.conversation.id),
        },
      ];
    case "question":
      return [{ tone: "question", text: questionText(body, scene), buttons: choices(post, scene) }];
    case "footer":
      return [{ tone: "footer", text: footerText(body, scene), buttons: [] }];
  }
};

const notice = (mark: "notice" | "warning", text: string): Content => ({
  tone: "notice",
  text: `${hostMarks[mark]} ${text}`,
  buttons: [],
});

const isBad = ({ notice: { kind } }: PostBody & { readonly kind: "notice" }): boolean =>
  kind === "failed" || kind === "interrupted" || kind === "cut";

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
  return `Working on ${code(repoText(conversation.repo))}. ${missing}${held}`;
};

/** The version that the answer is about, for everybody who reads along. */
const footerText = (
  { permission }: PostBody & { readonly kind: "footer" },
  { conversation: { repo, base } }: RenderScene,
): string => {
  const commit = base === null ? "" : ` at ${code(base.commit.slice(0, 9))} (${code(base.ref)})`;
  const held = permission === "restricted" ? "Restricted" : "Unrestricted";
  return `${hostMarks.footer} ${code(repoText(repo))}${commit} · ${held}`;
};

const statusText = ({ kind, tool, wait }: Status): string => {
  switch (kind) {
    case "thinking":
      return "Thinking";
    case "retrying":
      return `Trying again soon: ${plain(wait?.failure.message ?? "")}`;
    case "running":
      return `Running ${code(tool ?? "")}`;
    case "stopping":
      return "Stopping";
  }
};

const answerText = ({ message }: PostBody & { readonly kind: "answer" }, { words }: RenderScene): string => {
  const found = words.get(message);
  return found?.kind === "answer"
    ? found.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("")
    : "[erased]";
};

/** Cut in front, so a fence may begin inside: what is shown is made harmless after the cut. */
const liveText = (live: string): readonly string[] => {
  if (live === "") return [];
  const points = Array.from(live.slice(-2 * MAX_LIVE));
  const tail =
    live.length <= MAX_LIVE
      ? live
      : `…${points
          .slice(-MAX_LIVE)
          .join("")
          .replace(/^\S{0,40}\s/u, "")}`;
  return splitMarkdown(neutralise(tail), { units: "utf16", max: MAX_SHOWN }).slice(-1);
};
