/**
 * Prompt cache accounting by prefix hash, so that a test can assert on the wire that a prefix is read and not paid again.
 *
 * C1 An entry stands only where a breakpoint asked for it, and only if its prefix reaches the model's floor.
 * C2 A breakpoint reads the longest entry at or before it, at most 20 blocks back.
 * C3 What is between the longest entry read and the last breakpoint is written; what is after it is plain input.
 * C4 tool_choice and thinking are part of the prefix from the first message on; the model is part of all of it.
 * C5 An entry is there from the beginning of the answer that writes it, until its time to live has passed unread.
 */

import { createHash } from "node:crypto";
import { type PrefixBlock, type PromptBody, promptTokens } from "./prefix.ts";

export interface CacheUsage {
  readonly input: number;
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}

interface CacheAccount {
  readonly usage: CacheUsage;
  /** Makes the entries that this request writes available (C5). */
  readonly commit: () => void;
}

export interface PrefixCache {
  account(body: PromptBody, blocks: readonly PrefixBlock[], floor: number): CacheAccount;
}

const lookBack = 20;
const lifetimes = { "5m": 5 * 60_000, "1h": 60 * 60_000 };

/** `now` is in milliseconds and only decides which entries have expired. */
export const createPrefixCache = (now: () => number): PrefixCache => {
  const entries = new Map<string, { readonly ttl: "5m" | "1h"; readonly until: number }>();
  const keep = (hash: string, ttl: "5m" | "1h"): void => {
    entries.set(hash, { ttl, until: now() + lifetimes[ttl] });
  };

  return {
    account: (body, blocks, floor) => {
      const positions = positionsOf(body, blocks);
      const marks = positions.filter((position) => position.ttl !== undefined && position.tokens >= floor);
      const hit = positions
        .filter((position) => marks.some((mark) => isWithinReach(position, mark)))
        .findLast((position) => (entries.get(position.hash)?.until ?? 0) > now());
      const read = hit?.tokens ?? 0;
      const last = marks.at(-1)?.tokens ?? 0;
      const lastHour = Math.max(read, marks.findLast((mark) => mark.ttl === "1h")?.tokens ?? 0);
      return {
        usage: {
          read,
          write1h: lastHour - read,
          write5m: last - lastHour,
          input: promptTokens(blocks) - last,
        },
        commit: () => {
          const found = hit === undefined ? undefined : entries.get(hit.hash);
          if (hit !== undefined && found !== undefined) {
            keep(hit.hash, found.ttl);
          }
          for (const mark of marks) {
            keep(mark.hash, mark.ttl ?? "5m");
          }
        },
      };
    },
  };
};

interface Position {
  readonly index: number;
  readonly hash: string;
  /** Tokens of the prompt up to and with this block. */
  readonly tokens: number;
  readonly ttl: "5m" | "1h" | undefined;
}

const isWithinReach = (position: Position, mark: Position): boolean =>
  position.index <= mark.index && position.index >= mark.index - lookBack;

const positionsOf = (body: PromptBody, blocks: readonly PrefixBlock[]): readonly Position[] => {
  let hash = hashOf(body.model, "");
  let tokens = 0;
  let section: PrefixBlock["section"] = "tools";
  return blocks.map((block, index) => {
    if (block.section === "messages" && section !== "messages") {
      hash = hashOf(hash, JSON.stringify([body.tool_choice ?? null, body.thinking ?? null]));
    }
    section = block.section;
    hash = hashOf(hash, `${block.section}${block.json}`);
    tokens += block.weight;
    return { index, hash, tokens, ttl: longest(block.breakpoints) };
  });
};

const longest = (breakpoints: PrefixBlock["breakpoints"]): "5m" | "1h" | undefined =>
  breakpoints.includes("1h") ? "1h" : breakpoints[0];

const hashOf = (before: string, text: string): string =>
  createHash("sha256").update(before).update("\n").update(text).digest("base64");
