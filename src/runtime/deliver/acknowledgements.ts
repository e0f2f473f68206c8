/** What became of messages whose acknowledgement was lost, from what the platform holds. Pure. */

import { type DeliveryRow, type Seen, STATUS_POST } from "../../ports/surface.ts";

/**
 * The rows as they stand now: found or to be sent. A message that is there more than once (a late request beside
 * its repeat) gets rows of its own that nothing wants, so that the copies are removed. Progress without a key is some
 * doubtful row's, whichever: all of it goes when its turn is over (D21).
 */
export const settled = (doubtful: readonly DeliveryRow[], seen: readonly Seen[]): readonly DeliveryRow[] =>
  doubtful.flatMap((row): readonly DeliveryRow[] => {
    const isProgress = row.post === STATUS_POST;
    const [first, ...copies] = seen.filter(({ wire }) => (wire === null ? isProgress : wire === row.wire));
    if (first === undefined) return [{ ...row, state: "planned" }];
    const found = { ...row, state: "sent", id: first.id, hash: first.hash } as const;
    return [found, ...copies.map(({ id }) => ({ ...found, key: `${row.key}/copy/${id}`, id }))];
  });
