/** What an app posted becomes an event of each watch that hears it there; what of it waits and is counted is the watcher's. */

import { createHash } from "node:crypto";
import type { Handled, Posted } from "../../ports/chat.ts";
import type { Watch, Watcher } from "../../ports/watch/watches.ts";
import type { ChatDeps } from "../chat/deps.ts";

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
  { name, places, watcher }: Pick<ChatDeps, "name" | "places" | "watcher">,
  { place, message: post, by, matter, ...shown }: Posted,
): Promise<Handled> => {
  if (places !== null && !places.includes(place)) return "done";
  const event = {
    ...shown,
    post,
    delivery: `${place}/${post}`,
    fingerprint: createHash("sha256").update(matter).digest("hex").slice(0, 32),
  };
  const taken = await Promise.all(
    hearersOf(watcher, name, place, by).map(({ id }) => watcher.take({ ...event, watch: id })),
  );
  return taken.some(({ kind }) => kind === "failed" || kind === "full") ? "later" : "done";
};
