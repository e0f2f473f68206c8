/** The families of providers that are measured, Anthropic's first, each with how it writes a stream. */

import { bedrock, chat, gemini, messages, responses, type WireFormat } from "../../fakes/providers/wires.ts";

export const WIRES: readonly { readonly family: string; readonly format: WireFormat }[] = [
  { family: "anthropic", format: messages },
  { family: "openai chat completions", format: chat },
  { family: "openai responses", format: responses },
  { family: "gemini", format: gemini },
  { family: "bedrock", format: bedrock },
  { family: "mistral", format: chat },
];
