/** What became of messages whose acknowledgement was lost, from what the platform holds. Pure. */

import { type DeliveryRow, type PlatformMessage, STATUS_POST } from "../../ports/surface.ts";
import { isTurnKey } from "../../thread/turn-post.ts";
import { copyKey } from "./thread-ledger.ts";

/**
 * The rows as they stand now: found or to be sent. A message that is there more than once (a late request beside
 * its repeat) gets rows of its own that nothing wants, so that the copies are removed. One without a key that no row of
 * `all` holds is some doubtful row's, whichever: progress, which goes with its turn, or an answer that is made anew (D21). No
 * other message is begun without its key.
 */
export const resolveUnknownSends = (
  doubtful: readonly DeliveryRow[],
  seen: readonly PlatformMessage[],
  all: readonly DeliveryRow[],
): readonly DeliveryRow[] => {
  const held = new Set(all.map(({ id }) => id));
  return doubtful.flatMap((row): readonly DeliveryRow[] => {
    const own = seen.filter(({ wire }) => wire === row.wire);
    const isStreamed = row.post === STATUS_POST || isTurnKey(row.post);
    const keyless = isStreamed ? seen.filter(({ wire, id }) => wire === null && !held.has(id)) : [];
    const [first, ...copies] = [...own, ...keyless];
    if (first === undefined) return [{ ...row, state: "planned" }];
    const found = { ...row, state: "sent", id: first.id, hash: first.hash } as const;
    return [found, ...copies.map(({ id }) => ({ ...found, key: copyKey(row.key, id), id }))];
  });
};
