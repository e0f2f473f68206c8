import { createHash } from "node:crypto";
import type { Core, FeatureParts } from "../../feature.ts";
import { DAY, type Millis } from "../../machine/id.ts";
import type { AppPosts } from "../../ports/app-posts.ts";
import { type MicroUsd, renewal } from "../../ports/money.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { speakerFor } from "./begin.ts";
import { createWatchService } from "./watch-service.ts";
import { createReactions, hearsEmoji } from "./emoji.ts";
import { openScheduler } from "./instants.ts";
import type { Watch, WatchBook, Watcher, WatchThread } from "./store/watches.ts";
import { createWatchRows } from "./store/rows.ts";
import { watchEvent } from "./store/schema.ts";
import type { LookClicksContext } from "./look-clicks.ts";
import { createLookAuthors } from "./look-author.ts";
import { createLookEnds, isLookOver } from "./look-end.ts";
import { createExampleChecks } from "./people/example-checks.ts";
import { openPeople } from "./people/open-people.ts";
import { createPeoplePosts } from "./people/people-posts.ts";
import type { LookRows } from "./store/first-looks.ts";
import { createTicker } from "./ticker.ts";
import { createWatcher, type WatcherDeps } from "./watcher.ts";
import { LEADER_AWAY, type RunAtLeader } from "../../ports/ownership.ts";
import type { HandleResult, AppMessage } from "../../ports/chat.ts";

/** Dependencies of commands and requests. */
export interface WatchesContext extends LookClicksContext {
  readonly book: WatchBook;
  readonly operator: Core["operator"];
  readonly looks: LookRows;
}

/** `secret`: value of PARLEY_HOOK_SECRET. */
export const openWatches = (core: Core, secret: string | undefined, isPeopleAllowed = true) => {
  const { budgets, chat, clock, log, operator, surfaces } = core;
  const rows = createWatchRows(core.rows, log);
  const money: WatcherDeps["money"] = (id) => {
    const speaker = speakerFor({ id });
    const [own] = budgets.standings({ speaker, surface: "watch", place: null, server: null });
    const renewsAt = renewal(clock.now());
    const isEmoji = running.find(id)?.source.kind === "emoji";
    const spent =
      (own?.spent ?? 0) + (isEmoji ? spentByPeople(core.purse, rows.lately(id, MOST), renewsAt) : 0);
    return { most: own?.most ?? null, spent, renewsAt };
  };
  const modes = core.modes.all;
  const people = openPeople(core, { rows, money, isAllowed: isPeopleAllowed });
  const running = createWatcher({
    ...core,
    people: people.reader,
    rows,
    store: chat,
    modes,
    money,
    parse: (body) => watchEvent.safeParse(body).data ?? null,
  });
  const ticker = createTicker({
    watcher: running,
    instants: openScheduler,
    tell: async ({ surface, place }, line) =>
      (await surfaces()
        .find(({ name }) => name === surface)
        ?.tell(place, line)) ?? { kind: "refused", why: "its platform is off" },
    clock,
    log,
  });
  const here = createWatchService({
    ...core,
    watcher: running,
    ticker,
    instants: openScheduler,
    money,
    store: chat,
    rows,
    modes,
    isPeopleAllowed,
  });
  const { watcher, book } = ledWatches({ watcher: running, book: here }, core.led);
  const posts = createPeoplePosts({
    ...people,
    ...core,
    watcher,
    waiting: (watch) => running.queue(watch).waiting,
    store: chat,
    isAllowed: isPeopleAllowed,
  });
  const ends = createLookEnds({ ...core, rows, watches: running.all });
  const examples = createExampleChecks({ ...core, looks: people.looks, watches: running.all });
  const own: WatchesContext = { book, operator, looks: people.looks, threads: rows, surfaces, clock };
  return {
    own,
    appPosts: {
      hears: (surface, place, by) =>
        hearersOf(watcher, surface, place, by).length > 0 || hearsEmoji(watcher, surface, place, by),
      reactions: createReactions({ ...core, watcher, inbox: core.rows, rows, money }),
      take: (surface, posted) => hearPosted(watcher, surface, posted),
      people: { ...posts, ...createLookAuthors({ ...core, rows }) },
    } satisfies AppPosts,
    callsModel: people.callsModel,
    led: (id, change) => {
      running.heard(id, change);
      if (isLookOver(change)) ends.ended(id);
    },
    changed: (tables) => {
      if (tables.has("watches")) running.renew();
      if (tables.has("watch_places")) posts.renew();
    },
    renew: () => {
      running.renew();
      posts.renew();
    },
    start: () => {
      people.leftOut.start(running.all().flatMap(({ id, source }) => (source.kind === "people" ? [id] : [])));
      running.start();
      ends.start();
      examples.start();
      ticker.wake();
      return null;
    },
    leave: async () => {
      await ticker.close();
      await examples.close();
      await ends.close();
      await running.close();
      people.leftOut.close();
    },
    ...(secret === undefined ? {} : { beside: () => openHooks(core, watcher, secret) }),
  } satisfies FeatureParts & { readonly own: WatchesContext };
};

/** People pay for the threads of their emoji. The last turn of each thread counts. */
const spentByPeople = (
  purse: Pick<Core["purse"], "account">,
  threads: readonly WatchThread[],
  renewsAt: Millis,
): MicroUsd =>
  threads
    .filter(({ began }) => began >= renewsAt - DAY)
    .reduce((sum, { conversation }) => sum + (purse.account(conversation)?.turn.spent ?? 0), 0);

/** Maximum number of an emoji's threads whose costs count. */
const MOST = 500;

const openHooks = async (
  { chat, reposAtForge, clock, log, ...core }: Core,
  watcher: Watcher,
  master: string,
) => {
  const { createHooks } = await import("./hooks/hooks.ts");
  return createHooks({
    master,
    watcher,
    reposOf: ({ surface, place }: Watch) => reposAtForge(chat.binding(surface, place)?.repo ?? null),
    ...omitUndefined({ pushed: core.pushed() ?? undefined, pullChanged: core.pullChanged() ?? undefined }),
    clock,
    log,
  });
};

interface LedParts {
  readonly watcher: Watcher;
  readonly book: WatchBook;
}

/** The leader accepts events and changes of watches. */
const ledWatches = ({ watcher, book }: LedParts, led: RunAtLeader): LedParts => ({
  watcher: led("watcher", watcher, (by) => ({ ...watcher, take: by("take", watcher.take, LEADER_AWAY) })),
  book: led("watches", book, (by) => ({
    ...book,
    add: by("add", book.add, LEADER_AWAY),
    change: by("change", book.change, LEADER_AWAY),
    remove: by("remove", book.remove, LEADER_AWAY),
    readSchedule: by("readSchedule", book.readSchedule, { kind: "unclear", why: LEADER_AWAY.message }),
  })),
});

const hearersOf = (
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

/** Creates an event for each watch that receives posts of the app in the channel. */
const hearPosted = async (
  watcher: Pick<Watcher, "all" | "take">,
  surface: string,
  { place, message: post, by, matter, ...shown }: AppMessage,
): Promise<HandleResult> => {
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
