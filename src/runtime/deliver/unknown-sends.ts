import { type DeliveryRow, type PlatformMessage, STATUS_POST } from "../../ports/surface.ts";
import { isTurnKey } from "../../thread/turn-post.ts";
import { copyKey } from "./thread-ledger.ts";

/**
 * A late first request and its repeat are two messages: each further copy gets a row that nothing wants, so that it is removed.
 * A message without a key that no row of `all` names belongs to a doubtful row. Only progress and re-created answers (D21)
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
