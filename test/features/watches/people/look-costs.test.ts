/** Each look is paid for: also an aborted one, by its real length, and by the server of the post. */

import { describe, expect, it } from "vitest";
import { createFirstLooks, type PostEvent } from "../../../../src/features/watches/people/first-looks.ts";
import { createLookRows } from "../../../../src/features/watches/store/look-rows.ts";
import type { PricedModel } from "../../../../src/ports/model.ts";
import { systemClock } from "../../../../src/app/system-clock.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { textAnswer } from "../../../runtime/world.ts";
import { createRig } from "../../../adapters/discord/rig.ts";
import { openMemory } from "../../../store/in-memory.ts";
import { watchWith } from "../watch.ts";
import { watchingOf } from "../watching.ts";
import { crashes, deciding } from "./first-model.ts";
import { PEOPLE_SOURCE } from "./scene.ts";

const eventWith = (text: string, server?: string): PostEvent => ({
  watch: "noticed",
  delivery: "C1/1.0",
  fingerprint: text,
  title: text,
  text,
  link: null,
  at: 1,
  post: "1.0",
  person: { place: "C1", author: "slack:UBOB", ...(server === undefined ? {} : { server }) },
});

type Outcome = Awaited<ReturnType<PricedModel["model"]["respond"]>>;

const DECIDED = textAnswer('{"decision":"nothing","link":null,"reason":"r"}');

interface Options {
  readonly outcome?: Outcome;
  readonly lookBudget?: number | null;
  readonly postsPerHour?: number;
  readonly notes?: readonly string[];
}

const lookingWith = ({ outcome = DECIDED, lookBudget = null, postsPerHour = 60, notes = [] }: Options) => {
  const spent: [readonly string[], number][] = [];
  const left: string[] = [];
  let asked = 0;
  const { rows } = openMemory();
  const looks = createLookRows(rows, silentLog);
  const first = createFirstLooks({
    clock: systemClock,
    log: silentLog,
    models: { first: "test", all: ["test"], knows: () => true },
    model: "test",
    priced: () => ({
      model: {
        respond: async () => {
          asked += 1;
          return outcome;
        },
      },
      // One millionth of a dollar a token.
      prices: () => ({ input: 1, output: 0, cacheRead: 0, cacheWrite: 0 }),
    }),
    chat: { channel: () => null },
    budgets: {
      standings: ({ server, place }: { readonly server: string | null; readonly place: string }) =>
        [`server ${server}`, `place ${place}`].map((scope) => ({ scope, most: null, spent: 0 })),
    },
    purse: {
      account: () => null,
      today: () => "2026-11-30",
      spend: async (_: string, scopes: readonly string[], amount: number) => {
        spent.push([scopes, amount]);
        return { kind: "done" };
      },
    },
    looks,
    rows: { begunSince: () => [] },
    matters: { find: async () => [] },
    channelNotes: () => notes,
    leftOut: { count: (_: string, bound: string) => void left.push(bound) },
    money: () => ({ most: null, spent: 0 }),
  } as never);
  const watch = watchWith(
    { ...PEOPLE_SOURCE, lookBudget, postsPerHour },
    { id: "noticed", instructions: "Find bugs" },
  );
  const look = (event: PostEvent) => first.look(watch, event, new AbortController().signal);
  return { look, spent, left, asked: () => asked, listed: () => looks.lately("noticed", 10) };
};

it("an aborted look is charged, and repeated later", async () => {
  const usage = {
    inputTokens: 1,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costMicroUsd: 70,
  };
  const { look, spent } = lookingWith({ outcome: { kind: "aborted", usage } as never });
  expect(await look(eventWith("lunch?"))).toEqual({ kind: "later" });
  expect(spent).toEqual([[["server null", "place C1"], 70]]);
});

describe("an aborted look counts in the limits of its own watch", () => {
  const aborted = { kind: "aborted", usage: { costMicroUsd: 3_000 } } as never;

  it.each([
    ["money for looks", { lookBudget: 3_000 }, "looks"],
    ["posts an hour", { postsPerHour: 1 }, "posts"],
  ] as const)("%s", async (_, limit, bound) => {
    const { look, left, asked, listed } = lookingWith({ outcome: aborted, ...limit });
    expect(await look(eventWith("lunch?"))).toEqual({ kind: "later" });
    expect(await look(eventWith("lunch?"))).toEqual({ kind: "left" });
    expect(left).toEqual([bound]);
    expect(asked()).toBe(1);
    // The post has no decision that a person could correct.
    expect(listed()).toEqual([]);
  });

  it("without a limit, the post gets another look", async () => {
    const { look, asked } = lookingWith({ outcome: aborted });
    await look(eventWith("lunch?"));
    expect(await look(eventWith("lunch?"))).toEqual({ kind: "later" });
    expect(asked()).toBe(2);
  });
});

it("the server of the post pays", async () => {
  const outcome = { ...DECIDED, usage: { costMicroUsd: 100 } } as never;
  const { look, spent } = lookingWith({ outcome });
  expect(await look(eventWith("lunch?", "G1"))).toMatchObject({ kind: "decided" });
  expect(spent).toEqual([[["server G1", "place C1"], 100]]);
});

describe("the price of a request is weighed with its real length, before the model is asked", () => {
  const long = { lookBudget: 3_000 };

  it.each([
    ["a short request may be asked", { ...long }, 1, []],
    ["a long request is left out", { ...long, notes: ["n".repeat(8_000)] }, 0, ["looks"]],
  ])("%s", async (_, options, asked, left) => {
    const looking = lookingWith(options);
    await looking.look(eventWith("lunch?"));
    expect(looking.asked()).toBe(asked);
    expect(looking.left).toEqual(left);
  });

  it("bytes count, not characters", async () => {
    const looking = lookingWith({ lookBudget: 3_500 });
    await looking.look(eventWith("あ".repeat(3_900)));
    expect(looking.asked()).toBe(0);
  });
});

it("on Discord, a look at a post is charged to the post's server", async () => {
  const rig = await createRig({ answer: deciding(crashes) });
  const place = rig.fake.world.channelNamed("general").id;
  const order = { surface: "discord", place, source: PEOPLE_SOURCE, name: "noticed", mode: null } as const;
  await watchingOf(rig).book.add({ ...order, instructions: "Find bugs", by: "discord:1" });
  rig.fake.as("bob").say("general", "lunch?");
  const guild = rig.fake.world.channelNamed("general").guild;
  const servers = () =>
    rig.purse
      .all([rig.purse.today() ?? new Date().toISOString().slice(0, 10)])
      .filter(({ scope }) => scope.startsWith("server:"));
  await expect.poll(servers).toMatchObject([{ scope: `server:discord:${guild}`, amount: 100 }]);
  const crash = rig.fake.as("bob").say("general", "It crashes");
  await rig.reads(crash.id, /Answer \d\./);
  const [one] = rig.bot.list(10, null);
  expect((await rig.bot.read(one?.conversation.id ?? "c-0"))?.conversation.server).toBe(guild);
});
