/** What goes wrong during a soak: a share of the requests of each kind, chosen by their numbers, so that none escapes. */

import type { FakeAnthropic } from "../fakes/anthropic/fake.ts";
import type { Fault as ModelFault } from "../fakes/anthropic/fault.ts";
import type { FakeDiscord } from "../fakes/discord/fake.ts";
import type { Fault as DiscordFault } from "../fakes/discord/fault.ts";
import type { FakeSlack } from "../fakes/slack/fake.ts";
import type { Fault as SlackFault } from "../fakes/slack/fault.ts";

/** The fault, and of how many requests one meets it: primes, so that they fall on every kind. */
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

const everyNth = (seq: number, nth: number): boolean => seq % nth === Math.floor(nth / 2);

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
  for (const [fault, nth] of onSlack) {
    const match: Parameters<FakeSlack["fault"]>[1] = {
      ...always,
      match: ({ method, seq }) => counted(method.startsWith("chat.") && everyNth(seq, nth)),
    };
    slack.fault(fault, match);
  }
  for (const [fault, nth] of onDiscord) {
    discord.fault(fault, {
      ...always,
      match: ({ route, exchange }) =>
        counted(route.startsWith("POST /channels/") && everyNth(exchange.seq, nth)),
    });
  }
  for (const [fault, nth] of onModel) {
    model.fault(fault, { ...always, match: ({ seq }) => counted(everyNth(seq, nth)) });
  }
  return () => spoiled;
};
