/** What people send: the text judged and the pictures stored, before the runtime hears of it. */

import type { Blobs } from "../../src/runtime/ports.ts";
import type { ImageRef } from "../../src/core/prompt.ts";
import { bad, type Parsed, tooLarge } from "./body.ts";
import type { Limits } from "./deps.ts";
import { readImage } from "./images.ts";
import { storageProblem } from "./problem.ts";
import type { ImageBody } from "./schema.ts";

export interface SaidBody {
  readonly text: string;
  readonly images?: readonly ImageBody[] | undefined;
}

export interface Said {
  readonly text: string;
  readonly images: readonly ImageRef[];
}

/** One picture at a time: fifty million pixels are 200 MB while they are decoded. */
export type ReadSaid = (body: SaidBody) => Promise<Parsed<Said>>;

export const createReadSaid = (blobs: Blobs, limits: Limits): ReadSaid => {
  let turn: Promise<unknown> = Promise.resolve();
  return async ({ text, images = [] }) => {
    const refused = unusable({ text, images }, limits);
    if (refused !== null) return refused;
    const stored: ImageRef[] = [];
    for (const image of images) {
      const next = turn.then(() => store(image, blobs, limits));
      turn = next;
      const ref = await next;
      if (ref.kind === "bad") return ref;
      stored.push(ref.value);
    }
    return { kind: "ok", value: { text, images: stored } };
  };
};

const unusable = (
  { text, images }: { readonly text: string; readonly images: readonly ImageBody[] },
  limits: Limits,
): Parsed<never> | null => {
  if (text.trim() === "" && images.length === 0) {
    return bad("empty_message", "The message is empty. Write something, or attach a picture.");
  }
  if (Buffer.byteLength(text) > limits.messageBytes) {
    return tooLarge(
      `The message is longer than ${limits.messageBytes} bytes. Put it in a file of the repository.`,
    );
  }
  if (images.length > limits.images) return tooLarge(`A message takes at most ${limits.images} pictures.`);
  return text.isWellFormed() ? null : bad("invalid_text", "The text holds half of a surrogate pair.");
};

const store = async (image: ImageBody, blobs: Blobs, limits: Limits): Promise<Parsed<ImageRef>> => {
  if (!MEDIA_TYPES.includes(image.mediaType)) {
    return bad("unsupported_image", `A picture's mediaType is one of ${MEDIA_TYPES.join(", ")}.`);
  }
  if (image.data.length > Math.ceil(limits.imageBytes / 3) * 4) {
    return tooLarge(`A picture has at most ${limits.imageBytes} bytes.`);
  }
  const bytes = Buffer.from(image.data, "base64");
  if (bytes.length === 0 || bytes.toString("base64").length !== image.data.length) {
    return bad("invalid_image", "A picture's data is base64 with its padding.");
  }
  const read = await readImage(bytes);
  if (read.kind === "unusable") return bad("invalid_image", read.message);
  const put = await blobs.put(read.bytes);
  return put.kind === "failed"
    ? { kind: "bad", response: storageProblem(put) }
    : { kind: "ok", value: { hash: put.hash, mediaType: read.mediaType } };
};

const MEDIA_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
