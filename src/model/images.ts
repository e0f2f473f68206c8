/** Pictures of the messages, read from the blobs and limited to the capacity of one request (hazard M3). */

import type { Base64ImageSource } from "@anthropic-ai/sdk/resources/messages/messages";
import type { Blobs } from "../ports/store.ts";
import type { ImageRef, PromptMessage } from "../thread/prompt.ts";

export interface PictureBounds {
  readonly most: number;
  readonly bytes: number;
}

/** Anthropic accepts at most 100 pictures on a 200K model and 32 MB in all. */
export const USUAL_BOUNDS: PictureBounds = { most: 80, bytes: 16 * 1024 * 1024 };

/** A missing hash: the picture is no longer stored, or exceeds the limits of the request. */
export type LoadedPictures = ReadonlyMap<string, Base64ImageSource | "refused">;

export const pictureNote = (source: "refused" | undefined): string =>
  source === undefined
    ? "[A picture stood here; it is no longer available.]"
    : "[A picture stood here; the model's provider refused it, so it was left out. Nobody can see it here.]";

/** Loads the newest first, until the limits are reached: dropping an old picture is better than failing the request. */
export const loadPictures = async (
  messages: readonly PromptMessage[],
  blobs: Pick<Blobs, "get">,
  isRefused: (hash: string) => boolean,
  bounds = USUAL_BOUNDS,
): Promise<LoadedPictures> => {
  const pictures = new Map<string, Base64ImageSource | "refused">();
  let bytes = 0;
  for (const image of newestFirst(messages)) {
    if (pictures.has(image.hash)) continue;
    if (isRefused(image.hash)) {
      pictures.set(image.hash, "refused");
      continue;
    }
    const found = await blobs.get(image.hash);
    if (found === null) continue;
    bytes += found.length;
    if (pictures.size >= bounds.most || bytes > bounds.bytes) break;
    const data = Buffer.from(found.buffer, found.byteOffset, found.byteLength).toString("base64");
    pictures.set(image.hash, { type: "base64", media_type: image.mediaType, data });
  }
  return pictures;
};

const newestFirst = (messages: readonly PromptMessage[]): readonly ImageRef[] =>
  messages.flatMap(picturesOf).toReversed();

/** Error results may contain only text. */
export const picturesOf = ({ content }: PromptMessage): readonly ImageRef[] =>
  content.flatMap((block) => {
    if (block.kind === "image") return [block.image];
    return block.kind === "toolResult" && !block.isError ? block.images : [];
  });
