/** The families of providers that are measured, Anthropic's first, each with how it writes a stream. */

import { FAMILIES, type Family } from "../../model/providers/families.ts";
import { bedrock, chat, gemini, messages, responses, type WireFormat } from "../../model/providers/wires.ts";

const FORMATS: readonly (readonly [string, WireFormat])[] = [
  ["anthropic", messages],
  ["openai chat completions", chat],
  ["openai responses", responses],
  ["gemini", gemini],
  ["bedrock", bedrock],
  ["mistral", chat],
];

export const WIRES: readonly { readonly family: Family; readonly format: WireFormat }[] = FORMATS.flatMap(
  ([named, format]) => {
    const family = FAMILIES.find((one) => one.family === named);
    return family === undefined ? [] : [{ family, format }];
  },
);
