/** Merges a pull request once, for every forge; an earlier try is searched for first. */

import { setTimeout as wait } from "node:timers/promises";
import type { MergedPull } from "../../../ports/draft-pulls.ts";
import type { MergeDesk } from "../ports/forge-writer.ts";
import type { MergeOrder, MergeStanding } from "../ports/merging.ts";
import type { ForgeQuery } from "./ask.ts";
import { once, retryIdempotent, type WriteAttempt } from "./idempotent.ts";

/** Requests of a merge to one pull request. */
export interface MergeClient {
  standing(): Promise<MergeStanding>;
  /** Head with which the pull request was merged; null if it is not merged. */
  outcome(): Promise<{ readonly url: string; readonly mergedHead: string | null }>;
  markReady(): Promise<void>;
  merge(order: MergeOrder): Promise<void>;
}

interface MergeForge {
  readonly ask: ForgeQuery<{
    merging(number: number): MergeClient;
    pulls(branch: string): Promise<readonly { readonly number: number; readonly url: string }[]>;
  }>;
  readonly isRefusal: WriteAttempt["isRefusal"];
  readonly described: (number: number) => string;
  readonly landed: (number: number, url: string) => MergedPull;
}

export const createMergeWriter = ({ ask, isRefusal, described, landed }: MergeForge): MergeDesk => {
  const outcomeOf = async (
    client: MergeClient,
    { number, headCommit }: Pick<MergeOrder, "number" | "headCommit">,
  ) => {
    const { url, mergedHead } = await client.outcome();
    return { pull: landed(number, url), isDone: mergedHead === headCommit };
  };
  return {
    mergeStanding: (number, signal) =>
      ask(described(number), signal, (client) => client.merging(number).standing()),
    lastPullOf: (branch, signal) =>
      ask("branch", signal, async (client) => {
        const [last] = await client.pulls(branch);
        return last === undefined ? null : landed(last.number, last.url);
      }),
    markReady: (number, signal) =>
      ask(described(number), signal, async (client) => {
        await retryIdempotent(isRefusal, () => client.merging(number).markReady());
        return null;
      }),
    mergedWith: (number, headCommit, signal) =>
      ask(described(number), signal, async (client) => {
        const { pull, isDone } = await outcomeOf(client.merging(number), { number, headCommit });
        return isDone ? pull : null;
      }),
    mergePull: (order, mark, signal) =>
      ask(described(order.number), signal, async (asked) => {
        const client = asked.merging(order.number);
        const found = async () => {
          const { pull, isDone } = await outcomeOf(client, order);
          return isDone ? pull : null;
        };
        return once({ mark, signal, isRefusal }, found, async () => {
          const { pull } = await outcomeOf(client, order);
          await client.merge(order);
          return pull;
        });
      }),
  };
};

const MAX_READS = 5;
/** Milliseconds between two reads of a state that the forge computes in the background. */
const BETWEEN = 400;

/** Reads again while the forge still computes the state; returns the last read. */
export const readSettled = async <T>(
  read: () => Promise<T>,
  isSettled: (value: T) => boolean,
  signal: AbortSignal,
): Promise<T> => {
  for (let reads = 1; ; reads += 1) {
    const value = await read();
    if (isSettled(value) || reads >= MAX_READS) return value;
    await wait(BETWEEN, undefined, { signal });
  }
};
