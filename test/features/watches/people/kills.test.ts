/**
 * Posts of people while the process dies at random calls outwards: each post is decided once on the disk, a thread begins once,
 * and a line with a link stands once. The store is the real one; the platform, the bot and the model remember what they were told.
 */

import { expect, it } from "vitest";
import { systemClock } from "../../../../src/app/system-clock.ts";
import { createFirstLooks } from "../../../../src/features/watches/people/first-looks.ts";
import { createLeftOut } from "../../../../src/features/watches/people/left-out.ts";
import { createPostReader } from "../../../../src/features/watches/people/post-reader.ts";
import { matterKeys } from "../../../../src/features/watches/people/matter.ts";
import { createLookRows } from "../../../../src/features/watches/store/look-rows.ts";
import { createWatchRows } from "../../../../src/features/watches/store/rows.ts";
import { watchEvent } from "../../../../src/features/watches/store/schema.ts";
import type { WatchEvent } from "../../../../src/features/watches/store/watches.ts";
import { createWatcher } from "../../../../src/features/watches/watcher.ts";
import { english } from "../../../../src/i18n/say.ts";
import type { ConversationId } from "../../../../src/machine/id.ts";
import type { PricedModel } from "../../../../src/ports/model.ts";
import { NO_BUDGETS } from "../../../../src/ports/money.ts";
import { createRepos } from "../../../../src/runtime/channels/repos.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { testModes } from "../../../runtime/modes.ts";
import { ofWhole } from "../../../sample.ts";
import { openMemory } from "../../../store/in-memory.ts";
import { watchWith } from "../watch.ts";
import { deciding } from "./first-model.ts";

const POSTS = ofWhole(1_000, 80);
const KILLS = ofWhole(5, 3);
const POSTS_PER_HOUR = 40;
const THREADS_PER_HOUR = 5;
const KNOWN = "https://github.com/acme/api/issues/7";

const WATCH = watchWith(
  {
    kind: "people",
    with: [],
    without: [],
    onlyQuestions: false,
    from: null,
    hours: null,
    incidents: null,
    notifyOwners: false,
    postsPerHour: POSTS_PER_HOUR,
    lookBudget: null,
  },
  { id: "noticed", instructions: "Find bugs", perHour: THREADS_PER_HOUR },
);

/** What outlives every process. */
const createOutside = async () => {
  const opened = openMemory();
  const rows = createWatchRows(opened.rows, silentLog);
  const looks = createLookRows(opened.rows, silentLog);
  await rows.putWatch(WATCH);
  const repo = { kind: "url", location: "https://github.com/acme/api.git" } as const;
  await opened.chat.bind("slack", "C1", { repo, by: "slack:U1", at: 1 });
  return {
    opened,
    rows,
    looks,
    /** Posts of the host by their ids. */
    lines: new Map<string, string>(),
    /** Conversations by the post that they hang on. */
    threads: new Map<string, ConversationId>(),
    said: new Set<string>(),
    asked: { count: 0 },
  };
};

type Outside = Awaited<ReturnType<typeof createOutside>>;

const decide = deciding(({ post }) => {
  if (post.includes("known")) return { decision: "duplicate", link: KNOWN, reason: "Known." };
  return { decision: post.includes("crash") ? "look" : "nothing", reason: "x" };
});

/** Dies at its `calls`th call outwards: that one may have come through, and nothing after it. */
const createProcess = ({ opened, rows, looks, lines, threads, said, asked }: Outside, calls: number) => {
  let left = calls;
  const died = Promise.withResolvers<void>();
  const step = async <T>(does: () => T | Promise<T>): Promise<T> => {
    left -= 1;
    if (left < 0) return new Promise<T>(() => undefined);
    const result = left === 0 && calls % 2 === 0 ? null : await does();
    if (left > 0 && result !== null) return result;
    left = -1;
    died.resolve();
    return new Promise<T>(() => undefined);
  };
  const model: PricedModel = {
    model: {
      window: () => 100_000,
      respond: ({ messages }) =>
        step(() => {
          asked.count += 1;
          return decide(messages, 1);
        }),
    },
    prices: () => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
    longest: () => 1_000,
  };
  const surfaces = () => [
    {
      name: "slack",
      off: null,
      standing: () => "on",
      say: () => english,
      tell: (_: string, { id, text, edits }: { id: string; text: string; edits?: string }) =>
        step(() => {
          if (edits === undefined && !lines.has(id)) lines.set(id, text);
          return { kind: "put" as const, message: id };
        }),
    },
  ];
  const quiet = { clock: systemClock, log: silentLog };
  const leftOut = createLeftOut({ ...quiet, alert: () => undefined });
  const matter = { kind: "issue or page", title: "Known", link: KNOWN, excerpt: "" } as const;
  const first = createFirstLooks({
    ...quiet,
    priced: () => model,
    models: { all: ["test"], knows: () => true },
    model: "test",
    budgets: NO_BUDGETS,
    channelNotes: () => [],
    chat: opened.chat,
    purse: opened.purse,
    looks: { ...looks, put: (look) => step(() => looks.put(look)) },
    rows,
    matters: { find: async () => [matter] },
    leftOut,
    money: () => ({ most: null, spent: 0 }),
  });
  const people = createPostReader({
    ...quiet,
    rows,
    looks: {
      isIgnored: () => false,
      find: looks.find,
      begun: (...given) => step(() => looks.begun(...given)),
    },
    first,
    matters: { forget: () => undefined },
    leftOut,
    surfaces,
    isAllowed: true,
    bot: { forget: () => Promise.reject(new Error("no post is deleted here")) },
  });
  const watcher = createWatcher({
    ...quiet,
    people,
    rows: {
      ...rows,
      begin: (...given) => step(() => rows.begin(...given)),
      join: (...given) => step(() => rows.join(...given)),
      told: (...given) => step(() => rows.told(...given)),
    },
    store: {
      ...opened.chat,
      arrive: (...given) => step(() => opened.chat.arrive(...given)),
      settle: (...given) => step(() => opened.chat.settle(...given)),
    },
    repos: createRepos(["acme/api"]),
    modes: testModes.all,
    models: { all: ["test"], knows: () => true },
    money: () => ({ most: null, spent: 0, renewsAt: 0 }),
    parse: (body) => watchEvent.safeParse(body).data ?? null,
    alert: () => undefined,
    ledger: {
      thread: () => null,
      find: (surface, place, root) => {
        const conversation = threads.get(root);
        return conversation === undefined ? null : { surface, place, root, conversation, delivered: 0 };
      },
    },
    surfaces,
    bot: {
      create: ({ thread }) =>
        step(() => {
          const id: ConversationId = `c-${threads.size}`;
          if (!threads.has(thread?.root ?? "")) threads.set(thread?.root ?? "", id);
          return { kind: "created", overview: { conversation: { id }, state: { mode: "general" } } } as never;
        }),
      say: ({ id }) =>
        step(() => {
          if (said.has(id)) return { kind: "duplicate" };
          said.add(id);
          return { kind: "accepted" };
        }),
      read: () => Promise.resolve(null),
      act: () => step(() => ({ kind: "done" })),
    },
  });
  watcher.start();
  return { watcher, died: died.promise };
};

const postOf = (no: number): WatchEvent => {
  const text =
    no % 4 === 0 ? `crash of part ${PARTS[no % 7] ?? ""}` : no % 4 === 1 ? `known ${wordOf(no)}` : wordOf(no);
  const [fingerprint = ""] = matterKeys(text);
  const person = { place: "C1", author: `slack:U${no % 50}` } as const;
  return {
    watch: "noticed",
    delivery: `C1/${no}`,
    fingerprint,
    title: text,
    text,
    link: null,
    at: no,
    post: `${no}`,
    person,
  };
};

const PARTS = ["a", "b", "c", "d", "e", "f", "g"];

const wordOf = (no: number): string =>
  Array.from(String(no), (digit) => "qrstuvwxyz"[Number(digit)] ?? "").join("");

it("a post is decided once, and begins one thread or gets one line, despite kills", {
  timeout: 600_000,
}, async () => {
  const outside = await createOutside();
  const posts = Array.from({ length: POSTS }, (_, no) => postOf(no));
  for (let kills = 0; kills <= KILLS; kills += 1) {
    const isLast = kills === KILLS;
    const { watcher, died } = createProcess(outside, isLast ? Infinity : 23 + kills * 14);
    const sending = Promise.all(posts.map((post) => watcher.take(post)));
    if (!isLast) await died;
    else {
      await sending;
      await expect
        .poll(() => outside.opened.chat.unhandled("watch").length, { timeout: 120_000, interval: 20 })
        .toBe(0);
      await watcher.close();
    }
  }
  const looks = outside.looks.lately("noticed", POSTS);
  const kinds = (kind: string) => looks.filter(({ decision }) => decision.kind === kind);
  expect(looks.length).toBeLessThanOrEqual(POSTS_PER_HOUR);
  // A process that dies during a look asks again.
  expect(outside.asked.count).toBeLessThanOrEqual(looks.length + KILLS);
  expect(outside.threads.size).toBeLessThanOrEqual(THREADS_PER_HOUR);
  expect(outside.threads.size).toBeGreaterThan(1);
  expect(outside.said.size).toBe(outside.threads.size);
  expect(kinds("duplicate").length).toBeGreaterThan(0);
  expect(outside.lines.size).toBe(outside.threads.size + kinds("duplicate").length);
  const threads = outside.rows.lately("noticed", 100);
  expect(threads.length).toBe(outside.threads.size);
  const begun = new Set(threads.map(({ conversation }) => conversation));
  for (const { conversation } of kinds("look")) {
    if (conversation !== null) expect(begun).toContain(conversation);
  }
});
