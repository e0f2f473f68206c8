/** Takes posts of people for the watches of their channel. Posts that no watch wants, or that a limit leaves out, are not stored. */

import { HOUR, type Millis, type PersonId } from "../../../machine/id.ts";
import type { PeoplePosts } from "../../../ports/app-posts.ts";
import type { ChatSurface } from "../../../ports/connection.ts";
import type { ChatPlatform } from "../../../ports/chat-platform.ts";
import type { ChatMessage, HandleResult } from "../../../ports/chat.ts";
import type { AlertFacts } from "../../../ports/alerts.ts";
import type { ChatStore } from "../../../ports/chat-rows.ts";
import type { Ambient } from "../../../ports/host.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { createLruCache } from "../../../text/lru-cache.ts";
import type { LookRows } from "../store/first-looks.ts";
import type { PeopleSource, Watch, Watcher } from "../store/watches.ts";
import { isWatchedPost } from "./filter.ts";
import type { FirstLooks } from "./first-looks.ts";
import type { createLeftOut } from "./left-out.ts";
import { matterKeys } from "./matter.ts";
import type { PostReader } from "./post-reader.ts";
import { readPostOn } from "./read-post.ts";

interface PostsDeps extends Ambient {
  readonly watcher: Pick<Watcher, "all" | "take">;
  /** Number of posts that wait for a look. */
  readonly waiting: (watch: string) => number;
  readonly looks: Pick<
    LookRows,
    "isIgnored" | "cameBack" | "places" | "addPlace" | "isExample" | "forgetPost"
  >;
  readonly first: Pick<FirstLooks, "boundFor">;
  readonly reader: Pick<PostReader, "threadFor">;
  readonly leftOut: Pick<ReturnType<typeof createLeftOut>, "count">;
  readonly store: Pick<ChatStore, "binding" | "bind" | "unhandled">;
  readonly alert: (key: string, facts: AlertFacts | null) => void;
  readonly surfaces: () => readonly Pick<ChatSurface, "name" | "readPost">[];
  /** Whether the operator allows watches of people. */
  readonly isAllowed: boolean;
}

const REPEATED: Millis = HOUR;
/** An older post is left out, because an answer would surprise its author. */
const LATEST: Millis = HOUR / 6;

type PeopleWatch = Watch & { readonly source: PeopleSource };

export const createPeoplePosts = (
  deps: PostsDeps,
): Omit<PeoplePosts, "authorOf" | "takesOver"> & { readonly renew: () => void } => {
  const { watcher, looks, clock, log } = deps;
  /** Joined channels by watch. */
  const joined = new Map<string, ReadonlySet<string>>();

  /** Times of taken posts by their words. A repeated post joins the thread of the first, or is silent like the first. */
  const lately = createLruCache<Millis>(5_000);

  const placesOf = (watch: string): ReadonlySet<string> => {
    const known = joined.get(watch) ?? new Set(looks.places(watch));
    joined.set(watch, known);
    return known;
  };

  const on = (surface: string): readonly PeopleWatch[] =>
    deps.isAllowed
      ? watcher
          .all()
          .flatMap((one) =>
            one.source.kind === "people" && one.surface === surface && one.standing.kind === "on"
              ? [{ ...one, source: one.source }]
              : [],
          )
      : [];

  const watching = (surface: string, place: string): readonly PeopleWatch[] =>
    on(surface).filter((one) =>
      one.source.incidents === null ? one.place === place : placesOf(one.id).has(place),
    );

  /** The first watch that wants the post reads it. */
  const wanting = async (
    surface: string,
    { place, person, text }: ChatMessage,
    at: Millis,
    platform: Pick<ChatPlatform, "person">,
  ): Promise<PeopleWatch | "later" | null> => {
    const now = clock.now();
    for (const watch of watching(surface, place)) {
      if (at < startOf(watch)) continue;
      if (!isWatchedPost(watch.source, text, now)) continue;
      const { from } = watch.source;
      const read = await platform.person(person, from === null ? [] : [from]);
      if (read.kind === "unread") {
        if (read.passing) return "later";
        continue;
      }
      if (read.person.standing !== "member") return null;
      if (from === null || read.person.groups.includes(from)) return watch;
    }
    return null;
  };

  const take = async (
    surface: string,
    said: ChatMessage,
    platform: Pick<ChatPlatform, "person" | "server">,
  ): Promise<HandleResult> => {
    const { place, message, root, person, text } = said;
    if (text.trim() === "" || said.toBot === true) return "done";
    const author: PersonId = `${surface}:${person}`;
    // After a restart, posts of the last hours may arrive.
    const at = said.at ?? clock.now();
    if (clock.now() - at > LATEST || at < (looks.cameBack(surface, author) ?? -Infinity)) return "done";
    const watch = await wanting(surface, said, at, platform);
    if (watch === null || watch === "later") return watch ?? "done";
    const [fingerprint = ""] = matterKeys(text);
    const event = {
      watch: watch.id,
      delivery: `${place}/${message}`,
      fingerprint,
      title: text.trim().split("\n", 1)[0] ?? "",
      text,
      link: null,
      at,
      post: root ?? message,
      person: { place, author, ...omitUndefined({ server: platform.server ?? undefined }) },
    };
    if (deps.reader.threadFor(event) === null) {
      const words = `${watch.id}/${place}/${fingerprint}`;
      const isRepeated = clock.now() - (lately.get(words) ?? -Infinity) < REPEATED;
      const waiting = { all: deps.waiting(watch.id), author: 0 };
      const bound = isRepeated ? null : deps.first.boundFor(watch, event, waiting);
      if (bound === null) lately.set(words, clock.now());
      else {
        deps.leftOut.count(watch.id, bound);
        return "done";
      }
    }
    const taken = await watcher.take(event);
    return taken.kind === "failed" || taken.kind === "full" ? "later" : "done";
  };

  const created: PeoplePosts["created"] = async (surface, { place, name, join }, platform) => {
    const wanted = on(surface).filter(
      ({ source: { incidents } }) => incidents !== null && name.startsWith(incidents),
    );
    const [first] = wanted;
    if (first === undefined) return "done";
    // Anybody can create a public channel. The repository of a private channel must not become readable there.
    if ((await platform.audience(first.place)) !== "public") {
      log.warn("watches: channel not joined, its watch belongs to a private channel", { watch: first.id });
      return "done";
    }
    const done = await join();
    if (done.kind === "refused") {
      log.warn("watches: channel not joined", { watch: first.id, why: done.why });
      return "later";
    }
    const now = clock.now();
    for (const { id } of wanted) {
      const stored = await looks.addPlace(id, surface, place, now);
      if (stored.kind === "failed") return "later";
      joined.delete(id);
    }
    const binding = deps.store.binding(surface, first.place);
    if (binding !== null && deps.store.binding(surface, place) === null)
      await deps.store.bind(surface, place, { ...binding, by: first.by, at: now });
    const facts = { kind: "watchJoined", watch: first.id, surface, place } as const;
    deps.alert(`watchJoined ${surface} ${place}`, facts);
    return "done";
  };

  /** A post without its thread is still there, and so is its example (D55). */
  const removed: PeoplePosts["removed"] = async (surface, place, post, what) => {
    if (!looks.isExample(surface, place, post)) return "done";
    const read = what === "thread" ? await readPostOn(deps.surfaces(), surface, place, post) : null;
    if (read?.kind === "read") return "done";
    if (read?.kind === "unread") return "later";
    return (await looks.forgetPost(surface, place, post)).kind === "failed" ? "later" : "done";
  };

  return {
    sees: (surface, place, person) =>
      watching(surface, place).length > 0 && !looks.isIgnored(surface, `${surface}:${person}`),
    take,
    keeps: looks.isExample,
    removed,
    created,
    renew: () => joined.clear(),
  };
};

/** Posts from before the watch, or from its last pause, stay unread. */
const startOf = ({ at, standing }: Watch): Millis =>
  Math.max(at, standing.kind === "on" ? (standing.since ?? at) : at);
