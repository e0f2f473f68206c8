/** Decoders are large C programs: an attacker who exploits one is confined in Restricted, without a network. */
import { createLanes } from "../../../sandbox/lanes.ts";
import type { Output, RunResult, Sandbox } from "../../../sandbox/types.ts";
import { type DecodedPicture, PICTURE_BYTES, type Pictures } from "../../ports/pictures.ts";
import { type Decoder, findDecoder } from "./decoder.ts";
import { readHeader } from "./header.ts";
import { LARGE_PIXELS, MAX_BYTES, MAX_PIXELS, MAX_SIDE, memoryFor } from "./limits.ts";

const LANES = 2;

const ABORTED: DecodedPicture = { kind: "aborted" };

export const createPictures = (sandbox: Pick<Sandbox, "run" | "probe">): Pictures => {
  const lanes = createLanes(LANES);
  let decoder: Decoder | null = null;

  const decode = async (
    bytes: Uint8Array,
    { lane, memory }: { readonly lane: number; readonly memory: number },
    signal: AbortSignal,
  ): Promise<DecodedPicture> => {
    try {
      decoder ??= findDecoder(sandbox.probe);
    } catch (error) {
      return failed(`its library is not installed as it should be (${String(error)})`);
    }
    return outcomeOf(await sandbox.run(decoder.request(bytes, lane, memory), { signal }), memory);
  };

  return {
    decode: async (conversation, bytes, signal = NEVER) => {
      const pixels = pixelsOf(bytes);
      if (typeof pixels === "string") return refused(pixels);
      const keys = [conversation, ...(pixels > LARGE_PIXELS ? [LARGE] : [])];
      const lane = await lanes.take(keys, signal);
      if (lane === null) return ABORTED;
      try {
        return await decode(bytes, { lane: lane.number, memory: memoryFor(pixels) }, signal);
      } finally {
        lane.release();
      }
    },
  };
};

/** A key that is no conversation's id: large pictures are decoded one at a time. */
const LARGE = "large";

const NEVER = new AbortController().signal;

const refused = (message: string): DecodedPicture => ({ kind: "refused", message });

const failed = (reason: string): DecodedPicture => ({
  kind: "failed",
  message: `the picture decoder could not be run: ${reason}`,
});

const DAMAGED = "the picture is damaged";

const tooMuch = (memory: number): string => `it cannot be decoded within ${memory} MB of memory`;

/** Pixels of the picture if it may be decoded; otherwise the reason against it. */
const pixelsOf = (bytes: Uint8Array): number | string => {
  if (bytes.length > PICTURE_BYTES) return "it is larger than 20 MB";
  const header = readHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  switch (header.kind) {
    case "picture":
      return header.width * header.height > MAX_PIXELS
        ? `it has more than 100 megapixels (${header.width} × ${header.height})`
        : header.width * header.height;
    case "damaged":
      return DAMAGED;
    case "foreign":
      return `it is ${header.name}, not a PNG, JPEG, GIF or WebP picture`;
    case "unknown":
      return "it is not a PNG, JPEG, GIF or WebP picture";
  }
};

/** The decoder may be compromised: only the bytes of its output are trusted, after a check. */
const outcomeOf = (result: RunResult, memory: number): DecodedPicture => {
  switch (result.kind) {
    case "exited":
      return exitOf(result.code, result, memory);
    case "signalled":
      return refused(tooMuch(memory));
    case "timedOut":
      return refused("it cannot be decoded within 60 seconds");
    case "killed":
      return ABORTED;
    case "failed":
      return failed(result.reason);
  }
};

/** The exit statuses of child/decode.mjs. */
const exitOf = (code: number, { head, total }: Output, memory: number): DecodedPicture => {
  if (code === 0) return pictureOf(head, total);
  if (code === 3) return refused(DAMAGED);
  return code === 4 ? refused(tooMuch(memory)) : failed(`it ended with exit status ${code}`);
};

const pictureOf = (bytes: Buffer, total: number): DecodedPicture => {
  const header = readHeader(bytes);
  if (header.kind !== "picture" || total > MAX_BYTES) return failed("its answer is not a picture");
  const { mediaType, width, height } = header;
  if (Math.max(width, height) > MAX_SIDE) return failed("its answer is a larger picture than it may be");
  return { kind: "picture", bytes, mediaType, width, height };
};
