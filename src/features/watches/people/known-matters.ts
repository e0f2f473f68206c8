/**
 * Issues, pages and threads that a channel knows, for one post. One lookup in the channel's knowledge; the channel's own threads
 * are compared in memory, and their addresses are read once.
 */

import { DAY, type Millis } from "../../../machine/id.ts";
import type { Core } from "../../../feature.ts";
import type { ChannelAddress } from "../../../ports/channels.ts";
import { createLruCache } from "../../../text/lru-cache.ts";
import { likeness, type Stems, stemsOf } from "../../../text/stems.ts";
import type { WatchRows } from "../store/watches.ts";
import type { KnownMatter } from "./first-look-prompt.ts";

const MOST_TEXTS = 4;
const MOST_THREADS = 3;
/** Answers of the host that are compared, the newest. */
const MOST_ANSWERS = 300;
const MOST_BEGUN = 30;
const SINCE: Millis = 90 * DAY;
/** Time for which the list of a channel's threads is used. */
const FRESH: Millis = 60_000;
const ALIKE = 0.15;

interface KnownDeps extends Pick<Core, "answers" | "link" | "clock"> {
  readonly knowledge: Pick<Core["knowledge"], "near">;
  readonly chat: Pick<Core["chat"], "binding" | "channel">;
  readonly rows: Pick<WatchRows, "lately">;
}

interface KnownThread extends Pick<KnownMatter, "kind" | "title" | "excerpt"> {
  readonly root: string;
  readonly stems: Stems;
}

export const createKnownMatters = ({ answers, link, knowledge, chat, rows, clock }: KnownDeps) => {
  const lists = createLruCache<{ readonly at: Millis; readonly threads: readonly KnownThread[] }>(500);
  const addresses = createLruCache<string>(2_000);

  const threadsAt = (at: ChannelAddress, watch: string): readonly KnownThread[] => {
    const key = `${at.surface}/${at.place}/${watch}`;
    const known = lists.get(key);
    if (known !== undefined && clock.now() - known.at < FRESH) return known.threads;
    const threads = [...answeredAt(at), ...begunAt(at, watch)];
    lists.set(key, { at: clock.now(), threads });
    return threads;
  };

  const answeredAt = ({ surface, place }: ChannelAddress): readonly KnownThread[] =>
    answers
      .answersPage(clock.now() - SINCE, null, MOST_ANSWERS)
      .flatMap(({ surface: theirs, thread, question: { text }, standing }) =>
        theirs === surface && thread?.place === place && standing !== "changed" && text !== ""
          ? [threadOf("answered thread", thread.root, text)]
          : [],
      );

  const begunAt = ({ place }: ChannelAddress, watch: string): readonly KnownThread[] =>
    rows
      .lately(watch, MOST_BEGUN)
      .flatMap(({ place: theirs, event: { post, text } }) =>
        theirs === place && post !== undefined && text !== "" ? [threadOf("open thread", post, text)] : [],
      );

  const addressOf = async ({ surface, place }: ChannelAddress, root: string): Promise<string | null> => {
    const key = `${surface}/${place}/${root}`;
    const known = addresses.get(key);
    if (known !== undefined) return known;
    const address = await link(surface, { place, root });
    if (address !== null) addresses.set(key, address);
    return address;
  };

  /** `post`: id of the post itself, which is no earlier thread. */
  const find = async (
    at: ChannelAddress,
    watch: string,
    post: string,
    text: string,
  ): Promise<readonly KnownMatter[]> => {
    const { surface, place } = at;
    const entries = chat.channel(surface, place)?.knowledge ?? [];
    const repo = chat.binding(surface, place)?.repo ?? null;
    const texts = knowledge
      .near({ surface, place, entries, repo }, text, MOST_TEXTS)
      .map(({ title, address, excerpt }) => ({
        kind: "issue or page" as const,
        title,
        link: address,
        excerpt,
      }));
    const stems = stemsOf(text);
    const near = threadsAt(at, watch)
      .map((thread) => ({ thread, alike: likeness(stems, thread.stems) }))
      .filter(({ thread, alike }) => alike >= ALIKE && thread.root !== post)
      .toSorted((a, b) => b.alike - a.alike)
      .slice(0, MOST_THREADS);
    const threads = await Promise.all(
      near.map(async ({ thread: { kind, title, excerpt, root } }) => {
        const address = await addressOf(at, root);
        return address === null ? [] : [{ kind, title, excerpt, link: address }];
      }),
    );
    return [...texts, ...threads.flat()];
  };

  /** Called when a thread began, so that later posts know the thread. */
  const forget = ({ surface, place }: ChannelAddress, watch: string): void =>
    lists.forget(`${surface}/${place}/${watch}`);

  return { find, forget };
};

const threadOf = (kind: KnownThread["kind"], root: string, text: string): KnownThread => ({
  kind,
  root,
  title: text.split("\n", 1)[0]?.slice(0, 120) ?? "",
  excerpt: text.slice(0, 300),
  stems: stemsOf(text),
});
