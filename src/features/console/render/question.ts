/** The pending question for the API: the host's facts first, the model's reason separate. Pure. */

import type { MessageId } from "../../../machine/id.ts";
import { askerOf, askOf, isWithoutCall } from "../../../machine/state.ts";
import { untrustedRead } from "../../../machine/provenance.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import type { QuestionSpec } from "../../../machine/vocabulary.ts";
import { maskSecrets } from "../../../text/secrets/known-forms.ts";
import type { Overview } from "../../../ports/bot.ts";
import type { QuestionRow } from "../../../ports/store.ts";
import { choiceLabels } from "../../../thread/person-question.ts";
import { callInput, type Proposal, type StoredContent } from "../../../thread/prompt.ts";
import { ownersText } from "../../../thread/owners.ts";
import { draftFacts, proposalIn, proposalShownBy, proposedPlace } from "../../../thread/proposal.ts";
import { answersTo, batchesOf, commentsLeft, coverOf, coverText } from "../../../thread/question.ts";
import { callCommand, dangerPrompt } from "../../../thread/visible-text.ts";
import { batchLabel, choiceLabel, leaveOutLabel, requestText } from "../../../thread/wording.ts";
import type { Say } from "../../../i18n/say.ts";
import { spellInvisible } from "../../../text/invisible.ts";
import { excerpt } from "./excerpt.ts";
import { questionReason } from "./render-words.ts";
import { locationsOf } from "../../../ports/conversation.ts";
import type { WireQuestion, WireResult } from "./api-types.ts";

/**
 * Messages with the texts that the pending question needs: the reason, and the displayed parts of a held
 * call.
 */
export const questionLabels = ({ state }: Overview): readonly MessageId[] => {
  if (state.phase.kind !== "awaitingApproval") return [];
  const { question } = state.phase;
  return [question.message, ...proposalShownBy(askOf(question))];
};

/**
 * Details of a question. For a held call: the first category, its prompt, and all missing categories (Phase
 * 5). For a write or a finished draft: the proposal.
 */
export const proposalTextOf = (
  ask: QuestionSpec,
  words: ReadonlyMap<MessageId, StoredContent>,
  say: Say,
): Pick<WireQuestion, "details" | "proposal"> => {
  if (ask.kind === "danger") {
    const { categories } = ask;
    const prompt = dangerPrompt(words.get(ask.shown));
    const category = categories[0] ?? "EXEC_ARBITRARY";
    return { details: { category, required_categories: categories, prompt } };
  }
  const proposal = ask.kind === "write" || ask.kind === "result" ? proposalIn(words.get(ask.shown)) : null;
  if (proposal === null) return {};
  const { draft, facts, owners, similar = [], ...rest } = proposal;
  const marks = { code: (text: string) => text, say };
  const lines = [
    ...(draft === undefined ? [] : draftFacts(draft, marks, MAX_TOLD)),
    ...(owners === undefined ? [] : [ownersText(owners, marks)]),
  ];
  // The details contain the draft itself; the host's sentences about the draft are facts of the proposal.
  const told = lines.map((line) => ({ name: say("The host says"), value: line }));
  const alike = similar.map(({ name, title, state, url }) => ({
    name: say("Similar issue"),
    value: `${name} ${title} (${state}) ${url}`,
  }));
  return {
    ...omitUndefined({ details: draft && resultOf(proposal.files, draft) }),
    proposal: {
      ...rest,
      texts: [...rest.texts, ...commentTexts(ask, rest, say)],
      facts: [...alike, ...facts, ...told],
    },
  };
};

/** The comments of a review that people have not removed, in full. */
const commentTexts = (
  ask: QuestionSpec,
  { review }: Pick<Proposal, "review">,
  say: Say,
): Proposal["texts"] => {
  const left = commentsLeft(ask);
  return (review?.comments ?? []).flatMap((comment, index) => {
    const number = index + 1;
    const place = spellInvisible(proposedPlace(comment));
    return left.includes(number)
      ? [
          {
            name: say("Comment {number} on {place}:", { number, place }),
            text: `${comment.code.trim()}\n\n${comment.text}`,
          },
        ]
      : [{ name: say("Comment {number} on {place}: removed.", { number, place }), text: "" }];
  });
};

const commandText = (words: StoredContent | undefined, call: string): string | undefined => {
  const command = callCommand(words, call);
  return command === null ? undefined : maskSecrets(command);
};

const resultOf = (files: Proposal["files"], draft: NonNullable<Proposal["draft"]>): WireResult => {
  const { tree, base, test, diff, commits } = draft;
  return {
    tree,
    base,
    files: files.map(({ change = "changed", ...file }) => ({ ...file, change })),
    test: test === null ? null : { ...test, tail: maskSecrets(test.tail) },
    diff: excerpt(diff, MAX_DIFF),
    commits,
  };
};

/** Maximum number of characters of a displayed diff. */
const MAX_DIFF = 60_000;

/** Maximum number of names in one line. */
const MAX_TOLD = 20;

/** Null unless the conversation waits for exactly this question. */
export const wireQuestion = (
  { conversation, state }: Overview,
  row: QuestionRow | null,
  words: ReadonlyMap<MessageId, StoredContent>,
  say: Say,
): WireQuestion | null => {
  const { phase } = state;
  if (phase.kind !== "awaitingApproval" || row === null || row.question !== phase.question.id) return null;
  const { question } = phase;
  const ask = askOf(question);
  return {
    id: row.wire,
    kind: question.kind,
    reason: isWithoutCall(ask) ? "" : questionReason(words.get(question.message), phase.call.id),
    choices: [
      ...choiceLabels(ask, callInput(words.get(question.message), phase.call.id), say).map(
        (label, index) => ({ id: "choose" as const, label, option: index + 1 }),
      ),
      ...answersTo(state, ask).map((choice) => ({ id: choice, label: choiceLabel(choice, ask, say) })),
      ...batchesOf(ask).map((commits) => ({
        id: "apply" as const,
        label: batchLabel(commits, say),
        commits,
      })),
      ...commentsLeft(ask).map((option) => ({
        id: "leave_out" as const,
        label: leaveOutLabel(option, say),
        option,
      })),
    ],
    ...proposalTextOf(ask, words, say),
    ...omitUndefined({
      command: ask.kind === "danger" ? commandText(words.get(question.message), phase.call.id) : undefined,
    }),
    ...omitUndefined({ mode: question.kind === "mode" ? question.mode : undefined }),
    facts: {
      askedBy: askerOf(state),
      repo: locationsOf(conversation.repo),
      commit: conversation.base?.commit ?? null,
      ...omitUndefined({ request: requestText(ask, say) ?? undefined }),
      covers: coverText(coverOf(state), say),
      untrusted: untrustedRead(state.untrusted, (host) => host, say),
    },
    askedAt: row.askedAt,
  };
};
