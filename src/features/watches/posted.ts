/** What an app posted becomes an event of each watch that hears it there; what of it waits and is counted is the watcher's. */

import { createHash } from "node:crypto";
import type { Handled, Posted } from "../../ports/chat.ts";
import type { Watch, Watcher } from "./store/watches.ts";

/** Of one channel. */
export const hearersOf = (
  watcher: Pick<Watcher, "all">,
  surface: string,
  place: string,
  app: readonly string[],
): readonly Watch[] =>
  watcher
    .all()
    .filter(
      (one) =>
        one.surface === surface &&
        one.place === place &&
        one.source.kind === "posts" &&
        app.includes(one.source.app),
    );

export const hearPosted = async (
  watcher: Pick<Watcher, "all" | "take">,
  surface: string,
  { place, message: post, by, matter, ...shown }: Posted,
): Promise<Handled> => {
  const event = {
    ...shown,
    post,
    delivery: `${place}/${post}`,
    fingerprint: createHash("sha256").update(matter).digest("hex").slice(0, 32),
  };
  const taken = await Promise.all(
    hearersOf(watcher, surface, place, by).map(({ id }) => watcher.take({ ...event, watch: id })),
  );
  return taken.some(({ kind }) => kind === "failed" || kind === "full") ? "later" : "done";
};
