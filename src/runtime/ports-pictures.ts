/** Pictures of unknown origin, as tools and chat surfaces ask for them. */

import type { ConversationId } from "../core/id.ts";
import type { ImageRef } from "../core/prompt.ts";

export interface Pictures {
  /**
   * Turns a file that somebody sent or a repository holds into a picture that every model takes: PNG or JPEG, upright,
   * first frame only, at most 1568 pixels on its longer side, at most 3.6 MB, nothing in it but pixels. The file is
   * decoded in a process of the sandbox, never in this one. One at a time for each conversation, two in all; within
   * 10 s of its turn. Never rejects.
   */
  decode(
    conversation: ConversationId,
    bytes: Uint8Array,
    hooks?: { readonly signal?: AbortSignal },
  ): Promise<Decoded>;
}

export type Decoded =
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
