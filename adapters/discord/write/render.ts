/**
 * Posts as messages of a Discord thread. Pure. Quiet by default (design.md 5): what people said makes no message, and of
 * activities only what they changed does. In every question the host's facts stand above, and the model's words below, quoted and bounded. A public
 * thread learns the permission and the commit of an answer; money and tokens stay in the console (issue 6 item 2).
 */

import type { ConversationId } from "../../../src/machine/id.ts";
import type { Permission } from "../../../src/machine/words.ts";
import type { Button, Content, Limits, Piece, Renderer, RenderScene } from "../../../src/ports/surface.ts";
import type { Post, PostBody } from "../../../src/thread/post.ts";
import { answerText, citationsOf } from "../../../src/thread/spoken.ts";
import {
  actionLabel,
  CHOICE_LABELS,
  endedText,
  isOwnAction,
  isWarning,
  maskedText,
  noticeText,
  setUpStatusText,
} from "../../../src/thread/wording.ts";
import {
  agentLines,
  agentsEnded,
  agentsHead,
  changeOf,
  commitLink,
  filePart,
  hostMarks,
  markCitations,
  neutralise,
  type Part,
  sharedFile,
  sizeText,
  sourcesText,
  splitMarkdown,
  stepText,
  withLongCode,
} from "../../text/text.ts";
import { code, MARKS, plain, repoText } from "./render-host.ts";
import { questionText, quoted } from "./render-question.ts";

const MAX_TITLE = 300;
/** Of the line above a diff. */
const MAX_CHANGED = 200;
/** The end of the streamed text that progress shows; the whole of it comes as the answer. */
const MAX_LIVE = 1_500;
/** UTF-16 code units of it once it is harmless. */
const MAX_SHOWN = 3_000;

export const discordRenderer: Renderer = {
  post: (post, scene, limits) =>
    contentsOf(post, scene, limits).map(
      (content, index): Piece => ({ key: `${post.key}#${index}`, content, final: post.final }),
    ),
  progress: ({ status, live, conversation, permission, context }) => ({
    tone: "status",
    text: [
      `${hostMarks.status} ${stepText(status, { code, plain }, agentsHead)}${setUpStatusText(status, code)} · ${badge(permission)}${usedText(context)}`,
      ...(status.agents === undefined ? liveText(live) : [neutralise(agentLines(status.agents))]),
    ].join("\n"),
    buttons: status.actions.map(() => ({ action: "stop", label: "Stop", value: conversation })),
  }),
  refused: (why, { file }, own = false) =>
    notice(
      "warning",
      file === undefined
        ? `A part of this conversation cannot be shown here: ${reasonOf(why, own)}. The console shows it.`
        : `The file ${code(file.name)} could not be attached here: ${reasonOf(why, own)}. The console has it.`,
    ),
  masked: (count) => notice("warning", maskedText(count)),
  repeated: (content) => ({ ...content, text: `*This may be a repeat.*\n\n${content.text}` }),
};

/** The host's own reasons are sentences. */
const reasonOf = (why: string, own: boolean): string =>
  own ? plain(why) : `Discord refused it (${plain(why)})`;

const contentsOf = (post: Post, scene: RenderScene, limits: Limits): readonly Content[] => {
  const { body } = post;
  switch (body.kind) {
    case "user":
      return [];
    case "activity":
      return [...agentsContents(body, scene), ...changeContents(body, scene, limits)];
    case "answer": {
      const words = scene.words.get(body.message);
      return withLongCode(answerText(words), limits.text).flatMap((part) =>
        part.kind === "file"
          ? [attached(part)]
          : splitMarkdown(markCitations(neutralise(part.text), citationsOf(words), scene.conversation), {
              units: "utf16",
              max: limits.text,
            }).map((text): Content => ({ tone: "answer", text, buttons: [] })),
      );
    }
    case "file":
      return [fileContent(body, scene)];
    case "opening":
      return [notice("notice", openingText(body, scene))];
    case "notice":
      return [
        {
          ...notice(isWarning(body.notice) ? "warning" : "notice", noticeText(body.notice, MARKS)),
          buttons: buttonsOf(post, scene.conversation.id),
        },
      ];
    case "summary":
      return summaryContents(post, body, scene, limits);
    case "question":
      return [{ tone: "question", text: questionText(body, scene), buttons: choices(post, scene) }];
    case "footer":
      return [{ tone: "footer", text: footerText(body, scene), buttons: [] }];
  }
};

/** The summary between the host's own words, the buttons below its end (BED-021). */
const summaryContents = (
  post: Post,
  body: PostBody & { readonly kind: "summary" },
  { words, conversation }: RenderScene,
  limits: Limits,
): readonly Content[] => {
  const { head, foot } = endedText(body, MARKS);
  const told =
    body.message === null
      ? []
      : splitMarkdown(neutralise(answerText(words.get(body.message))), { units: "utf16", max: limits.text });
  return [
    notice("warning", head),
    ...told.map((text): Content => ({ tone: "notice", text, buttons: [] })),
    { ...notice("notice", foot), buttons: buttonsOf(post, conversation.id) },
  ];
};

/** What sub-agents came to, where the progress told of them before. */
const agentsContents = (
  body: PostBody & { readonly kind: "activity" },
  { words }: RenderScene,
): readonly Content[] => {
  const ended = agentsEnded(body, words);
  return ended === null
    ? []
    : [notice("notice", [ended.head, neutralise(ended.lines.join("\n"))].join("\n"))];
};

/** PATCH-007: the diff of what a call changed, below one line of the host. */
const changeContents = (
  body: PostBody & { readonly kind: "activity" },
  { words }: RenderScene,
  limits: Limits,
): readonly Content[] => {
  const change = changeOf(body, words, limits.text - MAX_CHANGED, neutralise);
  if (change === null) return [];
  const { path, added, removed, part } = change;
  const line = `Changed ${code(path)} (+${added} −${removed})`;
  return part.kind === "file"
    ? [{ ...notice("notice", line), file: part.file }]
    : [notice("notice", `${line}\n${part.text}`)];
};

const attached = ({ file, size }: Part & { readonly kind: "file" }): Content => ({
  ...notice("notice", `${code(file.name)} (${sizeText(size)})`),
  file,
});

const fileContent = (body: PostBody & { readonly kind: "file" }, { words }: RenderScene): Content => {
  const file = sharedFile(body, words);
  if (file === null) return notice("notice", "A file that stood here was erased.");
  const title = file.title === null ? "" : `\n${quoted(file.title, MAX_TITLE)}`;
  return {
    ...notice("notice", `${code(file.name)} (${sizeText(file.size)})${title}`),
    file: filePart(file),
  };
};

const notice = (mark: "notice" | "warning", text: string): Content => ({
  tone: "notice",
  text: `${hostMarks[mark]} ${text}`,
  buttons: [],
});

const choices = (post: Post, { question }: RenderScene): readonly Button[] =>
  question === null
    ? []
    : post.actions.flatMap((action) =>
        isOwnAction(action) ? [] : [{ action, label: CHOICE_LABELS[action], value: question.wire }],
      );

/** Those that no question is about. */
const buttonsOf = (post: Post, conversation: ConversationId): readonly Button[] =>
  post.actions.flatMap((action) =>
    isOwnAction(action) ? [{ action, label: actionLabel(action, post.body), value: conversation }] : [],
  );

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
  { permission, answer, context }: PostBody & { readonly kind: "footer" },
  { conversation, words }: RenderScene,
): string => {
  const { repo, base } = conversation;
  const commit =
    base === null
      ? ""
      : ` at ${linked(base.commit.slice(0, 9), commitLink(conversation))}${repo.ref === undefined ? ` (${code(base.ref)})` : ""}`;
  const cited = answer === undefined ? undefined : citationsOf(words.get(answer));
  const sources = sourcesText(cited, conversation, ({ text, link }) => linked(text, link));
  return [
    `${hostMarks.footer} ${code(repoText(repo))}${commit}`,
    badge(permission),
    ...(context === undefined ? [] : [`${context} % of context`]),
    ...(sources === null ? [] : [sources]),
  ].join(" · ");
};

const badge = (permission: Permission): string =>
  permission === "restricted" ? "Restricted" : "Unrestricted";

const linked = (text: string, link: string | null): string =>
  link === null ? code(text) : `[${code(text)}](<${link}>)`;

const usedText = (part: number): string => (part < 0.01 ? "" : ` · ${Math.floor(100 * part)} % of context`);

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
