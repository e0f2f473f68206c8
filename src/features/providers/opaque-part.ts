/**
 * Parts of a model's answer that only its provider can read: thoughts, and signatures of texts and calls. They are stored in
 * the transcript as opaque blocks, and returned only to the model that wrote them.
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
  /** Provider and name of the model that receives the part again. */
  by: z.string(),
  /** Thought as text, as far as the provider shows it; absent if the part belongs to another block. */
  thinking: z.string().optional(),
  /** Id of the call that the part belongs to; absent if the part belongs to the next text. */
  call: z.string().optional(),
  options: options.optional(),
});
