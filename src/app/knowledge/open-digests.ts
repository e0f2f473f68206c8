/** How the questions of a week went: read from the store, told in channels, over the platforms and the bot, which come later. */

import { termsOf } from "../../knowledge/terms.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { DigestRows } from "../../ports/digest/digests.ts";
import type { Ambient } from "../../ports/host.ts";
import { createDigests, type DigestsDeps } from "../../runtime/digest/digests.ts";
import { startWeekly } from "../../runtime/digest/weekly.ts";

interface DigestParts extends Pick<DigestsDeps, "feedback" | "randomId" | "bot">, Ambient {
  readonly digests: DigestRows;
  /** Asked once they are made. */
  readonly surfaces: () => readonly ChatSurface[];
}

/** `start` tells what is due, now and from hour to hour. */
export const openDigests = (parts: DigestParts) => {
  const { digests: rows, surfaces } = parts;
  const book = createDigests({
    ...parts,
    rows,
    audience: async (surface, place, root) => {
      const on = surfaces().find(({ name }) => name === surface);
      return (await on?.readThread({ place, root: root ?? place }))?.audience ?? null;
    },
    termsOf,
  });
  return { book, start: () => startWeekly({ ...parts, digests: book, rows }) };
};
