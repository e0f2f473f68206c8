/** What the answers of a busy workspace cost in writes of the Web API, read from the fake's journal. Pure. */

import type { Call } from "../../fakes/slack/call.ts";
import type { Message } from "../../fakes/slack/world.ts";

export interface Answer {
  readonly channel: string;
  /** The thread's root. */
  readonly ts: string;
  /** How long the model took to say it. */
  readonly seconds: number;
  /** What the bot has shown in the thread, removed messages included, by timestamp. */
  readonly messages: ReadonlyMap<string, Message> & Map<string, Message>;
}

export interface Cost {
  /** Of each answer: its writes in proportion to what they may be. */
  readonly writes: readonly number[];
  /** Of each answer: the most writes of progress that fell into one second. */
  readonly most: readonly number[];
}

export interface Measured extends Cost {
  /** Milliseconds from each event to its acknowledgement. */
  readonly acks: readonly number[];
  /** Milliseconds from each mention to the first message in its thread. */
  readonly silences: readonly number[];
}

/** `every`: milliseconds between two edits. */
export const costOf = (answers: readonly Answer[], calls: readonly Call[], every: number): Cost => {
  const each = answers.map((answer) => ({ answer, writes: calls.filter((call) => carries(call, answer)) }));
  return {
    writes: each.map(
      ({ answer, writes }) => writes.length / (1.2 * (Math.ceil((answer.seconds * 1_000) / every) + 2)),
    ),
    most: each.map(({ writes }) =>
      mostInASecond(writes.filter(isProgress).map(({ exchange }) => exchange.at)),
    ),
  };
};

/** Writes that bring the answer or its progress: what the host says before and below it is no part of it. */
const carries = ({ method, args }: Call, { channel, ts: root, messages }: Answer): boolean => {
  if (!method.startsWith("chat.") || args["channel"] !== channel) return false;
  const ts = args["ts"];
  if (typeof ts !== "string")
    return args["thread_ts"] === root && !isOfHost(JSON.stringify(args["blocks"] ?? ""));
  const message = messages.get(ts);
  return message !== undefined && !isOfHost(JSON.stringify(message.blocks ?? ""));
};

const isOfHost = (blocks: string): boolean => blocks.includes("estricted · ");

const isProgress = ({ method }: Call): boolean => method.endsWith("Stream");

const mostInASecond = (times: readonly number[]): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
