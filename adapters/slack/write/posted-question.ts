/**
 * A person's question put into a thread, or a thread opened with it. It carries its id in Slack's metadata, and the
 * thread is looked at first, so that a crash between the call and what follows puts nothing twice.
 */

import type { types, webApi } from "@slack/bolt";
import * as z from "zod";
import type { ChatPlatform, PutResult } from "../../../src/ports/chat-platform.ts";
import { section } from "./blocks.ts";
import { troubleOf } from "./failure.ts";
import { escaped } from "./markup.ts";

const EVENT_TYPE = "parley_question";
const MAX_TEXT = 2_900;
/** Messages that are looked through for one that was put before. */
const LOOK_BACK = 20;

export const createPostedQuestion =
  (client: webApi.WebClient): ChatPlatform["put"] =>
  ({ place, root }, { id, person, text }) => {
    const [first = "", ...more] = quoted(text);
    const shown = [`<@${person}> asks:\n${first}`, ...more];
    return postOnce(
      client,
      { place, root, id },
      {
        text: `A question: ${escaped(text).slice(0, 200)}`,
        blocks: shown.map(section),
      },
    );
  };

interface Spot {
  readonly place: string;
  /** Null: at the top of the channel. */
  readonly root: string | null;
  /** Unique: what carries it is put once. */
  readonly id: string;
}

/** Looks among the newest messages first, and again where no acknowledgement came. */
export const postOnce = async (
  client: webApi.WebClient,
  spot: Spot,
  content: { readonly text: string; readonly blocks: types.KnownBlock[] },
): Promise<PutResult> => {
  const { place, root, id } = spot;
  try {
    const before = await found(client, spot);
    if (before !== null) return { kind: "put", message: before };
    const answer = await client.apiCall("chat.postMessage", {
      channel: place,
      ...content,
      metadata: { event_type: EVENT_TYPE, event_payload: { key: id } },
      unfurl_links: false,
      unfurl_media: false,
      ...(root === null ? {} : { thread_ts: root }),
    });
    return { kind: "put", message: posted.parse(answer).ts };
  } catch (error) {
    return lookAgain(client, spot, error);
  }
};

/** No acknowledgement came: it may stand there all the same. */
const lookAgain = async (client: webApi.WebClient, spot: Spot, error: unknown): Promise<PutResult> => {
  if (troubleOf(error).kind !== "unknown") return refusal(error);
  try {
    const there = await found(client, spot);
    return there === null ? refusal(error) : { kind: "put", message: there };
  } catch (again) {
    return refusal(again);
  }
};

const found = async (client: webApi.WebClient, { place, root, id }: Spot): Promise<string | null> => {
  const range = { channel: place, include_all_metadata: true, limit: LOOK_BACK };
  const answer =
    root === null
      ? await client.conversations.history(range)
      : await client.conversations.replies({ ...range, ts: root });
  const ours = page.parse(answer).messages.find(({ metadata }) => {
    const carried = payload.safeParse(metadata);
    return carried.success && carried.data.event_payload.key === id;
  });
  return ours?.ts ?? null;
};

/** The whole of it, each part short enough for a block. */
export const quoted = (text: string): readonly string[] => {
  const parts: string[] = [];
  let part = ">";
  for (const [one] of escaped(text).matchAll(/&(?:amp|lt|gt);|[^]/gu)) {
    if (part.length >= MAX_TEXT) {
      parts.push(part);
      part = ">";
    }
    part += one === "\n" ? "\n>" : one;
  }
  return [...parts, part];
};

export const refusal = (error: unknown): PutResult => {
  const trouble = troubleOf(error);
  const why = trouble.kind === "throttled" ? "Slack asks to wait" : trouble.why;
  return {
    kind: "refused",
    why: NOT_IN.has(why)
      ? "I am not in this conversation. Invite me to the channel (`/invite`), or write to me directly, and ask again."
      : `Slack did not take the question (${why}). Please try again.`,
  };
};

const NOT_IN = new Set(["not_in_channel", "channel_not_found"]);

const posted = z.object({ ts: z.string() });
const page = z.object({ messages: z.array(z.object({ ts: z.string(), metadata: z.unknown().optional() })) });
const payload = z.object({
  event_type: z.literal(EVENT_TYPE),
  event_payload: z.object({ key: z.string() }),
});
