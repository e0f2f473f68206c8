/**
 * A person's question put into a thread, or a thread opened with it. It carries its id in Slack's metadata, and the
 * thread is looked at first, so that a crash between the call and what follows puts nothing twice.
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
/** How far back a channel is read for what was put before, if the time of the first attempt is not known. */
const LOOK_BACK: Millis = DAY;
/** Our clock and Slack's differ. */
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
  /** Null: at the top of the channel. */
  readonly root: string | null;
  /** Unique: what carries it is put once. */
  readonly id: string;
  /** When it was first tried at the earliest; null if that is not known. */
  readonly since: Millis | null;
  /** The message that reads so from now on; null or absent: another one is put. */
  readonly edits?: string | null;
}

interface Shown {
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}

export const postOnce = async (client: webApi.WebClient, spot: Spot, content: Shown): Promise<PutResult> => {
  try {
    return { kind: "put", message: await ensurePosted(client, spot, content) };
  } catch (error) {
    return refusal(error);
  }
};

/** Looks for it first, from the first attempt on, and again where no acknowledgement came. Rejects as the client does. */
export const ensurePosted = async (client: webApi.WebClient, spot: Spot, content: Shown): Promise<string> => {
  const { place, root, id, edits = null } = spot;
  if (edits !== null) return editMessage(client, place, edits, content);
  const before = await found(client, spot);
  if (before !== null) return before;
  try {
    return await postSlackMessage(client, {
      channel: place,
      ...content,
      metadata: keys.carrying(id),
      ...(root === null ? {} : { thread_ts: root }),
    });
  } catch (error) {
    const there = slackFailureOf(error).kind === "unknown" ? await found(client, spot) : null;
    if (there === null) throw error;
    return there;
  }
};

const found = async (client: webApi.WebClient, { place, root, id, since }: Spot): Promise<string | null> => {
  // A thread is read whole if the time is not known.
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

/** The whole of it, each part short enough for a block. */
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
