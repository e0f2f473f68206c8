/** What goes wrong during a soak: a share of the requests of each kind, chosen by their numbers, so that each fault is met early. */

import type { FakeAnthropic } from "../fakes/anthropic/fake.ts";
import type { Fault as ModelFault } from "../fakes/anthropic/fault.ts";
import type { FakeDiscord } from "../fakes/discord/fake.ts";
import type { Fault as DiscordFault } from "../fakes/discord/fault.ts";
import type { FakeSlack } from "../fakes/slack/fake.ts";
import type { Fault as SlackFault } from "../fakes/slack/fault.ts";

/** The fault, and of how many requests of its kind one meets it: primes, so that they fall on every message. */
type Plan<F> = readonly (readonly [F, number])[];

const onSlack: Plan<SlackFault> = [
  [{ kind: "status", status: 429, retryAfter: "1" }, 101],
  [{ kind: "status", status: 500 }, 103],
  [{ kind: "cut", applied: true, how: "reset" }, 107],
  [{ kind: "cut", applied: false, how: "reset" }, 109],
];
const onDiscord: Plan<DiscordFault> = [
  [{ kind: "limited", retryAfter: 0.5 }, 101],
  [{ kind: "status", status: 502, body: "html" }, 103],
  [{ kind: "cut", applied: true, how: "reset" }, 107],
  [{ kind: "cut", applied: false, how: "reset" }, 109],
];
const onModel: Plan<ModelFault> = [
  [{ kind: "status", status: 529 }, 101],
  [{ kind: "status", status: 500 }, 103],
  [{ kind: "reset" }, 107],
  [{ kind: "cut", afterDeltas: 1 }, 109],
  [{ kind: "stall", afterDeltas: 1 }, 997],
];

/** Whether the next request is one of those. Frequent faults are met by the first twenty; a rare one, which takes minutes, is not. */
const everyNth = (nth: number, index: number): (() => boolean) => {
  const first = nth > 500 ? Math.floor(nth / 2) : 5 + 3 * index;
  let count = 0;
  return () => ++count % nth === first;
};

/** Answers how many requests were spoiled so far. */
export const addFaults = ({
  slack,
  discord,
  model,
}: {
  readonly slack: FakeSlack;
  readonly discord: FakeDiscord;
  readonly model: FakeAnthropic;
}): (() => number) => {
  let spoiled = 0;
  const always = { times: Number.POSITIVE_INFINITY };
  const counted = (isMet: boolean): boolean => {
    if (isMet) spoiled += 1;
    return isMet;
  };
  for (const [index, [fault, nth]] of onSlack.entries()) {
    const isMet = everyNth(nth, index);
    slack.fault(fault, {
      ...always,
      match: ({ method }) => counted(method.startsWith("chat.") && isMet()),
    });
  }
  for (const [index, [fault, nth]] of onDiscord.entries()) {
    const isMet = everyNth(nth, index);
    discord.fault(fault, {
      ...always,
      match: ({ route }) => counted(route.startsWith("POST /channels/") && isMet()),
    });
  }
  for (const [index, [fault, nth]] of onModel.entries()) {
    const isMet = everyNth(nth, index);
    model.fault(fault, { ...always, match: () => counted(isMet()) });
  }
  return () => spoiled;
};
