/**
 * Messages with a marker in every field that people can see. The records have an entry for each type of Slack's own
 * declarations, and each entry has every field: a type or a field of a new version does not compile until it has one.
 */

import type { types, webApi } from "@slack/bolt";
import type { Markers } from "../../markers.ts";

/** Fields with text that people may see and the model does not get, each with the reason. */
export const EXCEPTIONS = {
  dialog: "the text of a confirmation appears after a click",
  spoken: "screen readers read the label of a control aloud; the control shows its text",
  menu: "the choices of a menu appear after a click; the chosen one is read",
  hint: "an empty field shows its placeholder; this one is filled in",
  format: "the fallback says the same for clients that cannot format dates",
  unicode: "the name of an emoji says which one it is",
  fallback: "clients that show the other fields do not show the fallback",
  button: "the value of a control goes to its app",
} as const;

export type Reason = keyof typeof EXCEPTIONS;
type Mark = Markers<Reason>;
type Build = (mark: Mark) => object;
type Whole<T> = T extends unknown ? Required<T> : never;
type Builders<Union extends { readonly type: string }> = {
  readonly [Type in Union["type"]]: (mark: Mark) => Whole<Extract<Union, { readonly type: Type }>>;
};

const plain = (text: string): types.PlainTextElement => ({ type: "plain_text", text, emoji: true });
const mrkdwn = (text: string): types.MrkdwnElement => ({ type: "mrkdwn", text, verbatim: true });
const PICTURE = "https://pictures.example/a.png";

type RichText = types.RichTextElement;

/** People, groups and channels are named elsewhere (WS5): here their ids are no markers. */
const INLINE: Builders<RichText> = {
  text: ({ mark }) => ({ type: "text", text: mark(), style: { bold: true } }),
  link: ({ mark }) => ({
    type: "link",
    text: mark(),
    url: `https://x.example/${mark()}`,
    unsafe: false,
    style: {},
  }),
  emoji: ({ mark, without }) => ({
    type: "emoji",
    name: mark(),
    unicode: without("unicode"),
    url: PICTURE,
    style: {},
  }),
  color: ({ mark }) => ({ type: "color", value: mark(), style: {} }),
  date: ({ mark, without }) => ({
    type: "date",
    timestamp: 1_700_000_000,
    format: `${without("format")} {date}`,
    fallback: mark(),
    url: PICTURE,
    style: {},
  }),
  user: () => ({ type: "user", user_id: "UALICE", style: {} }),
  usergroup: () => ({ type: "usergroup", usergroup_id: "S1", style: {} }),
  channel: () => ({ type: "channel", channel_id: "CGENERAL", style: {} }),
  team: () => ({ type: "team", team_id: "T0FAKE", style: {} }),
  broadcast: () => ({ type: "broadcast", range: "here", style: {} }),
};

const everyInline = (mark: Mark): RichText[] => Object.values(INLINE).map((build) => build(mark));

/** Slack adds to a list the number of its first item. */
const RICH: Builders<types.RichTextBlockElement> = {
  rich_text_section: (mark) => ({ type: "rich_text_section", elements: everyInline(mark) }),
  rich_text_list: (mark) => ({
    type: "rich_text_list",
    style: "ordered",
    indent: 1,
    border: 0,
    elements: [
      { type: "rich_text_section", elements: everyInline(mark) },
      { type: "rich_text_section", elements: [INLINE.text(mark)] },
    ],
  }),
  rich_text_quote: (mark) => ({ type: "rich_text_quote", border: 0, elements: everyInline(mark) }),
  rich_text_preformatted: (mark) => ({
    type: "rich_text_preformatted",
    border: 0,
    elements: [INLINE.text(mark), INLINE.link(mark)],
  }),
};

const richText = (mark: Mark): Required<types.RichTextBlock> => ({
  type: "rich_text",
  block_id: "b",
  elements: Object.values(RICH).map((build) => build(mark)),
});
const shortText = (mark: Mark): types.RichTextBlock => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements: [INLINE.text(mark)] }],
});

const confirm = ({ without }: Mark): Required<types.Confirm> => ({
  title: plain(without("dialog")),
  text: mrkdwn(without("dialog")),
  confirm: plain(without("dialog")),
  deny: plain(without("dialog")),
  style: "danger",
});
const option = (text: string, description: string): Required<types.PlainTextOption> => ({
  text: plain(text),
  description: plain(description),
  value: "v",
  url: "https://x.example",
});
const shut = ({ without }: Mark) => option(without("menu"), without("menu"));
const seen = ({ mark }: Mark) => option(mark(), mark());

type Element =
  | types.ActionsBlockElement
  | types.ContextActionsBlockElement
  | types.ContextBlockElement
  | types.InputBlockElement
  | types.SectionBlockAccessory;

const menu = (mark: Mark) => ({
  action_id: "a",
  confirm: confirm(mark),
  focus_on_load: false,
  placeholder: plain(mark.without("hint")),
});
const field = (mark: Mark) => ({
  action_id: "a",
  dispatch_action_config: {},
  focus_on_load: false,
  placeholder: plain(mark.without("hint")),
});
const several = { max_selected_items: 2 };
const filter = {
  include: ["public" as const],
  exclude_external_shared_channels: true,
  exclude_bot_users: true,
};

const ELEMENTS: Builders<Element> = {
  plain_text: ({ mark }) => ({ type: "plain_text", text: mark(), emoji: true }),
  mrkdwn: ({ mark }) => ({ type: "mrkdwn", text: mark(), verbatim: true }),
  image: ({ mark }) => ({ type: "image", alt_text: mark(), image_url: PICTURE }),
  button: (mark) => ({
    type: "button",
    action_id: "a",
    text: plain(mark.mark()),
    url: `https://x.example/${mark.mark()}`,
    value: mark.without("button"),
    style: "primary",
    accessibility_label: mark.without("spoken"),
    confirm: confirm(mark),
  }),
  workflow_button: (mark) => ({
    type: "workflow_button",
    action_id: "a",
    text: plain(mark.mark()),
    workflow: { trigger: { url: "https://x.example", customizable_input_parameters: [] } },
    style: "primary",
    accessibility_label: mark.without("spoken"),
    confirm: confirm(mark),
  }),
  icon_button: (mark) => ({
    type: "icon_button",
    action_id: "a",
    icon: "trash",
    text: plain(mark.mark()),
    accessibility_label: mark.without("spoken"),
    value: mark.without("button"),
    visible_to_user_ids: [],
    confirm: confirm(mark),
  }),
  feedback_buttons: ({ mark, without }) => ({
    type: "feedback_buttons",
    action_id: "a",
    positive_button: {
      text: plain(mark()),
      accessibility_label: without("spoken"),
      value: without("button"),
    },
    negative_button: {
      text: plain(mark()),
      accessibility_label: without("spoken"),
      value: without("button"),
    },
  }),
  checkboxes: (mark) => ({
    type: "checkboxes",
    action_id: "a",
    initial_options: [],
    options: [seen(mark), seen(mark)],
    confirm: confirm(mark),
    focus_on_load: false,
  }),
  radio_buttons: (mark) => {
    const one = seen(mark);
    return {
      type: "radio_buttons",
      action_id: "a",
      initial_option: one,
      options: [one, seen(mark)],
      confirm: confirm(mark),
      focus_on_load: false,
    };
  },
  overflow: (mark) => ({
    type: "overflow",
    action_id: "a",
    options: [shut(mark), shut(mark)],
    confirm: confirm(mark),
  }),
  static_select: (mark) => ({
    type: "static_select",
    ...menu(mark),
    initial_option: seen(mark),
    options: [shut(mark)],
    option_groups: [{ label: plain(mark.without("menu")), options: [shut(mark)] }],
  }),
  multi_static_select: (mark) => ({
    type: "multi_static_select",
    ...menu(mark),
    ...several,
    initial_options: [seen(mark), seen(mark)],
    options: [shut(mark)],
    option_groups: [{ label: plain(mark.without("menu")), options: [shut(mark)] }],
  }),
  external_select: (mark) => ({
    type: "external_select",
    ...menu(mark),
    initial_option: seen(mark),
    min_query_length: 1,
  }),
  multi_external_select: (mark) => ({
    type: "multi_external_select",
    ...menu(mark),
    ...several,
    initial_options: [seen(mark)],
    min_query_length: 1,
  }),
  users_select: (mark) => ({ type: "users_select", ...menu(mark), initial_user: "UALICE" }),
  multi_users_select: (mark) => ({
    type: "multi_users_select",
    ...menu(mark),
    ...several,
    initial_users: ["UALICE"],
  }),
  channels_select: (mark) => ({
    type: "channels_select",
    ...menu(mark),
    initial_channel: "CGENERAL",
    response_url_enabled: false,
  }),
  multi_channels_select: (mark) => ({
    type: "multi_channels_select",
    ...menu(mark),
    ...several,
    initial_channels: ["CGENERAL"],
  }),
  conversations_select: (mark) => ({
    type: "conversations_select",
    ...menu(mark),
    initial_conversation: "CGENERAL",
    default_to_current_conversation: false,
    filter,
    response_url_enabled: false,
  }),
  multi_conversations_select: (mark) => ({
    type: "multi_conversations_select",
    ...menu(mark),
    ...several,
    initial_conversations: ["CGENERAL"],
    default_to_current_conversation: false,
    filter,
  }),
  datepicker: (mark) => ({ type: "datepicker", ...menu(mark), initial_date: mark.mark() }),
  timepicker: (mark) => ({
    type: "timepicker",
    ...menu(mark),
    initial_time: mark.mark(),
    timezone: "Europe/Berlin",
  }),
  datetimepicker: (mark) => ({
    type: "datetimepicker",
    action_id: "a",
    initial_date_time: 1_700_000_000,
    confirm: confirm(mark),
    focus_on_load: false,
  }),
  plain_text_input: (mark) => ({
    type: "plain_text_input",
    ...field(mark),
    initial_value: mark.mark(),
    multiline: true,
    min_length: 0,
    max_length: 9,
  }),
  rich_text_input: (mark) => ({
    type: "rich_text_input",
    ...field(mark),
    initial_value: shortText(mark),
    min_lines: 1,
    max_lines: 9,
  }),
  email_text_input: (mark) => ({ type: "email_text_input", ...field(mark), initial_value: mark.mark() }),
  url_text_input: (mark) => ({ type: "url_text_input", ...field(mark), initial_value: mark.mark() }),
  number_input: (mark) => ({
    type: "number_input",
    ...field(mark),
    is_decimal_allowed: false,
    initial_value: mark.mark(),
    min_value: "0",
    max_value: "9",
  }),
  file_input: () => ({ type: "file_input", action_id: "a", filetypes: [], max_files: 1 }),
};

const picture = ({ mark }: Mark): types.ImageElement => ({
  type: "image",
  alt_text: mark(),
  image_url: PICTURE,
});

type Names<Union extends { readonly type: string }> = Readonly<Record<Union["type"], true>>;

const ACTIONS: Names<types.ActionsBlockElement> = {
  button: true,
  checkboxes: true,
  datepicker: true,
  datetimepicker: true,
  multi_users_select: true,
  multi_static_select: true,
  multi_conversations_select: true,
  multi_channels_select: true,
  multi_external_select: true,
  overflow: true,
  radio_buttons: true,
  users_select: true,
  static_select: true,
  conversations_select: true,
  channels_select: true,
  external_select: true,
  timepicker: true,
  workflow_button: true,
  rich_text_input: true,
};
const ACCESSORIES: Names<types.SectionBlockAccessory> = {
  button: true,
  checkboxes: true,
  datepicker: true,
  image: true,
  multi_users_select: true,
  multi_static_select: true,
  multi_conversations_select: true,
  multi_channels_select: true,
  multi_external_select: true,
  overflow: true,
  radio_buttons: true,
  users_select: true,
  static_select: true,
  conversations_select: true,
  channels_select: true,
  external_select: true,
  timepicker: true,
  workflow_button: true,
};
const INPUTS: Names<types.InputBlockElement> = {
  checkboxes: true,
  datepicker: true,
  datetimepicker: true,
  email_text_input: true,
  file_input: true,
  multi_users_select: true,
  multi_static_select: true,
  multi_conversations_select: true,
  multi_channels_select: true,
  multi_external_select: true,
  number_input: true,
  plain_text_input: true,
  radio_buttons: true,
  rich_text_input: true,
  users_select: true,
  static_select: true,
  conversations_select: true,
  channels_select: true,
  external_select: true,
  timepicker: true,
  url_text_input: true,
};

/** Of each element that `names` lists one block that holds it. */
const within = (
  names: Partial<Record<Element["type"], true>>,
  hold: (element: object) => object,
): readonly ((mark: Mark) => object)[] =>
  Object.entries(ELEMENTS).flatMap(([type, build]) =>
    type in names ? [(mark: Mark) => hold(build(mark))] : [],
  );

const BUTTONS = ["button", "workflow_button", "static_select", "checkboxes"] as const;

const block = <T extends string>(type: T): { readonly type: T; readonly block_id: string } => ({
  type,
  block_id: "b",
});

const card = (mark: Mark): Required<types.CardBlock> => ({
  ...block("card"),
  icon: picture(mark),
  hero_image: picture(mark),
  title: mrkdwn(mark.mark()),
  subtitle: mrkdwn(mark.mark()),
  body: mrkdwn(mark.mark()),
  actions: [ELEMENTS.button(mark)],
});
const source = ({ mark }: Mark): types.URLSourceElement => ({
  type: "url",
  text: mark(),
  url: `https://x.example/${mark()}`,
});
const task = (mark: Mark): Required<types.TaskCardBlock> => ({
  ...block("task_card"),
  task_id: "t",
  title: mark.mark(),
  details: shortText(mark),
  output: shortText(mark),
  sources: [source(mark)],
  status: "complete",
});
const cell = (mark: Mark): [types.RawTextElement, types.RawNumberElement, types.RichTextBlock] => [
  { type: "raw_text", text: mark.mark() },
  { type: "raw_number", value: 1, text: mark.mark() },
  shortText(mark),
];

/** Block kinds that messages have, and nothing that the app's own types know. */
type Sent = NonNullable<
  NonNullable<webApi.ConversationsHistoryResponse["messages"]>[number]["blocks"]
>[number];
type SentOnly = Exclude<`${NonNullable<Sent["type"]>}`, types.KnownBlock["type"]>;

export const SENT: { readonly [Type in SentOnly]: (mark: Mark) => object } = {
  share_shortcut: ({ mark }) => ({
    ...block("share_shortcut"),
    title: plain(mark()),
    description: plain(mark()),
    button_label: mark(),
  }),
};

/** Slack's declarations have the field `call` of blocks without a name for the kind. */
const call: Build = ({ mark }) => ({
  ...block("call"),
  call_id: "R1",
  call: { v1: { id: "R1", name: mark() } },
});

export const BLOCKS: Builders<types.KnownBlock> = {
  actions: (mark) => ({
    ...block("actions"),
    elements: BUTTONS.map((type) => ELEMENTS[type](mark)),
  }),
  alert: (mark) => ({ ...block("alert"), text: mrkdwn(mark.mark()), level: "error" }),
  card,
  carousel: (mark) => ({ ...block("carousel"), elements: [card(mark), card(mark)] }),
  container: (mark) => ({
    ...block("container"),
    icon: picture(mark),
    title: plain(mark.mark()),
    rich_text_title: shortText(mark),
    subtitle: mrkdwn(mark.mark()),
    child_blocks: [
      BLOCKS.header(mark),
      BLOCKS.section(mark),
      BLOCKS.context(mark),
      BLOCKS.table(mark),
      BLOCKS.image(mark),
      BLOCKS.video(mark),
      shortText(mark),
      BLOCKS.divider(mark),
    ],
    width: "full",
    is_collapsible: true,
    default_collapsed: true,
    has_header_divider: true,
  }),
  context: (mark) => ({
    ...block("context"),
    elements: [ELEMENTS.image(mark), ELEMENTS.mrkdwn(mark), ELEMENTS.plain_text(mark)],
  }),
  context_actions: (mark) => ({
    ...block("context_actions"),
    elements: [ELEMENTS.feedback_buttons(mark), ELEMENTS.icon_button(mark)],
  }),
  data_table: (mark) => ({
    ...block("data_table"),
    caption: mark.mark(),
    rows: [cell(mark), cell(mark)],
    page_size: 10,
    row_header_column_index: 0,
  }),
  divider: () => block("divider"),
  file: () => ({ ...block("file"), source: "remote", external_id: "e" }),
  header: (mark) => ({ ...block("header"), text: plain(mark.mark()) }),
  image: ({ mark }) => ({
    ...block("image"),
    title: plain(mark()),
    alt_text: mark(),
    image_url: PICTURE,
  }),
  input: (mark) => ({
    ...block("input"),
    label: plain(mark.mark()),
    element: ELEMENTS.plain_text_input(mark),
    hint: plain(mark.mark()),
    optional: true,
    dispatch_action: false,
  }),
  markdown: (mark) => ({ ...block("markdown"), text: mark.mark() }),
  rich_text: richText,
  section: (mark) => ({
    ...block("section"),
    text: mrkdwn(mark.mark()),
    accessory: ELEMENTS.image(mark),
    fields: [plain(mark.mark()), mrkdwn(mark.mark())],
    expand: true,
  }),
  table: (mark) => ({ ...block("table"), rows: [cell(mark), cell(mark)], column_settings: [] }),
  task_card: task,
  plan: (mark) => ({ ...block("plan"), title: mark.mark(), tasks: [task(mark), task(mark)] }),
  video: ({ mark }) => ({
    ...block("video"),
    author_name: mark(),
    provider_name: mark(),
    title: plain(mark()),
    description: plain(mark()),
    alt_text: mark(),
    title_url: "https://x.example",
    thumbnail_url: PICTURE,
    provider_icon_url: PICTURE,
    video_url: "https://x.example",
  }),
};

/** Each kind of block, and each element in each block that may hold it. */
export const EVERY_BLOCK: readonly Build[] = [
  ...Object.values(BLOCKS),
  ...Object.values(SENT),
  call,
  ...within(ACTIONS, (element) => ({ ...block("actions"), elements: [element] })),
  ...within(ACCESSORIES, (accessory) => ({ ...block("section"), text: plain("-"), accessory })),
  ...within(INPUTS, (element) => ({ ...block("input"), label: plain("-"), element })),
];
