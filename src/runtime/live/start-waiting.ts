/** Reads the author's rights again before a waiting message starts (D2). An unanswered read is repeated, so no message is lost. */

import type { Effect } from "../../machine/effect.ts";
import type { EventKind } from "../../machine/event.ts";
import type { Millis } from "../../machine/id.ts";
import { startable } from "../../machine/transition/later-messages.ts";
import { mayBegin } from "../../machine/state.ts";
import type { LaterMessage, Utterance } from "../../machine/vocabulary.ts";
import type { AuthorNow, Authors } from "../../ports/authors.ts";
import { type Ambient, pause } from "../../ports/host.ts";
import type { Live } from "./conversation.ts";
import { deliveredEvent } from "./mailbox.ts";

/** Delay between reads, doubled after each one up to LONGEST_WAIT. */
const WAIT: Millis = 1_000;
const LONGEST_WAIT: Millis = 15_000;

export interface StartWaitingDeps extends Pick<Ambient, "clock"> {
  readonly authors?: Authors;
  readonly reviewedIn: (live: Live) => Pick<Utterance, "reviewed">;
  /** False if the conversation or the host is about to stop work. */
  readonly mayStart: (live: Live) => boolean;
}

export const startWaiting = async (
  deps: StartWaitingDeps,
  live: Live,
  { message }: Effect & { readonly kind: "startWaiting" },
  signal: AbortSignal,
): Promise<void> => {
  for (let tries = 0; !signal.aborted; tries += 1) {
    const waiting = startable(live.state());
    if (waiting?.message !== message) return;
    const author = await authorOf(deps, live, waiting);
    if (signal.aborted || !deps.mayStart(live)) return;
    if (author.kind !== "unread")
      return live.post({
        ...deliveredEvent(answerTo(deps, live, message, author)),
        actor: waiting.speaker.id,
      });
    await pause(deps.clock, Math.min(LONGEST_WAIT, WAIT * 2 ** tries), signal);
  }
};

const authorOf = async (
  { authors }: StartWaitingDeps,
  live: Live,
  { speaker }: LaterMessage,
): Promise<AuthorNow> => {
  if (live.state().phase.kind === "exhausted") return { kind: "refused", why: "context_exhausted" };
  if (live.conversation().archived === true) return { kind: "refused", why: "archived" };
  return (await authors?.author(live.state().id, speaker)) ?? { kind: "speaker", speaker };
};

const answerTo = (
  { reviewedIn }: StartWaitingDeps,
  live: Live,
  message: LaterMessage["message"],
  author: Exclude<AuthorNow, { readonly kind: "unread" }>,
): EventKind => {
  if (author.kind === "refused") return { kind: "waitingRefused", message, why: author.why };
  return mayBegin(live.state(), author.speaker)
    ? { kind: "waitingStarted", message, speaker: author.speaker, ...reviewedIn(live) }
    : { kind: "waitingRefused", message, why: "not_confined" };
};
