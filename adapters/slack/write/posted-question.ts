/**
 * Posts a person's question into a thread, or opens a thread with it. The question carries its id in Slack's
 * metadata, and the thread is searched first, so that a crash after the call causes no second post.
 */

import type { types, webApi } from "@slack/bolt";
import * as z from "zod";
import type { ChatPlatform, PutResult } from "../../../src/ports/chat-platform.ts";
import { DAY, type Millis } from "../../../src/machine/id.ts";
import { whyOf } from "../../../src/ports/surface.ts";
import { signedBlocks } from "./blocks.ts";
import { slackFailureOf } from "../api/failure.ts";
import { tsAt } from "../read/message.ts";
import { createKeys, editMessage, keyedMessage, postSlackMessage } from "./keyed.ts";
import { escapeMarkup } from "./markup.ts";

const keys = createKeys("parley_question");
const MAX_TEXT = 2_900;
/** Duration of the searched period of a channel if the time of the first attempt is unknown. */
const LOOK_BACK: Millis = DAY;
/** Tolerance between the host's clock and Slack's. */
const SKEW: Millis = 5 * 60_000;
const PAGE = 999;
const PAGES = 20;

export const createSlackPostedQuestion =
  (client: webApi.WebClient): ChatPlatform["put"] =>
  ({ place, root }, { id, person, text, say, since = null }) => {
    const [first = "", ...more] = quoteForSlack(text);
    const shown = [`${say("{person} asks:", { person: `<@${person}>` })}\n${first}`, ...more];
    return postOnce(
      client,
      { place, root, id, since },
      {
        text: say("A question: {text}", { text: escapeMarkup(text).slice(0, 200) }),
        blocks: signedBlocks(shown),
      },
    );
  };

interface Spot {
  readonly place: string;
  /** Null means the top of the channel. */
  readonly root: string | null;
  /** Unique id; a message with this id is posted once. */
  readonly id: string;
  /** Earliest time of the first attempt; null if unknown. */
  readonly since: Millis | null;
  /** Message to change; null or absent posts a new one. */
  readonly edits?: string | null;
}

interface Shown {
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}

export const postOnce = async (client: webApi.WebClient, spot: Spot, content: Shown): Promise<PutResult> => {
  try {
    const { message, isRepeat } = await ensure(client, spot, content);
    return { kind: "put", message, ...(isRepeat ? { isRepeat: true as const } : {}) };
  } catch (error) {
    return refusal(error);
  }
};

/**
 * Posts the message unless the search finds it; searches again after a lost acknowledgement. Rejects as the
 * client does.
 */
export const ensurePosted = async (client: webApi.WebClient, spot: Spot, content: Shown): Promise<string> =>
  (await ensure(client, spot, content)).message;

/** `isRepeat`: an earlier call had posted the message. */
const ensure = async (
  client: webApi.WebClient,
  spot: Spot,
  content: Shown,
): Promise<{ readonly message: string; readonly isRepeat: boolean }> => {
  const { place, root, id, edits = null } = spot;
  if (edits !== null) return { message: await editMessage(client, place, edits, content), isRepeat: false };
  const before = await found(client, spot);
  if (before !== null) return { message: before, isRepeat: true };
  try {
    const message = await postSlackMessage(client, {
      channel: place,
      ...content,
      metadata: keys.carrying(id),
      ...(root === null ? {} : { thread_ts: root }),
    });
    return { message, isRepeat: false };
  } catch (error) {
    const there = slackFailureOf(error).kind === "unknown" ? await found(client, spot) : null;
    if (there === null) throw error;
    return { message: there, isRepeat: false };
  }
};

const found = async (client: webApi.WebClient, { place, root, id, since }: Spot): Promise<string | null> => {
  // A thread is read completely if the time is unknown.
  const from = since ?? (root === null ? Date.now() - LOOK_BACK : 0);
  const asked = { channel: place, oldest: tsAt(from - SKEW), include_all_metadata: true, limit: PAGE };
  const pages =
    root === null
      ? client.paginate("conversations.history", asked)
      : client.paginate("conversations.replies", { ...asked, ts: root });
  let count = 0;
  for await (const one of pages) {
    count += 1;
    const there = page.parse(one).messages.find(({ metadata }) => keys.isCarried(id, metadata));
    if (there !== undefined) return there.ts;
    if (!one.response_metadata?.next_cursor || count === PAGES) break;
  }
  return null;
};

/** Quotes the whole text, in parts that each fit into a block. */
export const quoteForSlack = (text: string): readonly string[] => {
  const parts: string[] = [];
  let part = ">";
  for (const [one] of escapeMarkup(text).matchAll(/&(?:amp|lt|gt);|[^]/gu)) {
    if (part.length >= MAX_TEXT) {
      parts.push(part);
      part = ">";
    }
    part += one === "\n" ? "\n>" : one;
  }
  return [...parts, part];
};

const refusal = (error: unknown): PutResult => {
  const why = whyOf(slackFailureOf(error), "Slack");
  return {
    kind: "refused",
    why: NOT_IN.has(why)
      ? "I am not in this conversation. Invite me to the channel (`/invite`), or write to me directly, and ask again."
      : `Slack did not take the question (${why}). Please try again.`,
  };
};

const NOT_IN = new Set(["not_in_channel", "channel_not_found"]);

const page = z.object({ messages: z.array(keyedMessage) });
