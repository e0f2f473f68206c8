/**
 * Messages made from Discord's published description (discord-api-spec), with a marker in every text that people can see.
 * Every field with text is in one of the lists below: a field of a new version fails the test until it is.
 */

import * as z from "zod";
import { markersIn } from "../../markers.ts";
// @ts-expect-error -- the package's schemas come without declarations
import * as published from "discord-api-spec/zod";

/** Fields with text that people may see and the model does not get, each with the reason. */
export const EXCEPTIONS = {
  "MessageResponse.activity": "an invitation to a game",
  "MessageResponse.application": "the game or program that a rich presence shows",
  "MessageResponse.call": "a line of Discord about a call; nobody wrote it",
  "MessageResponse.interaction": "the header of a command's answer; Discord calls the field deprecated",
  "MessageResponse.interaction_metadata": "ids of the command that the post answers",
  "MessageResponse.lobby_member": "sent to games, not to servers",
  "MessageResponse.mention_channels": "the text has the same mentions, and the gateway names the channels",
  "MessageResponse.purchase_notification": "a line of Discord about a purchase; nobody wrote it",
  "MessageResponse.reactions": "reactions are no words",
  "MessageResponse.resolved": "people and channels that a menu chose, which the text names",
  "MessageResponse.role_subscription_data": "a line of Discord about a subscription; nobody wrote it",
  "MessageResponse.shared_client_theme": "colors",
  "MessageResponse.stickers": "the same names as in sticker_items",
  "MessageResponse.thread": "the thread that hangs on the message is read by itself",
  "MinimalContentMessageResponse.stickers": "the same names as in sticker_items",
  "MessageAttachmentResponse.application": "the game that a clip shows",
  "MessageAttachmentResponse.clip_created_at": "when a clip of a game was recorded",
  "MessageAttachmentResponse.clip_participants": "the players that a clip shows",
  "PollResponse.expiry": "when a poll ends",
  "StringSelectOptionResponse.value": "goes to the app that posted the menu",
} as const;

/** Built by their own cases: who wrote, what is answered. */
const ELSEWHERE = [
  "MessageResponse.author",
  "MessageResponse.mentions",
  "MinimalContentMessageResponse.mentions",
  "MessageResponse.referenced_message",
];

/** Ids, addresses of pictures, types and times: no text that people read. */
const WORDLESS: readonly RegExp[] = [
  /\.(id|channel_id|message_id|guild_id|webhook_id|application_id|custom_id|sku_id|attachment_id|listing_id)$/,
  /\.(mention_roles|nonce|waveform|content_type|proxy_url|icon_url|proxy_icon_url)$/,
  /\.(timestamp|edited_timestamp)$/,
  /^MessageEmbedResponse\.type$/,
  /^(MessageAttachment|MessageEmbedImage|MessageEmbedVideo)Response\.(url|placeholder)$/,
  /^MessageEmbed(Provider|Author)Response\.url$/,
  /^UnfurledMediaResponse\.url$/,
];

/** In the order in which Discord draws them; an address may be elsewhere. */
const SEEN: Readonly<Record<string, readonly string[]>> = {
  MessageResponse: [
    "content",
    "poll",
    "components",
    "message_snapshots",
    "attachments",
    "embeds",
    "sticker_items",
  ],
  MinimalContentMessageResponse: ["content", "components", "attachments", "embeds", "sticker_items"],
  MessageAttachmentResponse: ["title", "filename", "description"],
  MessageEmbedResponse: [
    "url",
    "provider",
    "author",
    "title",
    "description",
    "fields",
    "image",
    "thumbnail",
    "video",
    "components",
    "footer",
  ],
  MessageEmbedProviderResponse: ["name"],
  MessageEmbedAuthorResponse: ["name"],
  MessageEmbedFieldResponse: ["name", "value"],
  MessageEmbedImageResponse: ["description"],
  MessageEmbedVideoResponse: ["description"],
  MessageEmbedFooterResponse: ["text"],
  ButtonComponentResponse: ["emoji", "label", "url"],
  ComponentEmojiResponse: ["name"],
  ChannelSelectComponentResponse: ["placeholder"],
  MentionableSelectComponentResponse: ["placeholder"],
  RoleSelectComponentResponse: ["placeholder"],
  UserSelectComponentResponse: ["placeholder"],
  StringSelectComponentResponse: ["placeholder", "options"],
  StringSelectOptionResponse: ["emoji", "label", "description"],
  TextInputComponentResponse: ["label", "value", "placeholder"],
  SectionComponentResponse: ["components", "accessory"],
  FileComponentResponse: ["name"],
  MediaGalleryItemResponse: ["description"],
  TextDisplayComponentResponse: ["content"],
  ThumbnailComponentResponse: ["description"],
  MessageStickerItemResponse: ["name"],
  PollResponse: ["question", "answers"],
  PollMediaResponse: ["emoji", "text"],
  MessageReactionEmojiResponse: ["name"],
};

const schema = z.custom<Schema>((value) => typeof value === "object" && value !== null && "_zod" in value);
interface Schema {
  readonly _zod: { readonly def: unknown };
}
const def = z.discriminatedUnion("type", [
  z.object({ type: z.literal("object"), shape: z.record(z.string(), schema) }),
  z.object({ type: z.literal("array"), element: schema }),
  z.object({
    type: z.enum(["optional", "nullable", "default", "nonoptional", "readonly"]),
    innerType: schema,
  }),
  z.object({
    type: z.literal("lazy"),
    getter: z.custom<() => Schema>((value) => typeof value === "function"),
  }),
  z.object({ type: z.literal("union"), options: z.array(schema) }),
  z.object({ type: z.literal("pipe"), in: schema }),
  z.object({ type: z.literal("string") }),
  z.object({ type: z.literal("literal"), values: z.array(z.unknown()) }),
  z.object({ type: z.literal("enum"), entries: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.enum(["number", "int", "bigint", "boolean", "null", "unknown", "any"]) }),
]);
const defOf = ({ _zod }: Schema): z.output<typeof def> => def.parse(_zod.def);

const schemas = z.record(z.string(), z.unknown()).parse({ ...Object(published) });
const names = new Map(Object.entries(schemas).map(([name, one]) => [one, name.replace(/Schema$/, "")]));
export const schemaNamed = (name: string): Schema => schema.parse(schemas[`${name}Schema`]);

/** `Type.field` of every text in a message, with those below the fields that have a reason left out. */
export const textFields = (root = "MessageResponse"): readonly string[] => {
  const found = new Set<string>();
  const visited = new Set<unknown>();
  const walk = (one: Schema, owner: string, key: string): void => {
    const node = defOf(one);
    if (node.type === "object") {
      const name = names.get(one) ?? `${owner}.${key}`;
      if (visited.has(name)) return;
      visited.add(name);
      for (const [field, inner] of Object.entries(node.shape)) {
        if (isSpared(`${name}.${field}`)) found.add(`${name}.${field}`);
        else walk(inner, name, field);
      }
    } else if (node.type === "string") found.add(`${owner}.${key}`);
    else for (const inner of insideOf(node)) walk(inner, owner, key);
  };
  walk(schemaNamed(root), "", "");
  return [...found];
};

/** The schemas that a node without fields is made of. */
const insideOf = (node: z.output<typeof def>): readonly Schema[] => {
  if ("element" in node) return [node.element];
  if ("options" in node) return node.options;
  if ("getter" in node) return [node.getter()];
  if ("in" in node) return [node.in];
  return "innerType" in node ? [node.innerType] : [];
};

const isSpared = (path: string): boolean => path in EXCEPTIONS || ELSEWHERE.includes(path);

/** Whether the field is in one of the lists. */
export const isListed = (path: string): boolean => {
  const [owner = "", field = ""] = path.split(".");
  const isSeen = SEEN[owner]?.includes(field) === true;
  return isSpared(path) || isSeen || WORDLESS.some((pattern) => pattern.test(path));
};

/** `choose`: a whole number from 0 to below the given one. */
export type Choose = (below: number) => number;

/** A value of the named schema. Deep below, only what must be there is made. */
export const make = (name: string, mark: () => string, choose: Choose, deepest = 11): unknown => {
  const value = (one: Schema, owner: string, key: string, depth: number): unknown => {
    const node = defOf(one);
    const isSeen = SEEN[owner]?.includes(key) === true;
    if (node.type === "object") return object(names.get(one) ?? `${owner}.${key}`, node.shape, depth);
    if (node.type === "array") {
      const count = isSeen && depth < deepest - 2 ? 1 + choose(2) : 0;
      return Array.from({ length: count }, () => value(node.element, owner, key, depth + 1));
    }
    if (node.type === "string") return text(owner, key, mark);
    if (node.type === "literal") return node.values[0];
    if (node.type === "enum") return Object.values(node.entries).find((entry) => typeof entry !== "string");
    if (node.type === "boolean") return false;
    if (node.type === "null" || (node.type === "nullable" && !isSeen)) return null;
    const options = insideOf(node);
    const shallow = options.filter((option) => !isDeep(option, depth, deepest));
    const fitting = shallow.length > 0 ? shallow : options;
    const option = fitting[choose(fitting.length)];
    return option === undefined ? 1 : value(option, owner, key, depth);
  };
  const object = (name: string, shape: Readonly<Record<string, Schema>>, depth: number): unknown => {
    const seen = SEEN[name] ?? [];
    const rest = Object.keys(shape).filter((field) => !seen.includes(field));
    const made: Record<string, unknown> = {};
    for (const field of [...seen, ...rest]) {
      const inner = shape[field];
      if (inner === undefined) continue;
      const isOptional = defOf(inner).type === "optional";
      const isMade = !isOptional || (seen.includes(field) && depth < deepest && choose(4) > 0);
      if (isMade) made[field] = value(inner, name, field, depth + 1);
    }
    return made;
  };
  return value(schemaNamed(name), "", "", 0);
};

const isDeep = (one: Schema, depth: number, deepest: number): boolean =>
  depth >= deepest - 5 &&
  ["ContainerComponentResponse", "ActionRowComponentResponse"].includes(names.get(one) ?? "");

const text = (owner: string, key: string, mark: () => string): string => {
  if (/(^|_)timestamp$|_at$|^expiry$/.test(key)) return "2026-11-28T00:00:00Z";
  if (key === "url" && SEEN[owner]?.includes("url") === true) return `https://x.example/${mark()}`;
  if (key.endsWith("url")) return "https://x.example/a.png";
  if (SEEN[owner]?.includes(key) === true) return mark();
  return key === "type" ? "rich" : "1";
};

/** Markers that are read elsewhere than they are drawn: names of files last, an embed's address first. */
export const moved = (value: unknown): readonly string[] =>
  Object.entries(Object(value)).flatMap(([key, inner]) => {
    if (["filename", "title", "url"].includes(key)) return markersIn(String(inner));
    return typeof inner === "object" ? moved(inner) : [];
  });
