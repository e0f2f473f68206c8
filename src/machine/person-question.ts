/**
 * A question of the model to people (D53). The requester or an approver answers it once, with a choice or in writing. The answer
 * grants nothing; the rights of the person who answers limit the rest of the turn (D1).
 */

import type { Millis } from "./id.ts";
import { speakerOrigin } from "./provenance.ts";
import { heldRoundOf, runNextCall } from "./round.ts";
import { askOf, type AwaitingApproval, mayBegin, speakerWithRightsOf, type State } from "./state.ts";
import { entryAt, refusedStep, type Transition } from "./step.ts";
import type { Decision } from "./transcript.ts";
import type { QuestionSpec, Speaker } from "./vocabulary.ts";
import { omitUndefined } from "../text/omit-undefined.ts";

type PersonQuestion = AwaitingApproval & { readonly question: { readonly kind: "person" } };

interface PersonAnswer extends Pick<Decision, "choice" | "comment" | "option"> {
  readonly at: Millis;
  readonly by: Speaker;
}

/** The question in the phase; null if the phase waits for something else. */
export const personQuestionIn = ({ phase }: State): PersonQuestion | null => {
  if (phase.kind !== "awaitingApproval") return null;
  const { question } = phase;
  return question.kind === "person" ? { ...phase, question } : null;
};

/** A watch that started the turn wrote no message and cannot answer. */
export const mayAnswer = ({ turn }: State, by: Speaker): boolean =>
  speakerOrigin(by) !== "event" && (by.mayApprove || by.id === turn.speaker?.id);

export const answerPersonQuestion = (
  state: State,
  phase: PersonQuestion,
  { at, by, choice, comment, option }: PersonAnswer,
): Transition => {
  if (!mayAnswer(state, by)) return refusedStep("not_asked");
  if (!mayBegin(state, by)) return refusedStep("not_confined");
  const { question, call } = phase;
  const isChoice = choice === "choose";
  if (isChoice && !isOffered(question, option)) return refusedStep("wrong_choice");
  if (!isChoice && comment === null) return refusedStep("no_words");
  const given = isChoice ? omitUndefined({ option }) : {};
  const decision: Decision = { choice, by: by.id, at, comment: isChoice ? null : comment, ...given };
  const ask = askOf(question);
  const text = answeredText(state, ask, { by, ...given });
  const entry = entryAt(state, at, {
    kind: "result",
    call,
    outcome: { kind: "host", text, isError: false, decision, ask },
    // The model wrote the text of the choices.
    origin: isChoice ? "host" : speakerOrigin(by),
  });
  const { turn } = state;
  // Written words are a part of the request, so the two-person rule counts their author.
  const isAuthor = !isChoice && by.id !== turn.speaker?.id;
  const authors = isAuthor ? [...new Set([...(turn.authors ?? []), by.id])] : turn.authors;
  const limited: State = {
    ...state,
    turn: { ...turn, speaker: speakerWithRightsOf(state, by), ...omitUndefined({ authors }) },
  };
  return runNextCall(limited, heldRoundOf(phase), at, [entry]);
};

const isOffered = ({ choices }: { readonly choices: number }, option: number | undefined): boolean =>
  option !== undefined && Number.isInteger(option) && option >= 1 && option <= choices;

/** For the model. The name is quoted, because the person chose it. */
const answeredText = (
  { turn }: State,
  ask: QuestionSpec,
  { by, option }: Pick<PersonAnswer, "by" | "option">,
): string => {
  const role = by.id === turn.speaker?.id ? "the person who asked" : "an approver";
  const rights = by.mayDrive ? "" : ", without write permission";
  const who = `${JSON.stringify(by.name ?? by.id)} (${role}${rights})`;
  if (ask.kind === "person" && ask.plan === true)
    return option === undefined
      ? `${who} wants the plan changed and writes:`
      : `${who} accepts the plan: go ahead. This grants no permission.`;
  return option === undefined ? `${who} answers in writing:` : `${who} chooses answer ${option}:`;
};
