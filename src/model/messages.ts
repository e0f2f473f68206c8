/** Converted messages obey the API's rules for any history: an odd tool name must not make a conversation unusable. */

import { createHash } from "node:crypto";
import type {
  ContentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { z } from "zod";
import type { ImageRef, PromptBlock, PromptMessage } from "../thread/prompt.ts";
import { pictureNote, type LoadedPictures } from "./images.ts";
import { UNREADABLE_INPUT } from "../text/unreadable-input.ts";
import { isWellFormed, wellFormed } from "../text/well-formed.ts";

export interface WireMessage {
  readonly role: PromptMessage["role"];
  readonly content: ContentBlockParam[];
}

/** Null if no part can be sent. `to`: the model that reads the message. */
export const messageParam = (
  { role, content }: PromptMessage,
  pictures: LoadedPictures,
  to: string,
): WireMessage | null => {
  const blocks = content.flatMap((block) => blockParams(block, role, pictures, to));
  return blocks.length === 0 ? null : { role, content: blocks };
};

/** The `type` of a block that only another model's provider reads; no block of this API has it. */
export const OPAQUE_PART = "kept_part";

/** Excludes blocks that another provider's model left for itself. */
const opaque = z.custom<ContentBlockParam & { readonly by?: string }>(
  (raw) =>
    typeof raw === "object" &&
    raw !== null &&
    "type" in raw &&
    typeof raw.type === "string" &&
    raw.type !== OPAQUE_PART,
);

const blockParams = (
  block: PromptBlock,
  role: PromptMessage["role"],
  pictures: LoadedPictures,
  to: string,
): readonly ContentBlockParam[] => {
  switch (block.kind) {
    case "text":
      return block.text.trim() === "" && role === "assistant" ? [] : [textParam(block.text)];
    case "toolUse":
      return [
        { type: "tool_use", id: wireId(block.id), name: wireName(block.name), input: wireInput(block.input) },
      ];
    case "toolResult":
      return [resultParam(block, pictures)];
    case "image":
      return [imageParam(block.image, pictures)];
    case "opaque": {
      const raw = opaque.safeParse(block.raw);
      if (!raw.success) return [];
      const { by, ...kept } = raw.data;
      if (by !== to) return [];
      // A thought is signed: the provider accepts it unchanged or not at all. Blocks of other types come from a gateway.
      return isThought(kept) && isSigned(kept) && isWellFormed(kept) ? [kept] : [];
    }
  }
};

export const isThought = ({ type }: { readonly type: string }): boolean =>
  type === "thinking" || type === "redacted_thinking";

const isSigned = (block: ContentBlockParam): boolean =>
  block.type === "thinking"
    ? typeof block.signature === "string" && block.signature !== ""
    : block.type === "redacted_thinking" && typeof block.data === "string" && block.data !== "";

/** The API refuses blank text, and JSON with half a surrogate pair. */
const textParam = (text: string): TextBlockParam => ({
  type: "text",
  text: text.trim() === "" ? "(empty)" : text.toWellFormed(),
});

/** An error may contain only text. */
const resultParam = (
  block: PromptBlock & { kind: "toolResult" },
  pictures: LoadedPictures,
): ToolResultBlockParam => {
  const images = block.isError ? [] : block.images.map((image) => imageParam(image, pictures));
  const isBare = block.text.trim() === "" && images.length > 0;
  return {
    type: "tool_result",
    tool_use_id: wireId(block.id),
    content: isBare ? images : [textParam(block.text), ...images],
    ...(block.isError ? { is_error: true } : {}),
  };
};

const imageParam = (image: ImageRef, pictures: LoadedPictures): ImageBlockParam | TextBlockParam => {
  const source = pictures.get(image.hash);
  return typeof source === "object" ? { type: "image", source } : { type: "text", text: pictureNote(source) };
};

/** Applied to a use and to its result alike. Replaces a refused id by nine letters and digits, which all providers accept. */
export const wireId = (id: string, taken = TAKEN_IDS): string => {
  if (taken.test(id)) return id;
  const sum = createHash("sha256")
    .update(id.isWellFormed() ? id : JSON.stringify(id))
    .digest("hex")
    .slice(0, 14);
  return BigInt(`0x${sum}`).toString(36).padStart(9, "0").slice(-9);
};

const TAKEN_IDS = /^[a-zA-Z0-9_-]{1,128}$/;

/** A tool name that the model invented, changed as little as the API requires. */
export const wireName = (name: string): string =>
  name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 128) || "_";

const inputObject = z.record(z.string(), z.unknown());

export const wireInput = (input: unknown): Record<string, unknown> => {
  const parsed = inputObject.safeParse(input);
  return parsed.success ? wellFormed(parsed.data) : { [UNREADABLE_INPUT]: wellFormed(input ?? null) };
};
