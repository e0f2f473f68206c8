/**
 * Remembers the authors of messages for a short time (D1), because a person often sends several messages in a row.
 * Only members without rights from Slack are remembered: everybody else is read at each message, and everybody at
 * each click. `user_change` makes Slack's next answer count at once.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { PersonRead } from "../../../src/ports/chat-platform.ts";
import type { Clock } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import type { SlackPeople } from "./people.ts";

/** Short, because an app from before the event's subscription gets no `user_change`. */
const LASTS: Millis = 60_000;
const PEOPLE = 500;

interface RecentAuthor {
  readonly at: Millis;
  readonly read: PersonRead;
}

export const createRecentAuthors = ({ person }: Pick<SlackPeople, "person">, clock: Pick<Clock, "now">) => {
  const known = createLruCache<RecentAuthor>(PEOPLE);
  /** Persons who are being read. A change during the read removes them, so that the result is not remembered. */
  const reading = new Map<string, symbol>();
  return {
    author: async (id: string, groups: readonly string[]): Promise<PersonRead> => {
      // A group's members change without `user_change`.
      if (groups.length > 0) return person(id, groups);
      const before = known.get(id);
      if (before !== undefined && clock.now() - before.at < LASTS) return before.read;
      const own = Symbol(id);
      const at = clock.now();
      reading.set(id, own);
      const read = await person(id, []);
      if (reading.get(id) !== own) return read;
      reading.delete(id);
      if (isPlainMember(read)) known.set(id, { at, read });
      return read;
    },
    changed: (id: string): void => {
      known.forget(id);
      reading.delete(id);
    },
  };
};

const isPlainMember = (read: PersonRead): boolean =>
  read.kind === "person" && read.person.standing === "member" && !read.person.admin;
