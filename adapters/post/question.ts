/**
 * The card of a question. Pure. The host's facts stand above; what the model says of itself is quoted and bounded below
 * them.
 */

import { untrustedText } from "../../src/machine/untrusted.ts";
import { isByCommand } from "../../src/machine/state.ts";
import type { Ask } from "../../src/machine/words.ts";
import type { RenderScene } from "../../src/ports/surface.ts";
import type { Post, PostBody } from "../../src/thread/post.ts";
import { ERASED, type Words } from "../../src/thread/prompt.ts";
import { proposalFacts, proposalIn } from "../../src/thread/proposal.ts";
import type { Cover } from "../../src/thread/question.ts";
import { callReason } from "../../src/thread/spoken.ts";
import { askText, CHOICE_LABELS, coverText, DECIDED, requestText } from "../../src/thread/wording.ts";
import { hostMarks, neutralise, splitMarkdown } from "../text/text.ts";
import type { Dialect, Host } from "./dialect.ts";
import { checkoutText } from "./phrases.ts";

const MAX_REASON = 1_500;
/** Of a held call's dangers: how many are shown, and how much of each. */
const MAX_DANGERS = 3;
const MAX_DANGER = 600;
/** Of each text that would be written to the forge; the console shows the whole. */
const MAX_PROPOSED = 1_500;
/** What a card has room for, whatever the host's facts take. */
const LEAST = 400;

type Question = PostBody & { readonly kind: "question" };

/** `max`: UTF-16 units of lead and text together. */
export const questionContent = (
  post: Post,
  body: Question,
  scene: RenderScene,
  max: number,
  host: Host,
  dialect: Dialect,
): { readonly lead: string; readonly text: string } => {
  const lead = factsOf(post, body, scene, host, dialect);
  const text = wordsOf(body, scene);
  const room = Math.max(LEAST, max - lead.length);
  const [shown = ""] = text === "" ? [] : splitMarkdown(text, { units: "utf16", max: room });
  return { lead, text: text.length <= room ? text : shown };
};

/** Facts of the host alone. */
const factsOf = (
  { at: askedAt }: Post,
  { asker, ask = UPGRADE, untrusted, cover, decision }: Question,
  { words, conversation }: RenderScene,
  { approvers }: Host,
  { marks, code, bold, markdown, time, files }: Dialect,
): string => {
  const who = asker === undefined ? "In " : `Asked for by ${marks.code(asker)}, in `;
  const request = requestText(ask);
  const told = decision === null || time === null ? "" : `, ${time(decision.at, askedAt)}`;
  return [
    `${hostMarks.question} ${bold(markdown(askText(ask, marks)))}`,
    `${who}${checkoutText(conversation, code)}.`,
    ...(request === null ? [] : [request]),
    ...(ask.kind === "write" ? proposalFacts(words.get(ask.shown), code, files) : []),
    untrustedText(untrusted, code),
    ...(decision === null
      ? [coverage(ask, cover, bold, marks.plain), ...(approvers === undefined ? [] : [approvers])]
      : [`${bold(DECIDED[decision.choice])} by ${marks.code(decision.by)}${told}`]),
  ].join("\n");
};

const UPGRADE: Ask = { kind: "upgrade" };

const coverage = (
  ask: Ask,
  cover: Cover | undefined,
  bold: Dialect["bold"],
  plain: (text: string) => string,
): string => {
  switch (ask.kind) {
    case "upgrade":
      return cover !== undefined && cover.refused !== null
        ? plain(coverText(cover))
        : `${bold(CHOICE_LABELS.approve)} covers: ${plain(coverText(cover))} It holds until somebody restricts the conversation again.`;
    case "danger":
      return `${bold(CHOICE_LABELS.once)} covers this one call, ${bold(CHOICE_LABELS.session)} every call of these categories in this thread until the host restarts.`;
    case "mode":
      return `${bold(CHOICE_LABELS.switch)} covers the mode alone: what tools may do stays as it is.`;
    case "write":
      return `${bold(CHOICE_LABELS.approve)} covers exactly this, once. What has changed by then is not written.`;
  }
};

/** The model's reason and, where there is one, what the person who decided added. */
const wordsOf = ({ message, call, ask = UPGRADE, decision }: Question, { words }: RenderScene): string => {
  const comment = decision === null || decision.comment === null ? null : words.get(decision.comment);
  const reason = callReason(words.get(message), call.id)?.trim() ?? ERASED;
  const shown = ask.kind === "danger" || ask.kind === "write" ? words.get(ask.shown) : undefined;
  const added = comment?.kind === "comment" ? comment.text : ERASED;
  return [
    ...(isByCommand(ask) ? [] : [shownText(ask, shown, reason)]),
    ...(comment === null ? [] : [`Added to the decision:\n${quoted(added)}`]),
  ].join("\n\n");
};

const shownText = (ask: Ask, shown: Words | undefined, reason: string): string => {
  switch (ask.kind) {
    case "danger":
      return dangersText(shown);
    case "write":
      return proposedText(shown);
    case "upgrade":
    case "mode":
      return reason === "" ? "The agent gives no reason." : `The agent's reason:\n${quoted(reason)}`;
  }
};

/** What would be written, as the model has it. */
const proposedText = (words: Words | undefined): string =>
  (proposalIn(words)?.texts ?? [{ name: "Text", text: ERASED }])
    .map(({ name, text }) => `${name}:\n${quoted(text.trim(), MAX_PROPOSED)}`)
    .join("\n\n");

/** What a held call would do. */
const dangersText = (words: Words | undefined): string =>
  words?.kind === "dangers"
    ? words.dangers
        .slice(0, MAX_DANGERS)
        .map(({ what, why, risk, changes }) =>
          quoted(
            [
              `What: ${oneLine(what)}`,
              `Why: ${oneLine(why)}`,
              `Risk: ${oneLine(risk)}`,
              `Changes: ${oneLine(changes.join("; "))}`,
            ].join("\n"),
            MAX_DANGER,
          ),
        )
        .join("\n\n")
    : quoted(ERASED);

/** A call's own words begin no line, where they could look like another of these. */
const oneLine = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join(" ⏎ ");

export const quoted = (text: string, max = MAX_REASON): string => {
  const points = Array.from(text);
  const short = points.length <= max ? text : `${points.slice(0, max).join("")} …`;
  return neutralise(short)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
};
