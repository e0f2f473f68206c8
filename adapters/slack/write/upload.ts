/**
 * Posts a message with files: gets an address for each file, uploads the bytes, then shares all files in one
 * message. Nothing is visible before the last step, so a repeat after an earlier failure posts nothing twice.
 * A shared file's message accepts no metadata, so the id of its first block contains the key and the hash,
 * which a read of the thread returns. It has no Markdown block: Slack returns `internal_error` for those here
 * (WS1), and keeps none of their ids.
 *
 * Slack shares a file some time after its positive response, so the message is searched until it exists.
 */

import { setTimeout as wait } from "node:timers/promises";
import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Millis } from "../../../src/machine/id.ts";
import type {
  FileBytes,
  Operation,
  SendOutcome,
  PlatformMessage,
  Thread,
  SendFailure,
} from "../../../src/ports/surface.ts";
import { unmarkedBlocksOf } from "./blocks.ts";
import { isSlackUrl } from "../read/download.ts";
import { slackFailureOf } from "../api/failure.ts";

type Upload = Operation & { readonly kind: "upload" };

export interface UploadTimes {
  /** Time limit for the upload of the bytes. */
  readonly bytes: Millis;
  /** Pauses between searches for the message of a shared file. */
  readonly looks: readonly Millis[];
}

export const UPLOAD_PATIENCE: UploadTimes = { bytes: 30_000, looks: [200, 400, 800, 1_600, 3_200] };

export const upload = async (
  client: webApi.WebClient,
  operation: Upload,
  patience: UploadTimes,
): Promise<SendOutcome> => {
  let outcome = await attemptTo(client, operation, patience);
  for (const _ of operation.files) {
    // A proxy between Slack and the host accepted the bytes of a file without passing them on.
    if (outcome.kind !== "refused" || outcome.why !== "file_not_found") break;
    outcome = await attemptTo(client, operation, patience);
  }
  return outcome;
};

const attemptTo = async (
  client: webApi.WebClient,
  operation: Upload,
  { bytes, looks }: UploadTimes,
): Promise<SendOutcome> => {
  const ids: string[] = [];
  for (const file of operation.files) {
    const stored = await store(client, file, bytes);
    if (stored.kind !== "stored") return stored;
    ids.push(stored.file);
  }
  const shared = await share(client, operation, ids);
  if (shared !== null && shared.kind !== "unknown") return shared;
  // After a failure that Slack reports, the message is unlikely to exist. If it exists, a later read of the thread finds it.
  const pauses = shared === null ? looks : looks.slice(0, 3);
  return (await messageOf(client, operation.thread, ids[0] ?? "", pauses)) ?? shared ?? NEVER_SHARED;
};

/**
 * Returns the key and hash in the blocks of one of Parley's messages with a file; empty for foreign messages.
 */
export const carriedByBlocks = (ts: string, blocks: unknown): readonly PlatformMessage[] => {
  const { data } = named.safeParse(blocks);
  const [, wire, hash] = NAME.exec(data?.[0].block_id ?? "") ?? [];
  return wire === undefined || hash === undefined ? [] : [{ id: ts, wire, hash }];
};

type Stored = { readonly kind: "stored"; readonly file: string } | SendFailure;

/** Uploads a file. The file is not visible yet, so every failure can be retried. */
const store = async (client: webApi.WebClient, file: FileBytes, timeout: Millis): Promise<Stored> => {
  try {
    const { upload_url: url, file_id: id } = begun.parse(
      await client.files.getUploadURLExternal({ filename: file.name, length: file.bytes.length }),
    );
    if (!isSlackUrl(url, client.slackApiUrl)) return again("Slack named a foreign address for the upload");
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: new Uint8Array(file.bytes),
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
    });
    await answer.body?.cancel();
    return answer.ok ? { kind: "stored", file: id } : again(`the upload was answered by ${answer.status}`);
  } catch (error) {
    const trouble = uploadTrouble(error);
    return trouble.kind === "unknown" ? again(trouble.why) : trouble;
  }
};

const again = (why: string): SendFailure => ({ kind: "refused", why, permanent: false });

const share = async (
  client: webApi.WebClient,
  { thread, wire, hash, content, files }: Upload,
  ids: readonly string[],
): Promise<SendFailure | null> => {
  const [first, ...rest] = unmarkedBlocksOf(content);
  const [id, ...more] = ids.map((one, index) => ({ id: one, title: titleOf(files[index]) }));
  if (id === undefined) return again("there is nothing to share");
  try {
    await client.files.completeUploadExternal({
      files: [id, ...more],
      channel_id: thread.place,
      thread_ts: thread.root,
      ...(first === undefined
        ? {}
        : { blocks: [{ ...first, block_id: `parley_file/${wire}/${hash}` }, ...rest] }),
    });
    return null;
  } catch (error) {
    return uploadTrouble(error);
  }
};

const titleOf = (file: FileBytes | undefined): string => file?.title ?? file?.name ?? "";

/** Returns the message in which the files were shared; null while there is none. */
const messageOf = async (
  client: webApi.WebClient,
  thread: Thread,
  file: string,
  looks: readonly Millis[],
): Promise<SendOutcome | null> => {
  for (const pause of looks) {
    const share = await shareOf(client, thread, file);
    if (share?.thread_ts === thread.root) return { kind: "done", id: share.ts };
    if (share !== null) return sharedElsewhere(client, thread, share.ts);
    await wait(pause);
  }
  return null;
};

const shareOf = async (client: webApi.WebClient, { place }: Thread, file: string): Promise<Share | null> => {
  try {
    const { shares } = described.parse(await client.files.info({ file })).file;
    return (shares.public[place] ?? shares.private[place] ?? [])[0] ?? null;
  } catch {
    return null;
  }
};

/** If a thread's root was deleted, Slack puts the reply into the channel; the reply is deleted there. */
export const sharedElsewhere = async (
  client: webApi.WebClient,
  { place }: Thread,
  ts: string,
): Promise<SendOutcome> => {
  const left = await client.chat.delete({ channel: place, ts }).then(
    () => "",
    () => "; one message of it was left in the channel",
  );
  return { kind: "gone", what: "thread", why: `the thread's first message was deleted${left}` };
};

const NEVER_SHARED: SendOutcome = { kind: "unknown", why: "Slack took the file and has not shared it" };

/** A missing scope for uploads alone must not close the thread. */
const uploadTrouble = (error: unknown): SendFailure => {
  const trouble = slackFailureOf(error);
  return trouble.kind === "gone" && trouble.why === "missing_scope"
    ? { kind: "refused", why: "the app lacks the scope files:write", permanent: true }
    : trouble;
};

const NAME = /^parley_file\/([^/]+)\/([^/]+)$/;

const begun = z.object({ upload_url: z.string(), file_id: z.string() });
const named = z.tuple([z.object({ block_id: z.string() })], z.unknown());
const placed = z.object({ ts: z.string(), thread_ts: z.string().optional() });
type Share = z.output<typeof placed>;
const shares = z.record(z.string(), z.array(placed)).default({});
const described = z.object({
  file: z.object({
    shares: z.object({ public: shares, private: shares }).default({ public: {}, private: {} }),
  }),
});
