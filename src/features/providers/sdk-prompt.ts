/**
 * Converts messages to the language-model interface. Content that the model cannot accept is described in words, and parts that
 * belong to another model are left out. The transcript itself is never changed.
 */

import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
  LanguageModelV4TextPart,
  LanguageModelV4ReasoningPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ImageRef, PromptBlock, PromptMessage } from "../../thread/prompt.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { isWellFormed } from "../../text/well-formed.ts";
import { pictureNote, type LoadedPictures } from "../../model/images.ts";
import { type CallIds, createCallIds } from "../../model/distinct-ids.ts";
import { wireId, wireInput, wireName } from "../../model/messages.ts";
import { type OpaquePart, opaquePart } from "./opaque-part.ts";

export interface ModelAbilities {
  /** Provider and name of the model, which receives its own kept parts. */
  readonly by: string;
  readonly tools: boolean;
  readonly pictures: boolean;
  /** Whether a person's message may follow tool results; otherwise the message becomes part of the last result. */
  readonly wordsAfterResults: boolean;
  /** Ids of calls that can be sent unchanged. */
  readonly ids: RegExp;
}

export const sdkPrompt = (
  messages: readonly PromptMessage[],
  takes: ModelAbilities,
  pictures: LoadedPictures,
): LanguageModelV4Message[] => {
  const names = new Map<string, string>();
  const ids = createCallIds();
  return joined(messages).flatMap(({ role, content }) => {
    if (role === "assistant") return [answer(content, takes, names, ids)];
    const results = takes.tools ? content.filter((block) => block.kind === "toolResult") : [];
    const words = content.flatMap((block) => wordsOf(block, takes, pictures));
    const said = words.length === 0 ? [] : [{ role: "user" as const, content: words }];
    if (results.length === 0) return said;
    if (takes.wordsAfterResults) return [toolMessage(results, takes, names, ids), ...said];
    const told = words.map((part) => (part.type === "text" ? part.text : UNSEEN));
    return [toolMessage(results, takes, names, ids, told)];
  });
};

/**
 * Removes messages that consist only of thoughts, because no provider accepts them, and merges the people's messages around
 * them.
 */
const joined = (messages: readonly PromptMessage[]): readonly PromptMessage[] => {
  const turns: PromptMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === "assistant") {
      if (message.content.some(goesBack)) turns.push(message);
    } else if (last?.role === "user") {
      turns[turns.length - 1] = { role: "user", content: [...last.content, ...message.content] };
    } else turns.push(message);
  }
  return turns;
};

const goesBack = (block: PromptBlock): boolean =>
  block.kind === "toolUse" || (block.kind === "text" && block.text.trim() !== "");

type ToolResult = Extract<PromptBlock, { kind: "toolResult" }>;
type Words = LanguageModelV4TextPart | LanguageModelV4FilePart;
type Answered = LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart;

const answer = (
  blocks: readonly PromptBlock[],
  takes: ModelAbilities,
  names: Map<string, string>,
  { ofUse }: CallIds,
): LanguageModelV4Message => {
  const kept = blocks.flatMap((block) => keptOf(block, takes.by));
  const signs = new Map(kept.flatMap((one) => (one.call === undefined ? [] : [[one.call, one.options]])));
  let ofText: SharedV4ProviderOptions | undefined;
  const content = blocks.flatMap((block): Answered[] => {
    switch (block.kind) {
      case "opaque": {
        const [one] = keptOf(block, takes.by);
        if (one?.thinking !== undefined)
          return [
            { type: "reasoning", text: one.thinking, ...omitUndefined({ providerOptions: one.options }) },
          ];
        if (one !== undefined && one.call === undefined) ofText = one.options;
        return [];
      }
      case "text": {
        const options = omitUndefined({ providerOptions: ofText });
        ofText = undefined;
        return goesBack(block) ? [{ type: "text", text: block.text.toWellFormed(), ...options }] : [];
      }
      case "toolUse": {
        const name = toolName(block.name);
        const input = wireInput(block.input);
        if (!takes.tools) return [prose(`[You called ${name} with ${JSON.stringify(input)}]`)];
        const toolCallId = wireId(ofUse(block.id), takes.ids);
        names.set(toolCallId, name);
        return [
          {
            type: "tool-call",
            toolCallId,
            toolName: name,
            input,
            ...omitUndefined({ providerOptions: signs.get(block.id) }),
          },
        ];
      }
      case "toolResult":
      case "image":
        return [];
    }
  });
  // Some providers refuse a thought at the end of a message, so final thoughts are removed.
  const end = content.findLastIndex(({ type }) => type !== "reasoning") + 1;
  return { role: "assistant", content: content.slice(0, end) };
};

/** Converts a name that the model invented to a form that all providers accept. */
const toolName = (name: string): string =>
  wireName(name)
    .slice(0, 64)
    .replace(/^[^a-zA-Z]/, "_");

const keptOf = (block: PromptBlock, by: string): readonly OpaquePart[] => {
  const parsed = block.kind === "opaque" ? opaquePart.safeParse(block.raw) : null;
  // The part is signed: the provider accepts only the unchanged part.
  const isKept = parsed?.success === true && parsed.data.by === by && isWellFormed(parsed.data);
  return isKept ? [parsed.data] : [];
};

/** `told`: message of a person that is added to the last result, if it cannot be a separate message. */
const toolMessage = (
  results: readonly ToolResult[],
  { ids }: ModelAbilities,
  names: ReadonlyMap<string, string>,
  { ofResult }: CallIds,
  told: readonly string[] = [],
): LanguageModelV4Message => ({
  role: "tool",
  content: results.map((block, index): LanguageModelV4ToolResultPart => {
    const id = wireId(ofResult(block.id), ids);
    const last = index === results.length - 1 ? told : [];
    const value = [block.text.trim() === "" ? "(empty)" : block.text, ...last].join("\n\n").toWellFormed();
    const output = block.isError
      ? ({ type: "error-text", value } as const)
      : ({ type: "text", value } as const);
    return { type: "tool-result", toolCallId: id, toolName: names.get(id) ?? "_", output };
  }),
});

/**
 * Content of a user's message for a block, including the pictures of results, because few providers accept pictures in a
 * result.
 */
const wordsOf = (block: PromptBlock, takes: ModelAbilities, pictures: LoadedPictures): Words[] => {
  switch (block.kind) {
    case "text":
      return [prose(block.text)];
    case "image":
      return [picture(block.image, takes, pictures)];
    case "toolResult": {
      const told = takes.tools ? [] : [prose(`[The tool answered]\n${block.text}`)];
      const images = block.isError ? [] : block.images.map((image) => picture(image, takes, pictures));
      const caption = images.length === 0 ? [] : [prose("[Pictures of the tool's result]")];
      return [...told, ...caption, ...images];
    }
    case "toolUse":
    case "opaque":
      return [];
  }
};

const UNSEEN = "[A picture stood here; this model cannot see pictures at this place.]";

const picture = (image: ImageRef, takes: ModelAbilities, pictures: LoadedPictures): Words => {
  if (!takes.pictures) return prose("[A picture stood here; this model cannot see pictures.]");
  const source = pictures.get(image.hash);
  return typeof source === "object"
    ? { type: "file", mediaType: source.media_type, data: { type: "data", data: source.data } }
    : prose(pictureNote(source));
};

const prose = (text: string): LanguageModelV4TextPart => ({
  type: "text",
  text: text.trim() === "" ? "(empty)" : text.toWellFormed(),
});
