/** The texts that an approved write would send. Pure. Texts, paths and lines are quoted, because others wrote them. */

import type { QuestionSpec } from "../../src/machine/vocabulary.ts";
import type { FilePart } from "../../src/ports/surface.ts";
import {
  ERASED,
  type Proposal,
  type ProposedComment,
  type ProposedReview,
  type StoredContent,
} from "../../src/thread/prompt.ts";
import { proposalIn, proposedPlace } from "../../src/thread/proposal.ts";
import type { Say } from "../../src/i18n/say.ts";
import { spellInvisibleInProse } from "../../src/text/invisible.ts";
import { codeSpan } from "../text/code.ts";
import { quoteText } from "./quote.ts";

/** Maximum characters of each text; the console displays all of it. */
const MAX_PROPOSED = 1_500;
/** Maximum characters of a comment on the card; the attached file has all of them. */
const MAX_COMMENT = 600;
const MAX_CODE = 120;

export const proposedText = (
  { review }: QuestionSpec & { readonly kind: "write" },
  words: StoredContent | undefined,
  say: Say,
): string =>
  [
    ...(proposalIn(words)?.texts ?? [{ name: "Text", text: say(ERASED) }]).map(
      ({ name, text }) => `${say.stored(name)}:\n${quoteText(text.trim(), MAX_PROPOSED)}`,
    ),
    ...reviewTexts(proposalIn(words)?.review, review?.leftOut ?? [], say),
  ].join("\n\n");

const reviewTexts = (
  review: ProposedReview | undefined,
  leftOut: readonly number[],
  say: Say,
): readonly string[] =>
  (review?.comments ?? []).map((comment, index) => {
    const number = index + 1;
    const place = codeSpan(proposedPlace(comment)) ?? say("a long path");
    if (leftOut.includes(number)) return say("Comment {number} on {place}: removed.", { number, place });
    const code = codeSpan(comment.code.trim().slice(0, MAX_CODE));
    return [
      say("Comment {number} on {place}:", { number, place }),
      ...(code === null ? [] : [`> ${code}`]),
      quoteText(comment.text.trim(), MAX_COMMENT),
    ].join("\n");
  });

/** The whole review, if the card has no room for it; null for another write. */
export const reviewFile = (proposal: Proposal | null, say: Say): FilePart | null => {
  if (proposal?.review === undefined) return null;
  const texts = [
    ...proposal.texts.map(({ name, text }) => `${say.stored(name)}:\n\n${text}`),
    ...proposal.review.comments.map(wholeComment),
  ];
  return {
    name: "review.md",
    title: say("The whole review"),
    mediaType: "text/markdown",
    source: { kind: "text", text: spellInvisibleInProse(`${texts.join("\n\n---\n\n")}\n`) },
  };
};

const wholeComment = (comment: ProposedComment, index: number): string =>
  [`${index + 1}. ${proposedPlace(comment)}`, `    ${comment.code}`, comment.text].join("\n\n");
