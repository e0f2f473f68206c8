/** What a person is asked. Pure. The host's facts are above; what the model says of itself is quoted below them. */

import type { MessageId } from "../../../src/machine/id.ts";
import { isByCommand } from "../../../src/machine/state.ts";
import { untrustedText } from "../../../src/machine/untrusted.ts";
import type { Ask } from "../../../src/machine/words.ts";
import type { RenderScene } from "../../../src/ports/surface.ts";
import type { PostBody } from "../../../src/thread/post.ts";
import { type DangerWords, ERASED, type Words } from "../../../src/thread/prompt.ts";
import { proposalFacts, proposalIn } from "../../../src/thread/proposal.ts";
import { callReason } from "../../../src/thread/spoken.ts";
import { askText, coverText, DECIDED, requestText } from "../../../src/thread/wording.ts";
import { hostMarks, neutralise, splitMarkdown } from "../../text/text.ts";
import { code, MARKS, plain, repoText } from "./render-host.ts";

const MAX_REASON = 1_200;
const MAX_DETAIL = 400;
const MAX_CHANGES = 3;
/** Files that are named, and characters of each text that would be written; the console shows the whole. */
const MAX_FILES = 5;
const MAX_PROPOSED = 700;

export const questionText = (
  {
    message,
    call,
    asker,
    ask = { kind: "upgrade" },
    untrusted,
    cover,
    decision,
  }: PostBody & { readonly kind: "question" },
  { words, conversation }: RenderScene,
): string => {
  const { base, repo } = conversation;
  const commit = base === null ? "" : ` at ${code(base.commit.slice(0, 9))}`;
  const who = asker === undefined ? "" : `Asked for by ${MARKS.code(asker)}, in `;
  const verdict = decision === null ? [] : [`${DECIDED[decision.choice]} by ${MARKS.code(decision.by)}.`];
  const request = requestText(ask);
  const reason = isByCommand(ask) ? "" : (callReason(words.get(message), call.id)?.trim() ?? ERASED);
  const added = decision === null || decision.comment === null ? null : words.get(decision.comment);
  return [
    `${hostMarks.question} **${askText(ask, MARKS)}**`,
    [
      `${who}${code(repoText(repo))}${commit}`,
      untrustedText(untrusted, code),
      ...(request === null ? [] : [request]),
      ...(ask.kind === "write" ? proposalFacts(words.get(ask.shown), code, MAX_FILES) : []),
      ...(ask.kind === "upgrade" && decision === null ? [plain(coverText(cover))] : []),
      ...verdict,
    ].join("\n"),
    ...shownOf(ask, words),
    ...(reason === "" || ask.kind === "write" ? [] : [`The agent says:\n${quoted(reason, MAX_REASON)}`]),
    ...(added === null
      ? []
      : [`Added to the decision:\n${quoted(added?.kind === "comment" ? added.text : ERASED, MAX_REASON)}`]),
  ].join("\n\n");
};

/** What the host found in the held call, in its own words but for the command, which is the model's. */
const shownOf = (ask: Ask, words: ReadonlyMap<MessageId, Words>): readonly string[] => {
  if (ask.kind === "write") return proposedTexts(words.get(ask.shown));
  if (ask.kind !== "danger") return [];
  const shown = words.get(ask.shown);
  const dangers = shown?.kind === "dangers" ? shown.dangers : [];
  return dangers.length === 0 ? [ERASED] : dangers.slice(0, MAX_CHANGES).map(dangerText);
};

/** What would be written, as the model has it. */
const proposedTexts = (shown: Words | undefined): readonly string[] =>
  (proposalIn(shown)?.texts ?? []).map(({ name, text }) => `${name}:\n${quoted(text.trim(), MAX_PROPOSED)}`);

const dangerText = ({ what, why, risk, changes }: DangerWords): string =>
  [
    quoted(what, MAX_DETAIL),
    quoted(`Why it is held: ${why}`, MAX_DETAIL),
    quoted(`Risk: ${risk}`, MAX_DETAIL),
    ...changes.slice(0, MAX_CHANGES).map((change) => quoted(`Changes: ${change}`, MAX_DETAIL)),
  ].join("\n");

/** Bounded before and after it is made harmless, which may lengthen it. */
export const quoted = (text: string, most: number): string => {
  const short = Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join("");
  const [shown = ""] = splitMarkdown(neutralise(short), { units: "utf16", max: most });
  return shown
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
};
