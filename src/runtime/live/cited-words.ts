/** Checks the citations and links of an answer once, so that every surface shows the same result (L12). */

import type { Base, Conversation } from "../../ports/conversation.ts";
import type { Citations } from "../../ports/workspaces.ts";
import { type Citation, citationKey, type ParsedCitation } from "../../text/citation.ts";
import { mentionsOf } from "../../text/mentions.ts";
import type { Linkable } from "../../thread/linkable.ts";
import type { AnswerBlock, StoredContent } from "../../thread/prompt.ts";
import { answerText } from "../../thread/visible-text.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export const citedWords = async (
  citations: Citations,
  conversation: Conversation,
  base: Base,
  blocks: readonly AnswerBlock[],
  linkable: Linkable,
): Promise<StoredContent> => {
  const text = answerText({ kind: "answer", blocks });
  const links = /:\/\//.test(text) ? { links: linkable(text) } : {};
  const words = { kind: "answer", blocks, ...links } as const;
  const cited = distinct(text);
  if (cited.length === 0) return words;
  const checked = withoutParts(text, await citations.check(conversation, base, cited));
  return checked.length === 0 ? words : { ...words, citations: checked };
};

/** Removes citations that are only parts of longer names of existing files (39.B4). */
const withoutParts = (text: string, checked: readonly Citation[]): readonly Citation[] => {
  const there = new Set(
    checked.filter(({ status }) => status === "found" || status === "changed").map(citationKey),
  );
  const own = new Set(
    mentionsOf(text).flatMap((one) =>
      one.within !== undefined && there.has(one.within) ? [] : [citationKey(one)],
    ),
  );
  return checked.filter((one) => own.has(citationKey(one)));
};

export const distinct = (text: string): readonly ParsedCitation[] => [
  ...new Map(
    mentionsOf(text).map(({ path, from, to, certain, quote }) => {
      const cited = { path, from, to, certain, ...omitUndefined({ quote }) };
      return [`${citationKey(cited)} ${quote ?? ""}`, cited];
    }),
  ).values(),
];
