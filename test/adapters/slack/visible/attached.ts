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

type SentFile = NonNullable<Message["files"]>[number];

/** In the order in which the model gets them. */
const FILE = {
  alt_txt: ({ mark }) => mark(),
  title: ({ mark }) => mark(),
  name: ({ mark }) => `${mark()}.eml`,
  from: ({ mark }) => [{ original: mark() }],
  to: ({ mark }) => [{ name: mark(), address: mark() }],
  cc: ({ mark }) => [{ address: mark() }],
  plain_text: ({ mark }) => mark(),
} satisfies Partial<Record<keyof SentFile, Build>>;

/** Fields without words, and those whose words are elsewhere or not Slack's to give; each of the latter with the reason. */
const FILE_WORDLESS = [
  "access",
  "app_id",
  // The app that serves a remote file.
  "app_name",
  "app_provides_file_work_objects",
  "bot_id",
  "can_toggle_canvas_lock",
  "canvas_creator_id",
  "canvas_printing_enabled",
  "canvas_readtime",
  "canvas_template_mode",
  "channel_actions_count",
  "channel_actions_ts",
  "channels",
  "comments_count",
  "converted_pdf",
  "created",
  "deanimate",
  "deanimate_gif",
  "display_as_bot",
  "dm_mpdm_users_with_file_access",
  "duration_ms",
  "edit_link",
  "edit_timestamp",
  "editable",
  "editor",
  "editors",
  "external_id",
  "external_type",
  "external_url",
  "favorites",
  "file_access",
  "filetype",
  "groups",
  "has_more",
  "has_more_shares",
  "has_rich_preview",
  // Ids of an e-mail.
  "headers",
  "hls",
  "hls_embed",
  "id",
  "image_exif_rotation",
  "ims",
  // The text of the message, from before 2018.
  "initial_comment",
  "inline_attachment_count",
  "is_ai_suggested",
  "is_channel_space",
  "is_external",
  "is_modified_by_ai",
  "is_public",
  "is_restricted_sharing_enabled",
  "is_starred",
  "last_editor",
  "last_read",
  "lines",
  "lines_more",
  "linked_channel_id",
  "list_csv_download_url",
  "list_limits",
  // Columns of a Slack list, whose rows Slack does not serve as text.
  "list_metadata",
  "media_display_type",
  "media_progress",
  "mimetype",
  "mode",
  "mp4",
  "mp4_low",
  "non_owner_editable",
  "num_stars",
  "org_or_workspace_access",
  "original_attachment_count",
  "original_h",
  "original_w",
  "permalink",
  "permalink_public",
  "pinned_to",
  "pjpeg",
  // A type, which the media type says too.
  "pretty_type",
  // The beginning of the file itself.
  "preview",
  // The same in HTML.
  "preview_highlight",
  "preview_is_truncated",
  // The beginning of plain_text.
  "preview_plain_text",
  "private_channels_with_file_access_count",
  "private_file_with_access_count",
  "public_url_shared",
  "quip_thread_id",
  // Reactions are no words.
  "reactions",
  "saved",
  "sent_to_self",
  "shares",
  "show_badge",
  // The same as plain_text, in HTML.
  "simplified_html",
  "size",
  "skipped_shares",
  "source_team",
  // The title of an e-mail.
  "subject",
  "subtype",
  "team_pref_version_history_enabled",
  "teams_shared_with",
  "template_conversion_ts",
  // About a canvas template.
  "template_description",
  "template_icon",
  // The name of a canvas template.
  "template_name",
  // The name of a canvas template.
  "template_title",
  "thumb_1024",
  "thumb_1024_gif",
  "thumb_1024_h",
  "thumb_1024_w",
  "thumb_160",
  "thumb_160_gif",
  "thumb_160_h",
  "thumb_160_w",
  "thumb_360",
  "thumb_360_gif",
  "thumb_360_h",
  "thumb_360_w",
  "thumb_480",
  "thumb_480_gif",
  "thumb_480_h",
  "thumb_480_w",
  "thumb_64",
  "thumb_64_gif",
  "thumb_64_h",
  "thumb_64_w",
  "thumb_720",
  "thumb_720_gif",
  "thumb_720_h",
  "thumb_720_w",
  "thumb_80",
  "thumb_800",
  "thumb_800_gif",
  "thumb_800_h",
  "thumb_800_w",
  "thumb_80_gif",
  "thumb_80_h",
  "thumb_80_w",
  "thumb_960",
  "thumb_960_gif",
  "thumb_960_h",
  "thumb_960_w",
  "thumb_gif",
  "thumb_pdf",
  "thumb_pdf_h",
  "thumb_pdf_w",
  "thumb_tiny",
  "thumb_video",
  "thumb_video_h",
  "thumb_video_w",
  "timestamp",
  // The title of a canvas with formatting.
  "title_blocks",
  "update_notification",
  "updated",
  "url_private",
  "url_private_download",
  "url_static_preview",
  "user",
  "user_team",
  // The name of an app, which the message has too.
  "username",
  "vtt",
] as const satisfies readonly (keyof SentFile)[];

/** Tested by its own case, and what files of e-mails hold inside of them, which the fetched file has. */
const FILE_ELSEWHERE = [
  "transcription",
  "attachments",
  "blocks",
] as const satisfies readonly (keyof SentFile)[];

type UnlistedOfFile = Exclude<
  keyof SentFile,
  keyof typeof FILE | (typeof FILE_WORDLESS)[number] | (typeof FILE_ELSEWHERE)[number]
>;

/** Does not compile if Slack declares a field of files that none of the lists has. */
export const HAS_EVERY_FIELD_OF_FILES: [UnlistedOfFile] extends [never] ? true : false = true;

export const FILE_KEYS: readonly string[] = Object.keys(FILE);

/** A file with these fields. */
export const fileOf = (keys: readonly string[], mark: Mark): object => ({
  id: "F1",
  ...Object.fromEntries(
    Object.entries(FILE).flatMap(([key, build]) => (keys.includes(key) ? [[key, build(mark)]] : [])),
  ),
});

/** Fields of a message: the four with words, who wrote it, and those without words or with words from elsewhere. */
const MESSAGE = [
  "text",
  "blocks",
  "attachments",
  "files",
  // Author.
  "user",
  "username",
  "bot_profile",
  "bot_id",
  "app_id",
  "team",
  "icons",
  "display_as_bot",
  // Titles of a thread with an agent, which the app itself gives.
  "agent_session",
  "assistant_app_thread",
  // The thread's first message, which is read back with the thread.
  "root",
  // Lines of Slack about the channel; nobody said them.
  "topic",
  "purpose",
  "inviter",
  // Reactions are no words.
  "reactions",
  // Data of apps, which nobody sees.
  "metadata",
  "client_msg_id",
  "edited",
  "hidden",
  "is_locked",
  "language",
  "latest_reply",
  "parent_user_id",
  "reply_count",
  "reply_users",
  "reply_users_count",
  "subscribed",
  "subtype",
  "thread_ts",
  "ts",
  "type",
  "upload",
  "x_files",
] as const satisfies readonly (keyof Message)[];

type UnlistedOfMessage = Exclude<keyof Message, (typeof MESSAGE)[number]>;

/** Does not compile if Slack declares a field of messages that the list does not have. */
export const HAS_EVERY_FIELD_OF_MESSAGES: [UnlistedOfMessage] extends [never] ? true : false = true;
