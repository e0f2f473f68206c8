/**
 * Converts a server's result for the model: quoted as untrusted, masked, and limited. Pictures are decoded in the sandbox like
 * other pictures of unknown origin. Content that a model cannot read is named and left out.
 */

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import type { ConversationId } from "../../machine/id.ts";
import { PICTURE_BYTES, type TakePicture } from "../../ports/pictures.ts";
import type { ToolOutcome } from "../../ports/tools.ts";
import { quoteUntrusted } from "../../text/quotes.ts";
import type { ImageRef } from "../../thread/prompt.ts";

export interface ResultContext {
  readonly mask: (text: string) => string;
  readonly takePicture: TakePicture;
}

interface Told {
  readonly server: string;
  readonly conversation: ConversationId;
  readonly declined: readonly string[];
  readonly signal: AbortSignal;
}

const MAX_TEXT = 30_000;
const PER_QUOTE = 7_500;
/** Characters after the cut that are masked too: longer than any secret. */
const MASK_ROOM = 8_192;
const MAX_PICTURES = 5;

export const resultText = async (
  { mask, takePicture }: ResultContext,
  result: CallToolResult,
  { server, conversation, declined, signal }: Told,
): Promise<Pick<ToolOutcome, "text" | "images" | "isError">> => {
  const { content, structuredContent, isError = false } = result;
  const said = content.map(textOf).filter((text) => text !== "");
  if (said.length === 0 && structuredContent !== undefined) said.push(JSON.stringify(structuredContent));
  const joined = said.join("\n\n");
  // Cut first, because masking takes time; the extra characters prevent half of a secret from remaining.
  const isCut = joined.length > MAX_TEXT + MASK_ROOM;
  const masked = mask(joined.slice(0, MAX_TEXT + MASK_ROOM));
  const whole = isCut ? masked.slice(0, Math.max(0, masked.length - MASK_ROOM)) : masked;
  const images: ImageRef[] = [];
  const trouble: string[] = [];
  const sent = content.flatMap((block) => (block.type === "image" ? [block] : []));
  for (const { data } of sent.slice(0, MAX_PICTURES)) {
    const bytes = Buffer.from(data.slice(0, PICTURE_BYTES * 2), "base64");
    const taken = await takePicture(conversation, bytes, signal);
    if (taken.kind === "taken") images.push(taken.image);
    else if (taken.kind === "unstored")
      trouble.push(`A picture could not be stored: ${taken.failure.message}.`);
    else trouble.push(`A picture was left out: ${taken.why}.`);
  }
  if (sent.length > MAX_PICTURES) trouble.push(`${sent.length - MAX_PICTURES} more pictures were left out.`);
  const left = isCut ? joined.length - MAX_TEXT : whole.length - MAX_TEXT;
  const lines = [
    isError ? `${server} reports an error:` : `${server} answered:`,
    ...piecesOf(whole).map((text) =>
      quoteUntrusted({ author: `MCP server ${server}`, text, at: Number.NaN }),
    ),
    ...(whole === "" && images.length === 0 ? ["[nothing]"] : []),
    ...(left > 0 ? [`[${left} more characters left out]`] : []),
    ...(images.length > 0
      ? [`[${images.length === 1 ? "a picture" : `${images.length} pictures`}, by ${server}]`]
      : []),
    ...trouble.map((one) => `[${one}]`),
    ...declined.map(
      (method) => `[It asked for ${mask(method.slice(0, 60))} meanwhile, which Parley declines.]`,
    ),
  ];
  return { text: lines.join("\n"), images, isError };
};

const piecesOf = (text: string): readonly string[] => {
  const points = Array.from(text.slice(0, MAX_TEXT));
  return Array.from({ length: Math.ceil(points.length / PER_QUOTE) }, (_, index) =>
    points.slice(index * PER_QUOTE, (index + 1) * PER_QUOTE).join(""),
  );
};

const textOf = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return "";
    case "audio":
      return "[sound, left out]";
    case "resource_link":
      return `[resource ${block.name}: ${block.uri}]`;
    case "resource":
      return "text" in block.resource
        ? `[resource ${block.resource.uri}]\n${block.resource.text}`
        : `[resource ${block.resource.uri}: not text, left out]`;
  }
};
