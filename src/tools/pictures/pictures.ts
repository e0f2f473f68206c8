/**
 * Decodes pictures of unknown origin in a process of the sandbox, away from the one that holds the tokens: decoders
 * are large C programs, and whoever finds a hole in one finds himself in Restricted, without network and alone.
 */
import type { Output, RunResult, Sandbox } from "../../../sandbox/types.ts";
import type { Decoded, Pictures } from "../../runtime/ports-pictures.ts";
import { type Decoder, findDecoder } from "./decoder.ts";
import { readHeader } from "./header.ts";
import { createLanes } from "./lanes.ts";
import { MAX_BYTES, MAX_FILE, MAX_PIXELS, MAX_SIDE } from "./limits.ts";

/** Decoders at work at once. */
const LANES = 2;

const ABORTED: Decoded = { kind: "aborted" };

export const createPictures = (sandbox: Pick<Sandbox, "run" | "probe">): Pictures => {
  const lanes = createLanes(LANES);
  let decoder: Decoder | null = null;

  const decode = async (bytes: Uint8Array, lane: number, signal: AbortSignal): Promise<Decoded> => {
    try {
      decoder ??= findDecoder(sandbox.probe);
    } catch (error) {
      return failed(`its library is not installed as it should be (${String(error)})`);
    }
    return outcomeOf(await sandbox.run(decoder.request(bytes, lane), { signal }));
  };

  return {
    decode: async (conversation, bytes, { signal = NEVER } = {}) => {
      const fault = faultOf(bytes);
      if (fault !== null) return refused(fault);
      const lane = await lanes.take(conversation, signal);
      if (lane === null) return ABORTED;
      try {
        return await decode(bytes, lane.number, signal);
      } finally {
        lane.release();
      }
    },
  };
};

const NEVER = new AbortController().signal;

const refused = (message: string): Decoded => ({ kind: "refused", message });

const failed = (reason: string): Decoded => ({
  kind: "failed",
  message: `the picture decoder could not be run: ${reason}`,
});

const DAMAGED = "the picture is damaged";

const TOO_MUCH = "it cannot be decoded within 300 MB of memory";

/** What can be said against a file without decoding it; null when it deserves a try. */
const faultOf = (bytes: Uint8Array): string | null => {
  if (bytes.length > MAX_FILE) return "it is larger than 20 MB";
  const header = readHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  switch (header.kind) {
    case "picture":
      return header.width * header.height > MAX_PIXELS
        ? `it has more than 50 megapixels (${header.width} × ${header.height})`
        : null;
    case "damaged":
      return DAMAGED;
    case "foreign":
      return `it is ${header.name}, not a PNG, JPEG, GIF or WebP picture`;
    case "unknown":
      return "it is not a PNG, JPEG, GIF or WebP picture";
  }
};

/** The decoder may have been taken over: its answer is taken for what its own bytes say, or not at all. */
const outcomeOf = (result: RunResult): Decoded => {
  switch (result.kind) {
    case "exited":
      return exitOf(result.code, result);
    case "signalled":
      return refused(TOO_MUCH);
    case "timedOut":
      return refused("it cannot be decoded within 10 seconds");
    case "killed":
      return ABORTED;
    case "failed":
      return failed(result.reason);
  }
};

/** The exit statuses of child/decode.mjs. */
const exitOf = (code: number, { head, total }: Output): Decoded => {
  if (code === 0) return pictureOf(head, total);
  if (code === 3) return refused(DAMAGED);
  return code === 4 ? refused(TOO_MUCH) : failed(`it ended with exit status ${code}`);
};

const pictureOf = (bytes: Buffer, total: number): Decoded => {
  const header = readHeader(bytes);
  if (header.kind !== "picture" || total > MAX_BYTES) return failed("its answer is not a picture");
  const { mediaType, width, height } = header;
  if (Math.max(width, height) > MAX_SIDE) return failed("its answer is a larger picture than it may be");
  return { kind: "picture", bytes, mediaType, width, height };
};
