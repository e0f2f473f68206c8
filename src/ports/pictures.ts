/** Pictures of unknown origin, as tools and chat surfaces ask for them. */

import type { ConversationId } from "../machine/id.ts";
import type { ImageRef } from "../thread/prompt.ts";
import type { WriteFailure } from "./host.ts";
import type { Blobs } from "./store.ts";

/** Bytes of a picture's file that are taken, on every surface (BED-013). */
export const PICTURE_BYTES = 20 * 1_048_576;

export interface Pictures {
  /**
   * Turns a file that somebody sent or a repository holds into a picture that every model takes: PNG or JPEG, upright,
   * first frame only, at most 1568 pixels on its longer side, at most 3.6 MB, nothing in it but pixels. The file has at
   * most 20 MB and 100 megapixels. It is decoded in a process of the sandbox, never in this one. One at a time for each
   * conversation, two in all, one of which may be large; within 60 s of its turn. Never rejects.
   */
  decode(conversation: ConversationId, bytes: Uint8Array, signal?: AbortSignal): Promise<DecodedPicture>;
}

/** Decodes a picture, makes it fit and keeps it. Never rejects. */
export type TakePicture = (
  conversation: ConversationId,
  bytes: Uint8Array,
  signal?: AbortSignal,
) => Promise<TakenPicture>;

export const createTakePicture =
  ({ pictures, blobs }: { readonly pictures: Pictures; readonly blobs: Pick<Blobs, "put"> }): TakePicture =>
  async (conversation, bytes, signal) => {
    const decoded = await pictures.decode(conversation, bytes, signal);
    if (decoded.kind === "aborted") return { kind: "failed", why: "it was stopped" };
    if (decoded.kind !== "picture") return { kind: decoded.kind, why: decoded.message };
    const put = await blobs.put(decoded.bytes);
    return put.kind === "failed"
      ? { kind: "unstored", failure: put }
      : { kind: "taken", image: { hash: put.hash, mediaType: decoded.mediaType } };
  };

type TakenPicture =
  | { readonly kind: "taken"; readonly image: ImageRef }
  /** The picture is at fault. `why` goes on after "…: " and names the limit where it passes one. */
  | { readonly kind: "refused"; readonly why: string }
  /** This host is. */
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "unstored"; readonly failure: WriteFailure };

export type DecodedPicture =
  | {
      readonly kind: "picture";
      readonly bytes: Buffer;
      readonly mediaType: ImageRef["mediaType"];
      /** Pixels. */
      readonly width: number;
      readonly height: number;
    }
  /** The file is at fault. `message` goes on after "…: ", such as "the picture is damaged". */
  | { readonly kind: "refused"; readonly message: string }
  /** This host is: the decoder could not be run. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "aborted" };
