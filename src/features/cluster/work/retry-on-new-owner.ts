/** Repeats a request to a host that may be about to end, until the host or its successor answers. */

import type { OwnerReply } from "../ports/fleet.ts";
import { type Clock, pause } from "../../../ports/host.ts";
import { fieldIn } from "../../../text/json.ts";
import { DRAIN, HANDOVER } from "../../../runtime/bot/drain.ts";

/** Null if no host answers for 15 seconds, or the host is still handing over after its time limit. */
export const retryOnNewOwner = async <Answer>(
  clock: Pick<Clock, "after">,
  ask: () => Promise<OwnerReply<Answer> | null>,
): Promise<OwnerReply<Answer> | null> => {
  let silent = 0;
  for (let tries = 0; silent < TRIES && tries < LONGEST; tries += 1) {
    const told = await ask();
    if (told !== null && !isEnding(told.answer)) return told;
    if (told === null) silent += 1;
    await pause(clock, AGAIN);
  }
  return null;
};

const isEnding = (answer: unknown): boolean => fieldIn(answer, "code") === "closing";

/** Milliseconds between two tries, and the limit of tries without an answer. */
const AGAIN = 500;
const TRIES = 30;
/** Limit of tries while the host hands over. */
const LONGEST = (HANDOVER + DRAIN.whole) / AGAIN;
