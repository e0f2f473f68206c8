/** What became of messages whose acknowledgement was lost, from what the platform holds. Pure. */

import type { DeliveryRow, Seen } from "../../ports/surface.ts";

/**
 * The rows as they stand now: found or to be sent. A message that is there more than once (a late request beside
 * its repeat) gets rows of its own that nothing wants, so that the copies are removed. One without a key that no row of
 * `all` holds is some doubtful row's, whichever: progress, which goes with its turn, or an answer that is made anew (D21).
 */
export const settled = (
  doubtful: readonly DeliveryRow[],
  seen: readonly Seen[],
  all: readonly DeliveryRow[],
): readonly DeliveryRow[] => {
  const held = new Set(all.map(({ id }) => id));
  return doubtful.flatMap((row): readonly DeliveryRow[] => {
    const own = seen.filter(({ wire }) => wire === row.wire);
    const keyless = seen.filter(({ wire, id }) => wire === null && !held.has(id));
    const [first, ...copies] = [...own, ...keyless];
    if (first === undefined) return [{ ...row, state: "planned" }];
    const found = { ...row, state: "sent", id: first.id, hash: first.hash } as const;
    return [found, ...copies.map(({ id }) => ({ ...found, key: `${row.key}/copy/${id}`, id }))];
  });
};
