/** An index over a wire-level forge and a site, with a clock that goes on when the keeper waits. */

import { expect, onTestFinished } from "vitest";
import { createConnectReach, type EgressReachDeps } from "../../../sandbox/egress/reach.ts";
import { parseNetwork } from "../../../sandbox/egress/address.ts";
import { createKnowledge, type Knowledge } from "../../../src/features/knowledge/knowledge.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { Archives } from "../../../src/ports/forge-archive.ts";
import type { SolvedThreads } from "../../../src/features/knowledge/threads.ts";
import type { Repo } from "../../../src/ports/conversation.ts";
import { createFakeForge, type FakeForge } from "../../fakes/forge/fake.ts";
import { scratch } from "../../scratch.ts";
import { conversationOf } from "../../store/plain.ts";
import { withForges } from "../../with-forges.ts";

export const NOON = Date.UTC(2026, 10, 2, 12);
export const repo: Repo = { kind: "url", location: "https://github.com/acme/shop.git" };
export const conversation = conversationOf("c-1", { repo, surface: "discord" });
export const TOKEN = "github_pat_0123456789";

export interface World {
  readonly knowledge: Knowledge;
  readonly clock: HandClock;
  /** What the channel has switched on. */
  entries: readonly string[];
}

export const forgeWith = async (): Promise<FakeForge> => {
  const fake = await createFakeForge(() => NOON);
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  fake.world.addRepo("acme/shop");
  fake.world.tokens.set(TOKEN, {
    repos: ["acme/shop"],
    permissions: ["metadata=read", "issues=read", "contents=read"],
  });
  return fake;
};

export const archivesOn = async (fake: FakeForge | null): Promise<Archives> => {
  const entries =
    fake === null
      ? []
      : [{ kind: "github-token", repos: ["acme/*"], api: fake.url, git: fake.url, token: TOKEN }];
  return (await withForges(...entries)).forge.archives;
};

/** The channel that asks. */
export const channel = { surface: "discord", place: "C1" } as const;

export const noThreads: SolvedThreads = {
  communityOf: ({ surface }) => surface,
  standing: () => Promise.resolve([]),
  read: () => Promise.resolve(null),
};

interface Options {
  readonly directory?: string;
  readonly pages?: number;
  readonly bytes?: number;
  /** Loopback is closed for pages, as it is in truth. */
  readonly isClosed?: boolean;
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /** Changes how pages are reached. */
  readonly reach?: Partial<EgressReachDeps>;
  /** Told when a source was read to its end. */
  readonly read?: () => void;
}

export const worldOn = async (
  fake: FakeForge | null,
  entries: readonly string[],
  options: Options = {},
): Promise<World> => {
  const { directory = scratch("knowledge"), pages = 1_000, bytes = 2 ** 30, isClosed = false } = options;
  const loopback = parseNetwork("127.0.0.0/8");
  const clock = handClock();
  const world = { entries };
  const knowledge = createKnowledge({
    directory,
    archives: await archivesOn(fake),
    reach: createConnectReach({
      rules: { names: null, networks: [] },
      lookup: options.lookup ?? (() => Promise.resolve([])),
      unsafeOpen: isClosed || loopback === null ? [] : [loopback],
      ...options.reach,
    }),
    userAgent: "parley-test",
    channels: () => (world.entries.length === 0 ? [] : [{ entries: world.entries, repo }]),
    channelOf: () => ({ entries: world.entries, repo }),
    threads: noThreads,
    read: options.read ?? (() => undefined),
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    bounds: { pages, bytes, every: HOUR },
  });
  onTestFinished(() => knowledge.close());
  return Object.assign(world, { knowledge, clock });
};

export const HOUR = 60 * 60_000;

export interface HandClock extends Clock {
  /** Goes on until whoever waits waits for longer than a minute. */
  quiet(): Promise<void>;
  /** So much later, and then as `quiet`. */
  pass(millis: number): Promise<void>;
}

export const handClock = (): HandClock => {
  let now = NOON;
  let timer: { readonly at: number; readonly fire: () => void } | null = null;
  let told = Promise.withResolvers<void>();
  const quiet = async (until = now + 60_000): Promise<void> => {
    for (;;) {
      if (timer === null) await told.promise;
      const due: typeof timer = timer;
      if (due === null) continue;
      if (due.at > until) return;
      now = Math.max(now, due.at);
      timer = null;
      told = Promise.withResolvers();
      due.fire();
    }
  };
  return {
    now: () => now,
    after: (delay, fire) => {
      const made = { at: now + delay, fire };
      timer = made;
      told.resolve();
      return () => {
        if (timer !== made) return;
        timer = null;
        told = Promise.withResolvers();
      };
    },
    quiet: () => quiet(),
    pass: async (millis) => {
      const until = now + millis;
      await quiet(until);
      now = Math.max(now, until);
    },
  };
};

/** What is found, by address, without the host. */
export const found = ({ knowledge }: World, query: string): readonly string[] => {
  const answer = knowledge.find(conversation, query);
  return answer.kind === "trouble"
    ? [answer.why]
    : answer.hits.map(({ address }) => new URL(address).pathname + new URL(address).hash);
};

/** A site on this machine; `asked`: the paths, in order. */
