/** The answer that was given before, in place of a model's: it costs nothing and needs no checkout. */

import type { EffectId, MessageId } from "../../machine/id.ts";
import { noUsage } from "../../machine/words.ts";
import type { Given } from "../../ports/answers/reuse.ts";
import type { RandomId } from "../../ports/host.ts";
import { answerText } from "../../thread/spoken.ts";
import type { Live } from "./conversation.ts";
import { outcome } from "./delivery.ts";

export const giveAgain = (
  randomId: RandomId,
  live: Live,
  id: EffectId,
  { words, ...reused }: Given,
): void => {
  const message: MessageId = `m-${randomId()}`;
  live.post(
    outcome(
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
