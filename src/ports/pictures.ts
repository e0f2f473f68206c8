import type { ConversationId } from "../machine/id.ts";
import type { ImageRef } from "../thread/prompt.ts";
import type { WriteFailure } from "./host.ts";
import type { Blobs } from "./store.ts";

/** Per file, on every surface (BED-013). */
export const PICTURE_BYTES = 20 * 1_048_576;

export interface Pictures {
  /**
   * Converts an untrusted file into PNG or JPEG in a sandboxed process, never in this one: upright, first frame only, at most
   * 1568 pixels on the longer side, at most 3.6 MB, without metadata. Limits: 20 MB and 100 megapixels; one picture at a time
   * per conversation, two per host, of which one may be large; 60 s each. Never rejects.
   */
  decode(conversation: ConversationId, bytes: Uint8Array, signal?: AbortSignal): Promise<DecodedPicture>;
}

/** Never rejects. */
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
  /** The picture is at fault. `why` is displayed after "…: " and names the limit that was exceeded. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "unstored"; readonly failure: WriteFailure };

export type DecodedPicture =
  | {
      readonly kind: "picture";
      readonly bytes: Buffer;
      readonly mediaType: ImageRef["mediaType"];
      readonly width: number;
      readonly height: number;
    }
  /** The file is at fault. `message` is displayed after "…: ", such as "the picture is damaged". */
  | { readonly kind: "refused"; readonly message: string }
  /** The host is at fault: the decoder could not be run. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "aborted" };
