/** What a request will hold, before it is sent: a guess that is rather too high than too low. Pure. */

import type { Prefix } from "../../ports/conversation.ts";
import type { PromptBlock, PromptMessage } from "../../thread/prompt.ts";

/** Bytes of JSON per token; code and prose have more. */
const BYTES = 3;
/** Tokens of the largest picture that is sent: 1568 × 1568 pixels, 750 of them each. */
const PICTURE = 3_300;

export interface Size {
  readonly tokens: number;
  /** Those that stood in the last request of the conversation, or in its answer. */
  readonly known: number;
}

/** `context`: tokens of the last response, which all but the newest message were part of; 0 before the first. */
export const sizeOf = (
  { messages, prefix }: { readonly messages: readonly PromptMessage[]; readonly prefix: Prefix },
  context: number,
): Size => {
  const newest = messages.at(-1);
  if (context > 0 && newest !== undefined) return { tokens: context + tokensOf(newest), known: context };
  const whole = messages.reduce((sum, message) => sum + tokensOf(message), 0);
  return { tokens: whole + textTokens(prefix.system) + textTokens(JSON.stringify(prefix.tools)), known: 0 };
};

const tokensOf = ({ content }: PromptMessage): number =>
  content.reduce((sum, block) => sum + blockTokens(block), 0);

const blockTokens = (block: PromptBlock): number => {
  switch (block.kind) {
    case "text":
      return textTokens(block.text);
    case "toolUse":
      return textTokens(JSON.stringify(block.input ?? null));
    case "toolResult":
      return textTokens(block.text) + block.images.length * PICTURE;
    case "image":
      return PICTURE;
    case "opaque":
      return textTokens(JSON.stringify(block.raw ?? null));
  }
};

const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES);
