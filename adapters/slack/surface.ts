/**
 * The surface port on Slack's Web API. One member is one call (`observe`: one for each page); nothing is retried
 * here, because a repeat of a call that may have been applied is the deliverer's to decide (platforms.md 0.5).
 *
 * Our messages carry their key and the hash of their content in Slack's message metadata, so that a lost
 * acknowledgement is settled by looking.
 */

import { webApi } from "@slack/bolt";
import * as z from "zod";
import type {
  CallKind,
  Content,
  Limits,
  Observed,
  Operation,
  Outcome,
  Seen,
  Surface,
  Thread,
} from "../../src/runtime/ports-surface.ts";
import { blocksOf, fallbackOf } from "./blocks.ts";
import { troubleOf } from "./failure.ts";
import { escaped } from "./markup.ts";

const EVENT_TYPE = "parley_post";
const PAGE = 200;
/** How long a call may take before its fate counts as unknown. */
const TIMEOUT = 15_000;

/** `apiUrl`: another root of the Web API (SLACK_API_URL). */
export const createSlackClient = (
  token: string,
  options: { readonly apiUrl?: string; readonly timeout?: number } = {},
): webApi.WebClient =>
  new webApi.WebClient(token, {
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: options.timeout ?? TIMEOUT,
    logLevel: webApi.LogLevel.ERROR,
    ...(options.apiUrl === undefined ? {} : { slackApiUrl: options.apiUrl }),
  });

/** Slack's published pace (platforms.md A.5): 50 edits a minute for the workspace, one message a second a channel. */
export const slackLimits: Limits = {
  text: 3_800,
  observes: true,
  burst: 20,
  callEvery: 600,
  parallel: 8,
  editEvery: 1_500,
  editAtMost: 60_000,
  routeOf: (call: CallKind, thread: Thread): string => {
    switch (call) {
      case "send":
        return `chat.postMessage ${thread.place}`;
      case "edit":
        return "chat.update";
      case "delete":
        return "chat.delete";
      case "read":
        return "conversations.replies";
    }
  },
};

export const createSlackSurface = (client: webApi.WebClient, limits: Limits = slackLimits): Surface => ({
  limits,

  open: (thread) =>
    attempt(async () => {
      const answer = await client.conversations.replies({
        channel: thread.place,
        ts: thread.root,
        limit: 1,
      });
      page.parse(answer);
      return { kind: "done", id: thread.root };
    }),

  apply: (operation) => attempt(() => apply(client, operation)),

  observe: (thread, since) => attempt(() => observe(client, thread, since)),

  answer: ({ place, root, person }, text) =>
    attempt(async () => {
      const answer = await client.chat.postEphemeral({
        channel: place,
        user: person,
        text: escaped(text),
        ...(root === null ? {} : { thread_ts: root }),
      });
      return { kind: "done", id: whispered.parse(answer).message_ts };
    }),
});

const apply = (client: webApi.WebClient, operation: Operation): Promise<Outcome> => {
  switch (operation.kind) {
    case "send":
      return send(client, operation, operation.content, operation.hash);
    case "status":
      return operation.id === null
        ? send(client, operation, operation.content, null)
        : edit(client, operation, operation.id, operation.content, null);
    case "edit":
    case "finish":
      return edit(client, operation, operation.id, operation.content, operation.hash);
    case "delete":
      return remove(client, operation.thread, operation.id);
  }
};

const send = async (
  client: webApi.WebClient,
  { thread, wire }: Operation,
  content: Content,
  hash: string | null,
): Promise<Outcome> => {
  const answer = await client.apiCall("chat.postMessage", {
    channel: thread.place,
    thread_ts: thread.root,
    ...wired(content, wire, hash),
    unfurl_links: false,
    unfurl_media: false,
  });
  const { ts, message } = posted.parse(answer);
  return message.thread_ts === thread.root ? { kind: "done", id: ts } : astray(client, thread, ts);
};

/** Where a thread's root was deleted Slack posts the reply to the channel: it is taken back. */
const astray = async (client: webApi.WebClient, thread: Thread, ts: string): Promise<Outcome> => {
  const removed = await attempt(() => remove(client, thread, ts));
  const left = removed.kind === "done" ? "" : "; one message of it was left in the channel";
  return { kind: "gone", what: "thread", why: `the thread's first message was deleted${left}` };
};

const edit = async (
  client: webApi.WebClient,
  { thread, wire }: Operation,
  id: string,
  content: Content,
  hash: string | null,
): Promise<Outcome> => {
  const answer = await client.chat.update({
    channel: thread.place,
    ts: id,
    ...wired(content, wire, hash),
  });
  return { kind: "done", id: edited.parse(answer).ts };
};

const remove = async (client: webApi.WebClient, thread: Thread, id: string): Promise<Outcome> => {
  await client.chat.delete({ channel: thread.place, ts: id });
  return { kind: "done", id };
};

const observe = async (client: webApi.WebClient, thread: Thread, since: string | null): Promise<Observed> => {
  const messages: Seen[] = [];
  let cursor = "";
  do {
    const answer = page.parse(
      await client.conversations.replies({
        channel: thread.place,
        ts: thread.root,
        include_all_metadata: true,
        limit: PAGE,
        ...(since === null ? {} : { oldest: since }),
        ...(cursor === "" ? {} : { cursor }),
      }),
    );
    messages.push(...answer.messages.flatMap(carriedBy));
    cursor = answer.response_metadata?.next_cursor ?? "";
  } while (cursor !== "");
  return { kind: "seen", messages };
};

/** What a message of ours carries; nothing where it is somebody else's. */
export const carriedBy = ({ ts, metadata }: z.output<typeof message>): readonly Seen[] => {
  const carried = payload.safeParse(metadata);
  if (!carried.success) return [];
  const { key, hash } = carried.data.event_payload;
  return [{ id: ts, wire: key, hash: hash ?? null }];
};

const wired = (content: Content, wire: string, hash: string | null) => ({
  text: fallbackOf(content),
  blocks: blocksOf(content),
  metadata: { event_type: EVENT_TYPE, event_payload: { key: wire, ...(hash === null ? {} : { hash }) } },
});

/** An answer that is not what it should be leaves open what was done. */
const attempt = async <T>(call: () => Promise<T>): Promise<T | ReturnType<typeof troubleOf>> => {
  try {
    return await call();
  } catch (error) {
    return troubleOf(error);
  }
};

const message = z.object({ ts: z.string(), metadata: z.unknown().optional() });
const page = z.object({
  messages: z.array(message),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});
const posted = z.object({
  ts: z.string(),
  message: z.object({ thread_ts: z.string().optional() }),
});
const edited = z.object({ ts: z.string() });
const whispered = z.object({ message_ts: z.string() });
const payload = z.object({
  event_type: z.literal(EVENT_TYPE),
  event_payload: z.object({ key: z.string(), hash: z.string().optional() }),
});
