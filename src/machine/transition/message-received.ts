/** A person writes a message, or asks for another attempt (BED-002, BED-006.4). */

import { isFull } from "../context.ts";
import { beginSummary } from "../continuation.ts";
import type { Effect } from "../effect.ts";
import type { Event } from "../event.ts";
import type { Millis } from "../id.ts";
import { answerPersonQuestion, mayAnswer, personQuestionIn } from "../person-question.ts";
import { busyRefusal } from "../refusal.ts";
import { onNoted } from "./permission.ts";
import { isPaused, isRefused, mayBegin, speakerWithRightsOf, type State } from "../state.ts";
import { withTemporaryModel, offeredModel, canTakeOver } from "../model-fallback.ts";
import {
  addedEntries,
  askByItself,
  beginTurn,
  entryAt,
  noteEntry,
  refusedStep,
  beginThinking,
} from "../step.ts";
import type { Step, Transition } from "../step.ts";
import type { Entry } from "../transcript.ts";
import { withQuoted } from "../provenance.ts";
import type { ModelChoice, QuotedContent, Speaker, Utterance } from "../vocabulary.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export const onMessageReceived = (state: State, event: Event & { kind: "said" }): Transition => {
  const asked = personQuestionIn(state);
  if (asked !== null && isAnswer(state, event)) return answerInWriting(state, asked, event);
  const busy = busyRefusal(state.phase);
  if (busy !== null) return refusedStep(busy);
  if (!mayBegin(state, event.speaker)) return refusedStep("not_confined");
  const other = event.model !== undefined && canTakeOver(state, event.model) ? event.model : undefined;
  return begin(state, event, event.at, [], [], other);
};

/** People who review the answers of a turn see its questions in their own channel, so a message in the thread answers none. */
const isAnswer = (state: State, { speaker }: Utterance): boolean =>
  state.turn.reviewed === undefined && mayAnswer(state, speaker);

const answerInWriting = (
  state: State,
  asked: NonNullable<ReturnType<typeof personQuestionIn>>,
  event: Event & { kind: "said" },
): Transition => {
  const { at, speaker: by, message: comment } = event;
  return answerPersonQuestion(withFilesDuringTurn(state, event), asked, { at, by, choice: "reply", comment });
};

/** `append` and `effects` are left over from the previous turn and come first. */
export const begin = (
  state: State,
  { message, speaker, images, quoted, reviewed }: Utterance,
  at: Millis,
  append: readonly Entry[] = [],
  effects: readonly Effect[] = [],
  other?: ModelChoice,
): Step => {
  const looked = omitUndefined({ reviewed });
  const { turn, ...rest } = beginTurn(withFilesOf(state, quoted, speaker), speaker, at);
  const { reviewed: _, ...fresh } = turn;
  const own: State = { ...rest, turn: { ...fresh, ...looked } };
  const begun = other === undefined ? own : withTemporaryModel(own, other);
  const told = entryAt(begun, at, { kind: "said", message, speaker, images, ...looked });
  return beginThinking(begun, [...append, ...addedEntries(state), told], 0, effects);
};

/** Files of an earlier speaker become untrusted content, and files of this speaker are trusted like the speaker's text (D54). */
export const withFilesOf = (state: State, quoted: QuotedContent | undefined, { id: by }: Speaker): State => {
  const { ownFiles, ...rest } = state;
  const isSame = ownFiles?.by === by;
  const others = ownFiles === undefined || isSame ? 0 : ownFiles.count;
  const count = (isSame ? ownFiles.count : 0) + (quoted?.own ?? 0);
  const files = { messages: 0, previews: 0, files: others, pictures: 0 };
  const read = withQuoted(others === 0 ? rest : withQuoted(rest, files), quoted);
  return count === 0 ? read : { ...read, ownFiles: { by, count } };
};

/** Files of the requester are trusted like the requester's text; files of another person are untrusted content (D54). */
export const withFilesDuringTurn = (state: State, { quoted, speaker }: Utterance): State => {
  if (speaker.id === state.turn.speaker?.id) return withFilesOf(state, quoted, speaker);
  const { own = 0, ...others } = quoted ?? NO_QUOTES;
  return own === 0 ? withQuoted(state, quoted) : withQuoted(state, { ...others, files: others.files + own });
};

const NO_QUOTES: QuotedContent = { messages: 0, previews: 0, files: 0, pictures: 0 };

export const onRetry = (state: State, event: Event & { kind: "retried" }): Transition => {
  const busy = busyRefusal(state.phase);
  if (busy !== null) return refusedStep(busy);
  const speaker = speakerWithRightsOf(state, event.speaker);
  if (!mayBegin(state, speaker)) return refusedStep("not_confined");
  const other = event.other === true ? offeredModel(state) : undefined;
  if (!mayRetry(state) || other === null) return refusedStep("no_op");
  const again = beginTurnAgain(state, speaker, event.at);
  const begun = other === undefined ? again : withTemporaryModel(again, other);
  const noted = state.turn.reused === true ? [noteEntry(begun, event.at, "askAnew")] : [];
  return isFull(begun.context) ? beginSummary(begun, [], []) : beginThinking(begun, noted);
};

/** The turn continues the requests of the turn before, so their authors remain barred by the two-person rule. */
const beginTurnAgain = (state: State, speaker: Speaker, at: Millis): State => {
  const { turn, ...rest } = beginTurn(state, speaker, at);
  return { ...rest, turn: { ...turn, ...omitUndefined({ authors: state.turn.authors }) } };
};

/** Shows the agent's upgrade card while no turn runs. The question ends with its answer. */
export const onUpgradeRequested = (state: State, event: Event & { kind: "upgradeAsked" }): Transition => {
  const { by, message, at } = event;
  const busy = busyRefusal(state.phase);
  if (busy !== null) return refusedStep(busy);
  if (state.permission === "unrestricted") return refusedStep("already_unrestricted");
  if (isRefused(state)) return refusedStep("no_unrestricted");
  if (!by.mayDrive) return refusedStep("may_not_drive");
  if (isPaused(state) && !by.mayApprove) return refusedStep("paused");
  const ask = {
    kind: "upgrade",
    from: { how: "command", by: by.id },
    ...omitUndefined({ on: event.on }),
  } as const;
  const call = { id: `host-${state.seq}`, name: "request_mode_upgrade", intent: "upgrade" } as const;
  return askByItself(by.mayApprove ? { ...state, denials: [] } : state, { at, message }, call, ask);
};

/** Ends the pause after denials and lets the agent ask: in the current turn, otherwise in a new turn of the last speaker. */
export const onPauseEnded = (state: State, event: Event & { kind: "askedAgain" }): Transition => {
  if (!event.by.mayApprove) return refusedStep("not_allowed");
  if (!mayAskAgain(state)) return refusedStep("no_op");
  const open: State = { ...state, denials: [] };
  if (busyRefusal(state.phase) !== null) return onNoted(open, "askAgain", event.at);
  const begun = beginTurnAgain(open, speakerWithRightsOf(state, event.by), event.at);
  return isFull(begun.context)
    ? beginSummary(begun, [], [])
    : beginThinking(begun, [noteEntry(begun, event.at, "askAgain")]);
};

export const mayAskAgain = (state: State): boolean => {
  const { phase, turn } = state;
  if (!isPaused(state) || phase.kind === "exhausted" || phase.kind === "ended") return false;
  return busyRefusal(phase) !== null || (turn.speaker !== null && mayBegin(state, turn.speaker));
};

/** A failed or interrupted turn left the transcript without an answer, and a reused answer can be replaced. */
export const mayRetry = (state: State): boolean => {
  const { phase, turn } = state;
  const waits =
    phase.kind === "failed" ||
    (phase.kind === "idle" &&
      (turn.end?.why === "interrupted" || turn.end?.why === "failed" || turn.reused === true));
  return waits && (turn.speaker === null || mayBegin(state, turn.speaker));
};
