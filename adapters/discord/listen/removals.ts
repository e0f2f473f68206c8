/**
 * Messages that were deleted while no session told of it: those of a live thread's conversation that are not among the
 * newest that Discord still has. What stands further back is not looked for, nor what was quoted of other people.
 */

import * as z from "zod";
import type { Place } from "../../../src/ports/conversation.ts";
import { named } from "../read/hearing.ts";
import { isNewer } from "../read/message.ts";
import { isUnknownMessage } from "../write/failure.ts";
import type { Calls } from "../write/api.ts";

const PAGE = 100;

export interface Deleted {
  readonly channel: string;
  readonly id: string;
}

/** Where the message is that has the thread's id: it hangs on it, it is a forum's post, or there is none. */
export type First = "channel" | "thread" | "none";

/** `sources`: ids of messages that the conversation holds. Rejects with what Discord says. */
export const deletedOf = async (
  calls: Calls,
  { place, root }: Place,
  sources: readonly string[],
  first: First,
): Promise<readonly Deleted[]> => {
  if (sources.length === 0) return [];
  const query = { limit: String(PAGE) };
  const page = messages.parse(await calls.call("GET", `/channels/${root}/messages`, { query }));
  const there = new Set(page.map(({ id }) => id));
  const oldest = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  const isLooked = (id: string): boolean =>
    (id !== root || first === "thread") && (oldest === null || isNewer(id, oldest));
  const gone = sources.filter((id) => isLooked(id) && !there.has(id)).map((id) => ({ channel: root, id }));
  const isBegun = first === "channel" && sources.includes(root) && !(await stands(calls, place, root));
  return isBegun ? [{ channel: place, id: root }, ...gone] : gone;
};

const stands = async (calls: Calls, channel: string, id: string): Promise<boolean> => {
  try {
    await calls.call("GET", `/channels/${channel}/messages/${id}`);
    return true;
  } catch (error) {
    if (isUnknownMessage(error)) return false;
    throw error;
  }
};

const messages = z.array(named);
