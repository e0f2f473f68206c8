/** Resolves messages whose acknowledgement was lost, from the messages that the platform holds. Pure. */

import { type DeliveryRow, type PlatformMessage, STATUS_POST } from "../../ports/surface.ts";
import { isTurnKey } from "../../thread/turn-post.ts";
import { copyKey } from "./thread-ledger.ts";

/**
 * Returns each row as found, or as still to be sent. If a message exists twice (a late first request and its repeat), each
 * further copy gets a row that nothing wants, so that it is removed. A message without a key, which no row of `all` names,
 * belongs to one of the doubtful rows. Only progress, which is removed with its turn, and answers that are re-created (D21)
 * start without a key.
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
