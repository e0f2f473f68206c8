/** Read from stored text on request, so that erased text is missing (TH4). Secrets of known forms are masked. */

import type { Millis } from "../machine/id.ts";
import type { Outcome } from "../machine/transcript.ts";
import type { Call, Permission } from "../machine/vocabulary.ts";
import { maskSecrets } from "../text/secrets/known-forms.ts";
import { callTitle, endText, inputText, type FindCallWording } from "./call-text.ts";
import { firstCodePoints } from "../text/grapheme.ts";
import { type LinkedPage, linkedPagesIn } from "./linked-pages.ts";
import { callInput, ERASED, type TranscriptMessage, type StoredContent } from "./prompt.ts";
import { answerText, givenAnswer } from "./visible-text.ts";
import { NARRATION } from "./turn-post.ts";
import { english, type Label, type Say } from "../i18n/say.ts";
import { durationText } from "./durations.ts";

export interface ListedStep {
  readonly title: string;
  /** Outcome, duration and permission, such as `exit 1 · 4.2 s · Restricted`. */
  readonly facts: string;
  /** Text of the response before the call; empty if there is none or the thread shows it. */
  readonly said: string;
  readonly input: string;
  /** Null while the call has not ended. */
  readonly output: string | null;
}

/** `told`: entries of one turn. `permission`: at the end of the turn. */
export const stepList = (
  told: readonly TranscriptMessage[],
  permission: Permission,
  looks: FindCallWording,
  say: Say = english,
): readonly ListedStep[] => {
  const steps: ListedStep[] = [];
  const answered = new Set(told.flatMap(({ entry }) => (entry.kind === "result" ? [entry.call.id] : [])));
  let response: TranscriptMessage | null = null;
  let since: Millis = 0;
  let allowed = permissionAtFirst(told, permission);
  for (const one of told) {
    const { entry, words } = one;
    if (entry.kind === "said" && words?.kind === "said")
      steps.push(...linkedPagesIn(words).map((page) => pageStep(page, say)));
    if (entry.kind === "notice" && entry.notice.kind === "permission") allowed = entry.notice.to;
    if (entry.kind === "answer") response = one;
    if (entry.kind === "result" && response !== null) {
      const { call, outcome } = entry;
      const took = durationText(Math.max(0, entry.at - since), say);
      const facts = [endText(outcome, say), took, say(BADGES[allowed])];
      steps.push(
        stepOf(
          response,
          call,
          looks,
          facts,
          outputOf(outcome, words, callInput(response.words, call.id), say),
          say,
        ),
      );
    }
    if (entry.kind === "answer" || entry.kind === "result" || entry.kind === "granted") since = entry.at;
  }
  return [...steps, ...open(response, answered, looks, say(BADGES[allowed]), say)];
};

/** A page that the host read before the turn. */
const pageStep = ({ address, outcome }: LinkedPage, say: Say): ListedStep => ({
  title: say("Read {object}", { object: firstCodePoints(address.replace(/^https?:\/\//, ""), MOST_ADDRESS) }),
  facts: say(PAGE_FACTS[outcome.kind]),
  said: "",
  input: address,
  output: outcome.kind === "read" ? maskSecrets(outcome.text) : outcome.kind === "unread" ? outcome.why : "",
});

const MOST_ADDRESS = 80;

const PAGE_FACTS: Readonly<Record<LinkedPage["outcome"]["kind"], Label>> = {
  read: "link in the message",
  known: "read earlier",
  unread: "not read",
};

/** Calls run one at a time (L5), so only the first of the remaining calls has started. */
const open = (
  response: TranscriptMessage | null,
  answered: ReadonlySet<string>,
  looks: FindCallWording,
  allowed: string,
  say: Say,
): readonly ListedStep[] =>
  response?.entry.kind === "answer"
    ? response.entry.calls
        .filter(({ id }) => !answered.has(id))
        .map((call, index) =>
          stepOf(response, call, looks, [say(index === 0 ? "not finished" : "waiting"), allowed], null, say),
        )
    : [];

export const BADGES: Readonly<Record<Permission, Label>> = {
  restricted: "Restricted",
  unrestricted: "Unrestricted",
};

const permissionAtFirst = (told: readonly TranscriptMessage[], atLast: Permission): Permission => {
  const [first] = told.flatMap(({ entry }) =>
    entry.kind === "notice" && entry.notice.kind === "permission" ? [entry.notice.to] : [],
  );
  if (first === undefined) return atLast;
  return first === "unrestricted" ? "restricted" : "unrestricted";
};

const stepOf = (
  response: TranscriptMessage,
  call: Call,
  looks: FindCallWording,
  facts: readonly string[],
  output: string | null,
  say: Say,
): ListedStep => {
  const words = response.words ?? undefined;
  const input = callInput(words, call.id);
  return {
    title: maskSecrets(callTitle({ look: looks(call.name), name: call.name, input }, say)),
    facts: facts.filter((fact) => fact !== "").join(" · "),
    said: saidBefore(response, call),
    input: words?.kind === "answer" ? maskSecrets(inputText(input)) : say(ERASED),
    output,
  };
};

/** Empty unless the call is the first of its response. */
const saidBefore = ({ entry, words }: TranscriptMessage, call: Call): string =>
  entry.kind === "answer" && entry.text > 0 && entry.text <= NARRATION && entry.calls[0]?.id === call.id
    ? maskSecrets(answerText(words ?? undefined).trim())
    : "";

const outputOf = (outcome: Outcome, words: StoredContent | null, input: unknown, say: Say): string => {
  switch (outcome.kind) {
    case "host":
      return outcome.ask?.kind === "person" && outcome.decision !== null
        ? maskSecrets(givenAnswer(outcome.ask, outcome.decision, words, input, say) || outcome.text)
        : outcome.text;
    case "mode":
      return say("Work mode: {mode}", { mode: outcome.mode });
    case "ran":
      return words?.kind === "result" ? maskSecrets(words.text.replace(FAILED, "")) : say(ERASED);
  }
};

/** Removed from the output, because the facts of the step contain the exit code. */
const FAILED = /^\[command failed: exit code \d+\]\n/;
