/** How the questions of a week went: read from the store, told in channels, over the platforms and the bot, which come later. */

import { quoteUntrusted } from "../../../adapters/text/text.ts";
import { termsOf } from "../../knowledge/terms.ts";
import type { Bot } from "../../ports/bot.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { DigestRows, Digests } from "../../ports/digest/digests.ts";
import type { FeedbackReader } from "../../ports/answers/feedback.ts";
import type { Clock, Log, RandomId } from "../../ports/host.ts";
import type { Hourly } from "../../runtime/bot/hourly-task.ts";
import { createDigests } from "../../runtime/digest/digests.ts";
import { startWeekly } from "../../runtime/digest/weekly.ts";

interface DigestParts {
  readonly digests: DigestRows;
  readonly feedback: FeedbackReader;
  readonly clock: Clock;
  readonly log: Log;
  readonly randomId: RandomId;
  /** Asked once they are made. */
  readonly surfaces: () => readonly ChatSurface[];
  readonly bot: () => Bot;
}

export interface Digesting {
  readonly book: Digests;
  /** Tells what is due, now and from hour to hour. */
  start(): Hourly;
}

export const openDigests = (parts: DigestParts): Digesting => {
  const { digests: rows, surfaces, bot } = parts;
  const book = createDigests({
    ...parts,
    rows,
    audience: async (surface, place, root) => {
      const on = surfaces().find(({ name }) => name === surface);
      return (await on?.readThread({ place, root: root ?? place }))?.audience ?? null;
    },
    termsOf,
    quote: quoteUntrusted,
    bot: {
      create: (...given) => bot().create(...given),
      say: (...given) => bot().say(...given),
    },
  });
  return { book, start: () => startWeekly({ ...parts, digests: book, rows }) };
};
