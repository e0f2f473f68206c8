/** A picture that somebody sent, on whatever surface. */

import type { Pictures, TakePicture } from "../../ports/pictures.ts";
import type { Blobs } from "../../ports/store.ts";

interface TakePictureDeps {
  readonly pictures: Pictures;
  readonly blobs: Pick<Blobs, "put">;
}

export const createTakePicture =
  ({ pictures, blobs }: TakePictureDeps): TakePicture =>
  async (conversation, bytes) => {
    const decoded = await pictures.decode(conversation, bytes);
    if (decoded.kind === "aborted") return { kind: "failed", why: "decoding was cancelled" };
    if (decoded.kind !== "picture") return { kind: decoded.kind, why: decoded.message };
    const put = await blobs.put(decoded.bytes);
    return put.kind === "failed"
      ? { kind: "unstored", failure: put }
      : { kind: "taken", image: { hash: put.hash, mediaType: decoded.mediaType } };
  };
