/**
 * Attachments and whole messages with a marker in every field that people can see. Every field of Slack's declarations is
 * either built here or in a list of those without text of their own.
 */

import type { types, webApi } from "@slack/bolt";
import type { Markers } from "../../markers.ts";
import { type Reason } from "./everything.ts";

type Mark = Markers<Reason>;
type Message = NonNullable<webApi.ConversationsHistoryResponse["messages"]>[number];
type Attachment = NonNullable<Message["attachments"]>[number];
type Build = (mark: Mark) => unknown;

const plain = (text: string) => ({ type: "plain_text", text });

/** In the order in which Slack draws them. */
const ATTACHMENT = {
  pretext: ({ mark }) => mark(),
  service_name: ({ mark }) => mark(),
  author_name: ({ mark }) => mark(),
  author_subname: ({ mark }) => mark(),
  preview: ({ mark }) => ({ type: "p", title: plain(mark()), subtitle: plain(mark()) }),
  title: ({ mark }) => mark(),
  title_link: ({ mark }) => `https://x.example/${mark()}`,
  from_url: ({ mark }) => `https://x.example/${mark()}`,
  list: ({ mark }) => ({ id: "L1", title: mark() }),
  filename: ({ mark }) => mark(),
  text: ({ mark }) => mark(),
  fields: ({ mark }) => [
    { title: mark(), value: mark(), short: true },
    { title: mark(), value: mark(), short: false },
  ],
  blocks: ({ mark }) => [
    { type: "header", text: plain(mark()) },
    { type: "section", text: plain(mark()), fields: [plain(mark())] },
  ],
  actions: ({ mark, without }) => [
    { type: "button", name: "a", text: mark(), value: without("button"), url: `https://x.example/${mark()}` },
    { type: "select", name: "b", text: mark(), options: [{ text: without("menu"), value: "v" }] },
  ],
  fallback: ({ without }) => without("fallback"),
  footer: ({ mark }) => mark(),
} satisfies Partial<Record<keyof Attachment | keyof types.MessageAttachment, Build>>;

type AttachmentKey = keyof Attachment | keyof types.MessageAttachment;

/** Fields without words, and those whose words another field has as well. */
const WORDLESS = [
  "app_id",
  "app_unfurl_url",
  "author_icon",
  "author_id",
  "author_link",
  "bot_id",
  "bot_team_id",
  "callback_id",
  "channel_id",
  // The footer names the channel of a forwarded message.
  "channel_name",
  "channel_team",
  "color",
  "file_id",
  "footer_icon",
  "hide_border",
  "hide_color",
  "id",
  "image_bytes",
  "image_height",
  "image_url",
  "image_width",
  "indent",
  "is_app_unfurl",
  "is_file_attachment",
  "is_msg_unfurl",
  "is_reply_unfurl",
  "is_thread_root_unfurl",
  "list_record_id",
  "list_schema",
  "list_view",
  "list_view_id",
  "metadata",
  "mimetype",
  "mrkdwn_in",
  "msg_subtype",
  "original_url",
  "service_icon",
  "service_url",
  "size",
  "slack_file_id",
  "thumb_height",
  "thumb_url",
  "thumb_width",
  "ts",
  "url",
  "video_html",
  "video_html_height",
  "video_html_width",
  "video_url",
] as const satisfies readonly AttachmentKey[];

/** Tested by their own cases: forwarded messages, files, and rows of lists, of which the model is told that they are left out. */
const ELSEWHERE = [
  "message_blocks",
  "files",
  "list_record",
  "list_records",
] as const satisfies readonly AttachmentKey[];

type Unlisted = Exclude<
  AttachmentKey,
  keyof typeof ATTACHMENT | (typeof WORDLESS)[number] | (typeof ELSEWHERE)[number]
>;

/** Does not compile if Slack declares a field that none of the lists has. */
export const HAS_EVERY_FIELD: [Unlisted] extends [never] ? true : false = true;

export const ATTACHMENT_KEYS: readonly string[] = Object.keys(ATTACHMENT);

/** An attachment with these fields and a text. */
export const attachmentOf = (keys: readonly string[], mark: Mark): object =>
  Object.fromEntries(
    Object.entries(ATTACHMENT).flatMap(([key, build]) =>
      key === "text" || keys.includes(key) ? [[key, build(mark)]] : [],
    ),
  );
