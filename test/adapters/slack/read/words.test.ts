/** Words of a message: what its blocks hold beyond its text, mentions that notify, addresses that Slack made. */

import { expect, it } from "vitest";
import { admitEnvelope, slackMessageOf } from "../../../../adapters/slack/receive/inbound.ts";
import { slackFilesOf } from "../../../../adapters/slack/read/files.ts";
import { slackContentOf, slackMessage, slackTextOf } from "../../../../adapters/slack/read/message.ts";

const SELF = { team: "T1", enterprise: null, user: "UBOT", bot: "BBOT", name: "parley" };
const heard = (message: object) => ({
  kind: "message" as const,
  channel: "C1",
  isDirect: false,
  isPartial: false,
  message: slackMessage.parse({ ts: "1.0", user: "U1", ...message }),
});
const rich = (...elements: readonly object[]) => [{ type: "rich_text", elements }];
const section = (...elements: readonly object[]) => ({ type: "rich_text_section", elements });
const text = (words: string, style?: object) => ({ type: "text", text: words, ...(style && { style }) });
const words = (message: object) => slackTextOf(slackMessage.parse({ ts: "1.0", ...message }), "UBOT");

it("WS9 a mention inside code is no mention, with rich text and without; a mention beside code is one", () => {
  const code = {
    text: "see `<@UBOT>`",
    blocks: rich(section(text("see "), text("<@UBOT>", { code: true }))),
  };
  expect(slackMessageOf(heard(code), SELF)?.addressed).toBe(false);
  expect(slackMessageOf(heard({ text: "see `<@UBOT>` and ```\n<@UBOT|parley>\n```" }), SELF)?.addressed).toBe(
    false,
  );
  const real = {
    text: "<@UBOT> see `x`",
    blocks: rich(section({ type: "user", user_id: "UBOT" }, text(" see "), text("x", { code: true }))),
  };
  expect(slackMessageOf(heard(real), SELF)?.addressed).toBe(true);
  expect(slackMessageOf(heard({ text: "see `x` <@UBOT> and `y`" }), SELF)?.addressed).toBe(true);
});

it("WS9 a mention in a list, in a quote and behind an unfinished fence is one", () => {
  const list = {
    type: "rich_text_list",
    style: "bullet",
    elements: [section({ type: "user", user_id: "UBOT" })],
  };
  expect(slackMessageOf(heard({ text: "• <@UBOT>", blocks: rich(list) }), SELF)?.addressed).toBe(true);
  expect(slackMessageOf(heard({ text: "```  <@UBOT>" }), SELF)?.addressed).toBe(true);
});

it("WS10 an address that Slack made of a file's name reads as it was written, and no preview is awaited", () => {
  const said = slackMessageOf(heard({ text: "<@UBOT> see <http://README.md|README.md>" }), SELF);
  expect(said?.text).toBe("see README.md");
  expect(said?.shown).toEqual([]);
  expect(words({ text: "<mailto:a@b.c|a@b.c> <https://example.com/|example.com>" })).toBe(
    "a@b.c example.com",
  );
  // A label that says something else keeps its address.
  expect(words({ text: "<http://evil.example/README.md|README.md>" })).toBe(
    "README.md (http://evil.example/README.md)",
  );
  expect(slackMessageOf(heard({ text: "<@UBOT> <https://x.test/a>" }), SELF)?.shown).toBeNull();
});

it("WS6 a pasted table of a person follows the words that only the text has", () => {
  const cell = (value: string) => ({ type: "rich_text", elements: [section(text(value))] });
  const table = {
    type: "table",
    rows: [
      [cell("Name"), { type: "raw_text", text: "a<b" }],
      [cell("x"), cell("2")],
    ],
  };
  const blocks = [...rich(section({ type: "user", user_id: "UBOT" }, text(" which row?"))), table];
  expect(words({ user: "U1", text: "<@UBOT> which row?", blocks })).toBe("which row?\nName | a<b\nx | 2");
});

it("WS6 a text that already holds its blocks stays as the person wrote it", () => {
  const list = {
    type: "rich_text_list",
    style: "ordered",
    elements: [section(text("one")), section(text("two"))],
  };
  const written = "*Steps* `a &lt; b`\n1. one\n2. two";
  const blocks = rich(section(text("Steps", { bold: true }), text(" "), text("a < b", { code: true })), list);
  expect(words({ user: "U1", text: written, blocks })).toBe("*Steps* `a < b`\n1. one\n2. two");
});

it("WS6 lists keep numbers, offset and indent; dates, colors and angle brackets keep their words", () => {
  const list = (style: string, indent: number, offset: number, ...items: readonly string[]) => ({
    type: "rich_text_list",
    style,
    indent,
    offset,
    elements: items.map((item) => section(text(item))),
  });
  const inline = section(
    { type: "date", timestamp: 1_700_000_000, format: "{date}", fallback: "Nov 14" },
    text(" "),
    { type: "date", timestamp: 1_700_000_000, format: "{date}" },
    text(" <tag> "),
    { type: "color", value: "#ff0000" },
  );
  const blocks = rich(
    list("ordered", 0, 0, "one"),
    list("bullet", 1, 0, "in"),
    list("ordered", 0, 1, "two"),
    inline,
  );
  expect(words({ bot_id: "B2", blocks })).toBe(
    "1. one\n  • in\n2. two\nNov 14 2023-11-14T22:13:20.000Z <tag> #ff0000",
  );
});

const plain = (value: string) => ({ type: "plain_text", text: value });

it("WS6 cards, containers, alerts, data tables, videos and plans of apps keep their text in order", () => {
  const blocks = [
    { type: "alert", level: "error", text: { type: "mrkdwn", text: "A1" } },
    { type: "card", title: plain("C1"), subtitle: plain("C2"), body: plain("C3") },
    { type: "carousel", elements: [{ type: "card", title: plain("K1"), body: plain("K2") }] },
    {
      type: "container",
      title: plain("B1"),
      subtitle: plain("B2"),
      child_blocks: [{ type: "section", text: plain("B3") }],
    },
    {
      type: "data_table",
      caption: "D1",
      rows: [
        [
          { type: "raw_text", text: "D2" },
          { type: "raw_text", text: "D3" },
        ],
        [
          { type: "raw_text", text: "D4" },
          { type: "raw_number", value: 7 },
        ],
      ],
    },
    { type: "video", author_name: "V1", title: plain("V2"), description: plain("V3"), alt_text: "V4" },
    {
      type: "plan",
      title: "P1",
      tasks: [{ type: "task_card", title: "P2", output: rich(section(text("P3")))[0] }],
    },
  ];
  expect(words({ bot_id: "B2", blocks }).split("\n")).toEqual(
    [
      "A1",
      "C1",
      "C2",
      "C3",
      "K1",
      "K2",
      "B1",
      "B2",
      "B3",
      "D1",
      "D2 | D3",
      "D4 | 7",
      "V1",
      "V2",
      "V3",
      "V4",
    ].concat(["P1", "P2", "P3"]),
  );
});

it("WS6 a forwarded post of an app keeps the words of message_blocks", () => {
  const blocks = [{ type: "section", text: { type: "mrkdwn", text: "Deploy *failed*" } }];
  const attachments = [
    {
      author_name: "CI",
      text: "",
      message_blocks: [{ team: "T1", channel: "C1", ts: "1.0", message: { blocks } }],
    },
  ];
  expect(slackContentOf(slackMessage.parse({ ts: "2.0", attachments }))).toEqual([
    { author: "CI", text: "Deploy *failed*", at: 2_000 },
  ]);
});

it("WS7 a file that Slack does not serve comes with the reason, also a forwarded one; one with text needs no address", () => {
  const files = [
    { id: "F1", name: "gone.txt", mode: "tombstone" },
    { id: "F2", name: "old.txt", mode: "hidden_by_limit" },
    { id: "F3", file_access: "check_file_info" },
    { id: "F4", title: "Re: outage", mode: "email", mimetype: "text/html", plain_text: "It is down." },
    {
      id: "F5",
      name: "v.m4a",
      transcription: { status: "complete", preview: { content: "Hi", has_more: true } },
    },
    { id: "F6", name: "fine.txt", url_private: "https://files.slack.com/F6" },
  ];
  const message = slackMessage.parse({
    ts: "1.0",
    files,
    attachments: [{ author_name: "carol", files: [{ id: "F7", name: "x.log", mode: "tombstone" }] }],
  });
  const read = slackFilesOf(message).map(({ id, text: held, withheld, author }) => [
    id,
    held ?? withheld,
    author,
  ]);
  expect(read).toEqual([
    ["F1", "it was deleted", undefined],
    ["F2", "Slack hides it because the workspace reached a limit of its plan", undefined],
    ["F3", "Slack does not serve it to the app", undefined],
    ["F4", "It is down.", undefined],
    ["F5", "Hi\n[Slack sent only this part of the transcription]", undefined],
    ["F6", undefined, undefined],
    ["F7", "it was deleted", "carol"],
  ]);
});

const byProgram = (words_: string) => ({
  type: "event_callback",
  event: { type: "message", channel: "C1", ts: "1.0", user: "U1", bot_id: "B7", text: words_ },
});

it("WS13 a post with user and bot_id is admitted if it mentions the bot, and not if it does neither that nor go on in a thread", () => {
  const ears = {
    self: SELF,
    knows: () => false,
    hears: () => false,
    sees: () => false,
    keeps: () => false,
    stops: () => false,
  };
  expect(admitEnvelope(byProgram("<@UBOT> why?"), ears)?.id).toBe("message/T1/C1/1.0");
  expect(admitEnvelope(byProgram("why?"), ears)).toBeNull();
});

it("WS3 a message inside of an event may lack all but what the event is about", () => {
  const ears = {
    self: SELF,
    knows: () => true,
    hears: () => false,
    sees: () => false,
    keeps: () => false,
    stops: () => false,
  };
  const event = { type: "message", channel: "C1", ts: "9.0", subtype: "message_deleted", deleted_ts: "2.0" };
  const admitted = (more: object) =>
    admitEnvelope({ type: "event_callback", event: { ...event, ...more } }, ears)?.lane;
  expect(admitted({ previous_message: { thread_ts: "1.0" } })).toBe("C1/1.0");
  expect(admitted({ previous_message: { ts: "2.0", files: null, attachments: null } })).toBe("C1/2.0");
  expect(admitted({})).toBe("C1/2.0");
  const changed = { subtype: "message_changed", deleted_ts: undefined };
  expect(admitted({ ...changed, message: { subtype: "tombstone", ts: "2.0" } })).toBe("C1/2.0");
  expect(admitted({ ...changed, message: { files: [{ id: "F1" }] } })).toBeUndefined();
});
