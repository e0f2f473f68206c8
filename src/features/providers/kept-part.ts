/**
 * What a model's answer holds for its provider alone: thoughts, and signatures of texts and calls. It stands in the
 * transcript as an opaque block, goes back to the model that wrote it, and to no other.
 */

import type { JSONObject, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { z } from "zod";
import { OPAQUE_PART } from "../../model/messages.ts";

export type OpaquePart = z.infer<typeof opaquePart>;

const object = z.custom<JSONObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);
const options = z.record(z.string(), object) satisfies z.ZodType<SharedV4ProviderOptions>;

export const opaquePart = z.object({
  type: z.literal(OPAQUE_PART),
  /** The model that it goes back to: provider and name. */
  by: z.string(),
  /** A thought, in words as far as the provider shows any; absent where it belongs to another block. */
  thinking: z.string().optional(),
  /** The call that it belongs to; absent where it belongs to the next text. */
  call: z.string().optional(),
  options: options.optional(),
});
