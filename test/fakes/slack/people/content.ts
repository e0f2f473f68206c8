/**
 * What Slack accepts as the content of a message: the block schema of its own types with the lengths of their comments,
 * and the limits that concern a message as a whole (hazard S7).
 */

import { z } from "zod";
import { deepestComplaint } from "../../shared/complaint.ts";
import { type Refused, violate } from "../outcome.ts";
import type { SlackSchema } from "../schema.ts";
import type { Json } from "../world.ts";

export interface Content {
  readonly text?: string | undefined;
  readonly markdown_text?: string | undefined;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
}

/** What is stored of it. */
export interface Accepted {
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly attachments?: readonly Json[];
}

/** Characters of `text` past which `chat.postMessage` cuts. */
export const postTextLimit = 40_000;
export const updateTextLimit = 4000;
export const markdownTextLimit = 12_000;
const maxBlocks = 50;
const markdownBlocksLimit = 12_000;
const allBlocksLimit = 13_200;
const metadataLimit = 8000;

const records = z.array(z.record(z.string(), z.unknown()));

/** The content as it is stored, every block and element with an id; or why Slack refuses it. */
export const acceptContent = (
  schema: SlackSchema,
  content: Content,
  newId: () => string,
): { readonly kind: "accepted"; readonly value: Accepted } | Refused => {
  const { text = "", markdown_text: markdown } = content;
  if (markdown !== undefined && (text !== "" || content.blocks !== undefined)) {
    return violate("markdown_text_conflict", "markdown_text beside text or blocks");
  }
  if (markdown !== undefined && markdown.length > markdownTextLimit) {
    return violate("msg_too_long", `markdown_text of ${markdown.length} characters`);
  }
  const given = markdown === undefined ? (content.blocks ?? []) : [{ type: "markdown", text: markdown }];
  const blocks = records.safeParse(given);
  const attachments = records.safeParse(content.attachments ?? []);
  if (!blocks.success) {
    return violate("invalid_blocks_format", "blocks must be a JSON array of objects");
  }
  if (!attachments.success) {
    return violate("invalid_attachments", "attachments must be a JSON array of objects");
  }
  const hasNothing = text.trim() === "" && blocks.data.length === 0 && attachments.data.length === 0;
  const refused = hasNothing
    ? violate("no_text", "neither text nor blocks")
    : (blocksProblem(schema, blocks.data) ?? attachmentsProblem(schema, attachments.data));
  if (refused !== undefined) {
    return refused;
  }
  return {
    kind: "accepted",
    value: {
      text: markdown ?? text,
      ...(blocks.data.length === 0 ? {} : { blocks: withIds(blocks.data, newId) }),
      ...(attachments.data.length === 0 ? {} : { attachments: attachments.data }),
    },
  };
};

export const blocksProblem = (schema: SlackSchema, blocks: readonly Json[]): Refused | undefined => {
  if (blocks.length > maxBlocks) {
    return invalidBlocks(`no more than ${maxBlocks} items allowed`, "/blocks");
  }
  const fits = schema.accepts("KnownBlock");
  for (const [at, block] of blocks.entries()) {
    if (!fits(block)) {
      const { pointer, reason } = deepestComplaint(fits.errors);
      return invalidBlocks(reason, `/blocks/${at}${pointer}`);
    }
  }
  return sameIdProblem(blocks) ?? feedbackProblem(blocks) ?? lengthProblem(blocks);
};

const attachmentsProblem = (schema: SlackSchema, attachments: readonly Json[]): Refused | undefined => {
  const fits = schema.accepts("MessageAttachment");
  const unfit = attachments.findIndex((attachment) => !fits(attachment));
  return unfit === -1 ? undefined : violate("invalid_attachments", `attachments/${unfit} is not as declared`);
};

/** Undefined when there is nothing against it; an empty object removes metadata and is valid. */
export const metadataProblem = (schema: SlackSchema, metadata: unknown): Refused | undefined => {
  const fits = schema.accepts("MessageMetadata");
  if (!fits(metadata)) {
    return violate("invalid_metadata_format", deepestComplaint(fits.errors).reason);
  }
  return JSON.stringify(metadata).length > metadataLimit
    ? violate("metadata_too_large", `metadata over ${metadataLimit} characters`)
    : undefined;
};

const invalidBlocks = (reason: string, pointer: string): Refused =>
  violate("invalid_blocks", `${pointer}: ${reason}`, [`[ERROR] ${reason} [json-pointer:${pointer}]`]);

const sameIdProblem = (blocks: readonly Json[]): Refused | undefined => {
  const blockId = repeated(blocks.map((block) => block["block_id"]));
  if (blockId !== undefined) {
    return invalidBlocks(`block_id ${blockId} already exists`, "/blocks");
  }
  for (const [at, block] of blocks.entries()) {
    const actionId = repeated(within(block).map((node) => node["action_id"]));
    if (actionId !== undefined) {
      return invalidBlocks(`action_id ${actionId} already exists`, `/blocks/${at}`);
    }
  }
  return undefined;
};

/** Lengths that Slack's reference alone states: https://docs.slack.dev/reference/block-kit/block-elements/feedback-buttons-element. */
const feedbackProblem = (blocks: readonly Json[]): Refused | undefined => {
  for (const [at, block] of blocks.entries()) {
    for (const node of within(block).filter(({ type }) => type === "feedback_buttons")) {
      if (!feedbackLengths.safeParse(node).success) return invalidBlocks("must be shorter", `/blocks/${at}`);
    }
  }
  return undefined;
};

const feedbackLength = z.object({
  text: z.object({ text: z.string().max(75) }),
  value: z.string().max(2_000),
});
const feedbackLengths = z.object({ positive_button: feedbackLength, negative_button: feedbackLength });

const lengthProblem = (blocks: readonly Json[]): Refused | undefined => {
  const markdown = lengthOf(blocks.filter((block) => block["type"] === "markdown"));
  if (markdown > markdownBlocksLimit) {
    return violate("msg_blocks_too_long", `markdown blocks of ${markdown} characters together`);
  }
  const all = lengthOf(blocks);
  return all > allBlocksLimit
    ? violate("msg_blocks_too_long", `blocks of ${all} characters together`)
    : undefined;
};

const lengthOf = (blocks: readonly Json[]): number =>
  blocks
    .flatMap(within)
    .reduce((sum, node) => sum + (typeof node["text"] === "string" ? node["text"].length : 0), 0);

/** The object itself and every object in it. */
export const within = (node: Json): readonly Json[] => [node, ...childrenOf(node).flatMap(within)];

/** The objects that stand directly in an object or in its lists. */
export const childrenOf = (node: Json): readonly Json[] => Object.values(node).flatMap(objectsIn);

const objectsIn = (value: unknown): readonly Json[] => {
  if (Array.isArray(value)) {
    return value.flatMap(objectsIn);
  }
  return isObject(value) ? [value] : [];
};

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const repeated = (ids: readonly unknown[]): string | undefined => {
  const given = ids.filter((id) => typeof id === "string");
  return given.find((id, at) => given.indexOf(id) !== at);
};

const interactive = new Set([
  "button",
  "overflow",
  "static_select",
  "plain_text_input",
  "checkboxes",
  "radio_buttons",
]);

/**
 * Every block with a `block_id` and every element that a person can use with an `action_id`, as Slack fills them in. The one that
 * a Markdown block is given is not kept (docs.slack.dev/reference/block-kit/blocks/markdown-block).
 */
export const withIds = (blocks: readonly Json[], newId: () => string): readonly Json[] =>
  blocks.map((block) => {
    const filled = withActionIds(block, newId);
    return block["type"] === "markdown" ? { ...filled, block_id: newId() } : { block_id: newId(), ...filled };
  });

const withActionIds = (node: Json, newId: () => string): Json => {
  const filled = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      mapNodes(value, (inner) => withActionIds(inner, newId)),
    ]),
  );
  return interactive.has(String(node["type"])) ? { action_id: newId(), ...filled } : filled;
};

const mapNodes = (value: unknown, map: (node: Json) => Json): unknown => {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => mapNodes(item, map));
  }
  return isObject(value) ? map(value) : value;
};
