/**
 * The surface port on Slack's Web API. One member is one call (`observe`: one for each page). Nothing is
 * retried here, because a repeat of a call that may have been applied is the deliverer's decision (hazard
 * S5).
 *
 * Messages carry their key and the hash of their content in Slack's metadata, so that a lost acknowledgement
 * is resolved by reading the thread.
 */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type {
  Budget,
  Content,
  Limits,
  PostedMessages,
  Operation,
  SendOutcome,
  PlatformMessage,
  Surface,
  Thread,
} from "../../../src/ports/surface.ts";
import { blocksOf, fallbackOf } from "./blocks.ts";
import { readPages } from "../read/pages.ts";
import { readSingle } from "../read/single.ts";
import { attemptSlackCall } from "../api/failure.ts";
import { type AnswerStreams, createAnswerStreams } from "./answer-stream.ts";
import { createProgressStreams, type ProgressStreams } from "./stream.ts";
import { NO_SESSIONS, type SessionView } from "./sessions.ts";
import type { StreamGate } from "./stream-gate.ts";
import { isStream, streamId, tsOf } from "./stream-id.ts";
import { buildRequest } from "../../post/trouble.ts";
import { hintTo } from "./hint.ts";
import { createKeys, editMessage } from "./keyed.ts";
import { createSlackAnswer } from "./notes.ts";
import { createPlans, type WithPlans } from "./plans.ts";
import { sharedElsewhere, carriedByBlocks, UPLOAD_PATIENCE, type UploadTimes, upload } from "./upload.ts";

const keys = createKeys("parley_post");

const MINUTE = 60_000;
/** Part of a published limit that is used. The rest allows for calls that the network delays. */
const USED = 0.92;

/** Slack's published limit (hazard S7): calls of a method for the workspace in any minute. */
const perMinute = (name: string, calls: number): Budget => {
  const burst = Math.floor(calls * USED);
  return { name, burst, every: Math.ceil(MINUTE / burst), within: MINUTE };
};

/** At most fifteen in any minute; Slack's actual limit of twenty is undocumented. */
const START = { name: "chat.startStream", burst: 10, every: 12_000 };
const APPEND = perMinute("chat.appendStream", 100);
const STOP = perMinute("chat.stopStream", 20);
const UPDATE = perMinute("chat.update", 50);
const DELETE = perMinute("chat.delete", 50);
const READ = perMinute("conversations.replies", 50);
const UPLOAD = perMinute("files.completeUploadExternal", 100);
const STATUS = perMinute("assistant.threads.setStatus", 300);

/** One message per second in a channel, with short bursts. */
const postIn = (place: string): Budget => ({ name: `chat.postMessage ${place}`, burst: 5, every: 1_050 });

const PLAIN = {
  begin: START,
  upload: UPLOAD,
  edit: UPDATE,
  show: UPDATE,
  finish: UPDATE,
  delete: DELETE,
  read: READ,
  hint: STATUS,
};
const STREAMING = { ...PLAIN, edit: APPEND, show: APPEND, finish: STOP, delete: STOP };

const budgetOf: Limits["budgetOf"] = (call, { place }, id) => {
  if (call === "send") return postIn(place);
  return (id !== null && isStream(id) ? STREAMING : PLAIN)[call];
};

export const slackLimits: Limits = {
  text: 7_500,
  units: "bytes",
  observes: true,
  budgetOf,
  begins: () => false,
  parallel: 8,
  // In a channel the progress message notifies; in a direct message its reader waits for it.
  patienceOf: ({ place }) => (place.startsWith("D") ? 5_000 : 30_000),
  hintLasts: 90_000,
  editEvery: 600,
  // Slack limits this number of messages more strictly. It bounds the work of a host whose workspace has larger limits.
  editShared: 1_750,
  editAtMost: 60_000,
  routeOf: (...given) => budgetOf(...given).name,
};

/** A session shows the work without words. An answer that begins sooner needs no words of it. */
const HINT_AFTER: Millis = 700;

/** `patience`: times for files. */
export const createSlackSurface = (
  client: webApi.WebClient,
  { native, limits = slackLimits, patience = UPLOAD_PATIENCE }: Options,
): Surface => {
  const { gate, sessions = NO_SESSIONS } = native;
  const doing: Doing = {
    client,
    patience,
    plans: createPlans(),
    gate,
    progress: createProgressStreams({ client, gate, sessions }),
    answers: createAnswerStreams({ client, ...native, sessions, carried: carriedAt(client) }),
  };
  return {
    limits: {
      ...limits,
      begins: (thread, person) => gate.recipient(thread.place, person) !== null,
      hintAfter: (thread) => (sessions.statusOf(thread) === null ? 0 : HINT_AFTER),
    },

    open: (thread) =>
      attemptSlackCall(async () => {
        const answer = await client.conversations.replies({
          channel: thread.place,
          ts: thread.root,
          limit: 1,
        });
        page.parse(answer);
        return { kind: "done", id: thread.root };
      }),

    apply: (operation) => attemptSlackCall(() => apply(doing, operation)),

    hint: hintTo(client, sessions),

    observe: (thread, since) => attemptSlackCall(() => observe(doing, thread, since)),

    answer: createSlackAnswer(client),
  };
};

interface Options {
  /** `sessions`: absent without agent sessions. */
  readonly native: { readonly gate: StreamGate; readonly clock: Clock; readonly sessions?: SessionView };
  readonly limits?: Limits;
  readonly patience?: UploadTimes;
}

interface Doing {
  readonly client: webApi.WebClient;
  readonly patience: UploadTimes;
  readonly plans: WithPlans;
  readonly gate: StreamGate;
  readonly progress: ProgressStreams;
  readonly answers: AnswerStreams;
}

const apply = async (doing: Doing, operation: Operation): Promise<SendOutcome> => {
  const { client, patience, plans, answers } = doing;
  switch (operation.kind) {
    case "send":
      return (
        (await answers.send(operation)) ??
        plans(operation.content, (content) => send(client, operation, content, operation.hash))
      );
    case "upload":
      return plans(operation.content, (content) => upload(client, { ...operation, content }, patience));
    case "status":
      return show(doing, operation);
    case "edit":
    case "finish":
      return plans(
        operation.content,
        async (content) =>
          (await answers.change(operation, content, keys.carrying(operation.wire, operation.hash))) ??
          edit(client, operation, operation.id, content, operation.hash),
      );
    case "delete":
      doing.progress.forget(operation.wire);
      await answers.remove(operation.thread, operation.id);
      return { kind: "done", id: operation.id };
  }
};

const show = async (
  { client, progress }: Doing,
  operation: Operation & { readonly kind: "status" },
): Promise<SendOutcome> =>
  (await progress.show(operation)) ??
  (operation.id === null
    ? send(client, operation, operation.content, null)
    : edit(client, operation, operation.id, operation.content, null));

const send = async (
  client: webApi.WebClient,
  { thread, wire }: Operation,
  content: Content,
  hash: string | null,
): Promise<SendOutcome> => {
  const answer = await client.apiCall("chat.postMessage", {
    channel: thread.place,
    thread_ts: thread.root,
    ...wired(content, wire, hash),
    unfurl_links: false,
    unfurl_media: false,
  });
  const { ts, message } = posted.parse(answer);
  return message.thread_ts === thread.root ? { kind: "done", id: ts } : sharedElsewhere(client, thread, ts);
};

const edit = async (
  client: webApi.WebClient,
  { thread, wire }: Operation,
  id: string,
  content: Content,
  hash: string | null,
): Promise<SendOutcome> => {
  const ts = await editMessage(client, thread.place, tsOf(id), wired(content, wire, hash));
  return { kind: "done", id: ts };
};

const observe = async (
  { client, gate }: Doing,
  thread: Thread,
  since: string | null,
): Promise<PostedMessages> => {
  const read = await readPages(client, message, "conversations.replies", {
    channel: thread.place,
    ts: thread.root,
    include_all_metadata: true,
    ...(since === null ? {} : { oldest: tsOf(since) }),
  });
  const messages: PlatformMessage[] = [];
  for (const one of read.messages) {
    const stray = keyless(one, gate);
    if (stray === null) return { kind: "unknown", why: "Slack has not said yet who the bot is" };
    messages.push(...metadataOf(one), ...stray);
  }
  return { kind: "seen", messages };
};

const carriedAt =
  (client: webApi.WebClient) =>
  async (thread: Thread, ts: string): Promise<PlatformMessage | null> => {
    const found = await readSingle(client, message, thread, ts);
    return (found === null ? [] : metadataOf(found))[0] ?? null;
  };

/** Returns the key and hash of one of Parley's messages; empty for foreign messages. */
export const metadataOf = ({
  ts,
  metadata,
  blocks,
}: z.output<typeof message>): readonly PlatformMessage[] => {
  const carried = keys.carriedIn(metadata);
  return carried === null
    ? carriedByBlocks(ts, blocks)
    : [{ id: ts, wire: carried.key, hash: carried.hash ?? null }];
};

/** Returns streams, which carry no key (D21). Null while it is unknown whether a stream is Parley's. */
const keyless = (
  { ts, metadata, streaming_state, bot_id }: z.output<typeof message>,
  gate: StreamGate,
): readonly PlatformMessage[] | null => {
  if (streaming_state === undefined || bot_id === undefined) return [];
  const isOurs = gate.isOurs(bot_id);
  if (isOurs === null) return null;
  const isBare = isOurs && keys.carriedIn(metadata) === null;
  return isBare ? [{ id: streamId(ts), wire: null, hash: null }] : [];
};

const wired = (content: Content, wire: string, hash: string | null) => ({
  ...buildRequest(() => ({ text: fallbackOf(content), blocks: blocksOf(content) })),
  metadata: keys.carrying(wire, hash),
});

const message = z.object({
  ts: z.string(),
  metadata: z.unknown().optional(),
  bot_id: z.string().optional(),
  streaming_state: z.string().optional(),
  blocks: z.unknown().optional(),
});
const page = z.object({ messages: z.array(message) });
const posted = z.object({
  ts: z.string(),
  message: z.object({ thread_ts: z.string().optional() }),
});
