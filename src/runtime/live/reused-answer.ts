/** Similar answers are sought while the model works, and offered with a later response: no response waits for them. */

import type { EffectId, MessageId } from "../../machine/id.ts";
import { type EarlierAnswer, noUsage } from "../../machine/vocabulary.ts";
import type { ReusedAnswer, AnswerReuse } from "../../ports/reuse.ts";
import type { RandomId } from "../../ports/host.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import type { TranscriptMessage } from "../../thread/prompt.ts";
import { answerText } from "../../thread/visible-text.ts";
import type { Live } from "./conversation.ts";
import { deliveredEvent } from "./mailbox.ts";

export const answerFromReuse = (
  randomId: RandomId,
  live: Live,
  id: EffectId,
  { words, ...reused }: ReusedAnswer,
): void => {
  const message: MessageId = `m-${randomId()}`;
  live.post(
    deliveredEvent(
      {
        kind: "answered",
        by: id,
        message,
        text: Buffer.byteLength(answerText(words)),
        calls: [],
        stop: "end",
        usage: noUsage,
        reused,
      },
      [{ id: message, words }],
    ),
  );
};

const found = new WeakMap<Live, readonly EarlierAnswer[]>();

export const seekEarlier = (reuse: AnswerReuse, live: Live, told: readonly TranscriptMessage[]): void => {
  const keep = (earlier: readonly EarlierAnswer[]): void => {
    if (earlier.length > 0) found.set(live, earlier);
  };
  // The search may outlive the store.
  reuse.similar(live.conversation(), live.state(), told).then(keep, () => undefined);
};

export const earlierFor = (live: Live): { readonly earlier?: readonly EarlierAnswer[] } => {
  const earlier = live.state().turn.no === 1 ? found.get(live) : undefined;
  found.delete(live);
  return omitUndefined({ earlier });
};
