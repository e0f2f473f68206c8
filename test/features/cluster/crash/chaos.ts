/**
 * Hosts at work, people in threads of Slack and at every host's console and gateway, and ends of a host while they talk. Each thread comes
 * out as on a calm day, each numbered message is answered once.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Chance } from "../../../crash/adversary/chance.ts";
import type { Task } from "../../../crash/answers.ts";
import { type Alice, live, threadOf } from "../../../crash/platforms/person.ts";
import type { FakeDiscord } from "../../../fakes/discord/fake.ts";
import { plainly } from "../../../crash/plainly.ts";
import { createCallers, type Door } from "./callers.ts";
import type { Fleet, FleetHost, Moment } from "./fleet.ts";
import { until, within } from "./within.ts";

/** When a host ends: at what it does, at a question, or whatever it does then. */
export type Trouble = Moment | "a question" | "at random";
/** How: SIGKILL, or SIGSTOP until others have taken over, and SIGCONT. */
export type End = "kill" | "freeze";

const NAMES = ["one", "two", "three"] as const;
export const CHANNELS = ["general", "team"] as const;
const TASKS: readonly Task[] = ["change", "list"];
/** Seconds after which the host ends also where it never came to what it was to end at. */
const POINTLESS = 5;

/** What a takeover adds to a thread whose checkout came along. */
const MOVED = /^.*Another host has taken over this thread\.[^\n]*\n?/gm;

export interface Round {
  readonly end: End;
  /** By the order in which hosts joined: 0 leads. */
  readonly victim: number;
  readonly trouble: Trouble;
  readonly no: number;
  /** Calls of both platforms fail now and then. */
  readonly isStormy: boolean;
}

export const createChaos = async (fleet: Fleet, chance: Chance) => {
  const doors = new Map<string, Door>();
  const callers = createCallers(() => [...doors.values()]);
  /** In the order in which they joined. */
  let order: FleetHost[] = [];

  const comes = async (name: string): Promise<FleetHost> => {
    const host = await fleet.start(name);
    const { origin } = await host.active;
    doors.set(name, { name, origin });
    order = [...order.filter((one) => one.name !== name), host];
    return host;
  };
  const goes = (host: FleetHost): void => {
    doors.delete(host.name);
    order = order.filter((one) => one !== host);
  };
  const doorOf = ({ name }: FleetHost): Door => {
    const door = doors.get(name);
    if (door === undefined) throw new Error(`${name} has no door`);
    return door;
  };

  const threadsAre = (root: string, channel: string): string =>
    plainly(threadOf(fleet.slack, root, fleet.slack.world.channelNamed(channel).id)).replaceAll(MOVED, "");
  const talked = (channel: string, more: Partial<Alice> = {}): Promise<string> =>
    within(
      `a thread in ${channel}`,
      live(fleet.slack, { choice: "Approve", tasks: TASKS, channel, ...more }),
      () => `${latestIn(channel)}\n${fleet.facts()}`,
    );
  /** What stands in the channel's latest thread, for whoever reads of a failure. */
  const latestIn = (channel: string): string => {
    const { id } = fleet.slack.world.channelNamed(channel);
    const root = fleet.slack.world.messages(id).findLast(({ threadTs }) => threadTs === undefined);
    return root === undefined ? "" : fleet.slack.threadAsText(id, root.ts);
  };

  const [first, ...rest] = NAMES;
  await comes(first);
  await Promise.all(rest.map(comes));
  const calm = new Map<string, string>();
  await Promise.all(
    CHANNELS.map(async (channel) => calm.set(channel, threadsAre(await talked(channel), channel))),
  );

  /** Milliseconds from `since` until the rest does what `victim` did: take a message of its conversation, hear Slack and Discord. */
  const takenOver = async (
    victim: FleetHost,
    conversation: string,
    led: boolean,
    since: number,
  ): Promise<number> => {
    const [other] = order.filter((one) => one !== victim);
    if (other === undefined) throw new Error("nobody is left");
    const { promise: taken, resolve } = Promise.withResolvers<number>();
    const answered = callers.say(conversation, doorOf(other), () => resolve(performance.now()));
    answered.catch(() => undefined);
    const heard = led ? [until("an event that a new leader takes", said), connected(fleet.discord)] : [];
    const all = await within(`what ${victim.name} had taken over`, Promise.all([taken, ...heard]));
    await answered;
    return Math.max(...all) - since;
  };

  /** Something that wants no answer; what reaches a socket of the victim's alone is not acknowledged. */
  const said = async (): Promise<number | null> => {
    fleet.slack.as("bob").say("a nice day", { channel: "general" });
    const taken = fleet.slack.deliveries.at(-1)?.ended.then(() => performance.now());
    return Promise.race([taken ?? null, sleep(500, null)]);
  };

  const round = async ({ end, victim: at, trouble, no, isStormy }: Round): Promise<number> => {
    const victim = order[at % order.length];
    if (victim === undefined) throw new Error("there is no host");
    const led = fleet.leader(victim) === victim;
    const conversation = await callers.begin(doorOf(victim));
    await callers.say(conversation, doorOf(victim));
    const takeover = Promise.withResolvers<number>();
    let sent = Promise.resolve(0);
    let isHit = false;
    const hit = (): void => {
      if (isHit) return;
      isHit = true;
      const since = performance.now();
      if (end === "kill") {
        victim.process.kill("SIGKILL");
        goes(victim);
      } else {
        victim.process.kill("SIGSTOP");
        // Slack does so with a socket that answers no ping.
        for (const socket of fleet.slack.sockets.open) socket.cut();
        // What it had handed to the kernel goes out all the same.
        sent = sleep(500).then(() => victim.sent());
      }
      void takenOver(victim, conversation, led, since).then(takeover.resolve, takeover.reject);
    };
    takeover.promise.catch(() => undefined);

    const calls = isStormy ? storm(fleet, chance) : () => undefined;
    const isAsked = trouble === "a question";
    if (!isAsked && trouble !== "at random") victim.meet(trouble, no, hit);
    const threads = CHANNELS.map((channel, index) =>
      talked(channel, isAsked && index === 0 ? { before: hit } : {}),
    );
    const others = order.map(async (host) => {
      const id = await callers.begin(doorOf(host));
      for (let times = 0; times < 3; times += 1) await callers.say(id, times === 0 ? doorOf(host) : null);
    });
    const people = Promise.all([Promise.all(threads), ...others, callers.complete(`session ${no}`)]);
    people.catch(() => undefined);
    if (!isAsked) {
      void sleep(trouble === "at random" ? 200 + chance.below(3_000) : POINTLESS * 1_000, null, {
        ref: false,
      }).then(hit);
    }
    const [roots] = await people;
    calls();
    for (const [index, channel] of CHANNELS.entries()) {
      const root = roots[index] ?? "";
      // What a storm kept from a message that stands above the last one is brought up to date behind that.
      const isCalm = () => threadsAre(root, channel) === calm.get(channel) || null;
      if (isStormy) await until("a thread as on a calm day", isCalm).catch(() => undefined);
      expect(
        threadsAre(root, channel),
        `the thread in ${channel}, ${end} of ${victim.name} at ${trouble} ${no}`,
      ).toBe(calm.get(channel));
    }
    if (!isHit) hit();
    const took = await takeover.promise;
    if (end === "freeze") {
      victim.process.kill("SIGCONT");
      expect(await victim.ended()).toBe(4);
      expect(victim.sent()).toBe(await sent);
      goes(victim);
    }
    await comes(victim.name);
    return took;
  };

  return {
    callers,
    round,
    comes,
    goes,
    order: () => order,
    doorOf,
  };
};

/** When a connection is there that is not there now. */
const connected = ({ gateway }: FakeDiscord): Promise<number> => {
  const before = gateway.changes.length;
  return until("a connection to Discord", () =>
    gateway.changes.slice(before).some(({ kind }) => kind === "identified") ? performance.now() : null,
  );
};

/** One call in so many fails in one way or another, until what it answers is called; but connections can be opened. */
const ONCE_IN = 12;

const storm = ({ slack, model }: Fleet, chance: Chance): (() => void) => {
  let isOver = false;
  const fails = (): boolean => !isOver && chance.once(ONCE_IN);
  const always = { times: Number.POSITIVE_INFINITY };
  for (const fault of [
    { kind: "cut", applied: true, how: "reset" },
    { kind: "cut", applied: false, how: "reset" },
    { kind: "status", status: 503, body: "html" },
  ] as const)
    slack.fault(fault, { ...always, match: ({ method }) => method !== "apps.connections.open" && fails() });
  model.fault({ kind: "reset" }, { ...always, match: fails });
  model.fault({ kind: "status", status: 529 }, { ...always, match: fails });
  return () => {
    isOver = true;
  };
};
