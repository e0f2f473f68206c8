/** What is asked of a host that may be about to end, asked again of whoever has its work then. */

import type { Answered } from "../../ports/fleet/fleet.ts";
import { type Clock, pause } from "../../ports/host.ts";
import { fieldIn } from "../../text/json.ts";

/** Null: nobody answers, after a quarter of a minute. */
export const askAgain = async <Answer>(
  clock: Pick<Clock, "after">,
  ask: () => Promise<Answered<Answer> | null>,
): Promise<Answered<Answer> | null> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const told = await ask();
    if (told !== null && !isEnding(told.answer)) return told;
    await pause(clock, AGAIN);
  }
  return null;
};

const isEnding = (answer: unknown): boolean => fieldIn(answer, "code") === "closing";

/** Milliseconds between two tries, and how many. */
const AGAIN = 500;
const TRIES = 30;
