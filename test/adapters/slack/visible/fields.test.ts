/** 39.A1: no text that people see of a message on Slack is lost by the readers. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { slackAppPostOf } from "../../../../adapters/slack/receive/posted.ts";
import { blockText } from "../../../../adapters/slack/read/block-text.ts";
import { slackPlainText } from "../../../../adapters/slack/read/plain.ts";
import { slackFilesOf } from "../../../../adapters/slack/read/files.ts";
import { slackContentOf, slackMessage, slackTextOf } from "../../../../adapters/slack/read/message.ts";
import { ofWhole } from "../../../sample.ts";
import { createMarkers, expectAll, type Markers, markersIn } from "../../markers.ts";
import {
  ATTACHMENT_KEYS,
  attachmentOf,
  FILE_KEYS,
  fileOf,
  HAS_EVERY_FIELD,
  HAS_EVERY_FIELD_OF_FILES,
  HAS_EVERY_FIELD_OF_MESSAGES,
} from "./attached.ts";
import { EVERY_BLOCK, EXCEPTIONS, type Reason } from "./everything.ts";

const SELF = { team: "T1", enterprise: null, user: "UBOT", bot: "BBOT", name: "parley" };
const RUNS = { numRuns: ofWhole(2_000, 300), seed: 39_001 };

/** What the model gets of a message, whoever wrote it. */
const read = (message: object): string => {
  const parsed = slackMessage.parse({ ts: "1.0", ...message });
  return [
    slackTextOf(parsed, "UBOT"),
    ...slackContentOf(parsed).map(({ author, text }) => `${author}\n${text}`),
  ].join("\n");
};

const someBlocks = fc.array(fc.constantFrom(...EVERY_BLOCK), { minLength: 1, maxLength: 6 });
const someFields = fc.subarray([...ATTACHMENT_KEYS], { minLength: 1 });
const someAttachments = fc.array(someFields, { minLength: 1, maxLength: 3 });

/** Fields that stand in another place of the text than on the screen. */
const ADDRESSES = ["title_link", "from_url", "author_name", "author_subname", "service_name"];
const elsewhere = (attachments: readonly object[]): readonly string[] =>
  attachments.flatMap((one) =>
    Object.entries(one).flatMap(([key, value]) => (ADDRESSES.includes(key) ? markersIn(String(value)) : [])),
  );

/** Addresses of the post: those of its first line come after its title. */
const linksOf = (blocks: readonly object[]): readonly string[] =>
  JSON.stringify(blocks)
    .match(/https:\/\/x\.example\/mk\d+x/g)
    ?.flatMap(markersIn) ?? [];

const markers = (): Markers<Reason> => createMarkers<Reason>();

it("39.A1 every block of an app's post is read in order", () => {
  fc.assert(
    fc.property(someBlocks, (builds) => {
      const made = markers();
      const message = { bot_id: "B2", blocks: builds.map((build) => build(made)) };
      expectAll(made, message, read(message));
    }),
    RUNS,
  );
});

it("39.A1 every field of an attachment is read in order", () => {
  fc.assert(
    fc.property(someAttachments, (given) => {
      const made = markers();
      const attachments = given.map((keys) => attachmentOf(keys, made));
      expectAll(made, attachments, read({ user: "U1", attachments }), elsewhere(attachments));
    }),
    RUNS,
  );
});

it("39.A1 a person's text, table and attachments are read in order", () => {
  fc.assert(
    fc.property(someBlocks, someAttachments, (builds, given) => {
      const made = markers();
      const text = made.mark();
      const section = { type: "rich_text_section", elements: [{ type: "text", text }] };
      const blocks = [{ type: "rich_text", elements: [section] }, ...builds.map((build) => build(made))];
      const attachments = given.map((keys) => attachmentOf(keys, made));
      const message = { user: "U1", text, blocks, attachments };
      expectAll(made, message, read(message), elsewhere(attachments));
    }),
    RUNS,
  );
});

it("39.A1 a forwarded post keeps its text, blocks and attachments", () => {
  fc.assert(
    fc.property(someBlocks, someAttachments, fc.boolean(), (builds, given, hasText) => {
      const made = markers();
      const text = hasText ? made.mark() : "";
      const blocks = builds.map((build) => build(made));
      const attachments = given.map((keys) => attachmentOf(keys, made));
      const inner = { team: "T1", channel: "C1", ts: "1.0", message: { text, blocks, attachments } };
      const message = { user: "U1", attachments: [{ is_share: true, text, message_blocks: [inner] }] };
      expectAll(made, message, read(message), elsewhere(attachments));
    }),
    RUNS,
  );
});

/** In the order in which the model gets them: descriptions first, then names and what comes with the files. */
const filesRead = (message: object): string => {
  const parsed = slackMessage.parse({ ts: "1.0", ...message });
  return [
    ...slackContentOf(parsed).map(({ text }) => text),
    ...slackFilesOf(parsed).flatMap(({ name, text = "", withheld = "" }) => [name, text, withheld]),
  ].join("\n");
};

it("39.A1 every field of a file is read, of a forwarded one too", () => {
  fc.assert(
    fc.property(fc.subarray([...FILE_KEYS]), fc.boolean(), (keys, isForwarded) => {
      const made = markers();
      // Names of an e-mail's people come with its words.
      const file = fileOf([...keys, "plain_text"], made);
      const message = isForwarded ? { attachments: [{ files: [file] }] } : { files: [file] };
      expectAll(made, message, filesRead(message));
    }),
    RUNS,
  );
});

it.each([
  [{ id: "F1", mode: "tombstone" }, "it was deleted"],
  [{ id: "F1", mode: "hidden_by_limit" }, "Slack hides it"],
  [{ id: "F1", name: "a.txt", file_access: "access_denied" }, "Slack denies access"],
  [{ id: "F1", name: "a.txt", mode: "hosted" }, "Slack does not serve it"],
])("39.A1 a file that cannot be read is named with the reason (%j)", (file, why) => {
  expect(filesRead({ files: [file] })).toContain(why);
});

it("39.A1 what is said in a voice message is read", () => {
  const made = markers();
  const transcription = { status: "complete", preview: { content: made.mark(), has_more: true } };
  const message = { files: [{ id: "F1", name: `${made.mark()}.m4a`, transcription }] };
  expectAll(made, message, filesRead(message), made.wanted());
});

it("39.A1 an app's post that a watch receives keeps its text, its author and the names of its files", () => {
  fc.assert(
    fc.property(someBlocks, someAttachments, (builds, given) => {
      const made = markers();
      const blocks = builds.map((build) => build(made));
      const attachments = given.map((keys) => attachmentOf(keys, made));
      const files = [{ id: "F1", name: made.mark(), url_private: "https://x.example/f" }];
      const message = slackMessage.parse({ ts: "1.0", bot_id: "B2", blocks, attachments, files });
      const posted = slackAppPostOf(
        { kind: "message", channel: "C1", isDirect: false, isPartial: false, message },
        SELF,
      );
      const told = [posted?.title, posted?.text, posted?.link].join("\n");
      const titles = attachments.flatMap((one) => ("title" in one ? markersIn(String(one.title)) : []));
      const moved = [...elsewhere(attachments), ...titles, ...linksOf(blocks)];
      expectAll(made, message, told, moved);
    }),
    RUNS,
  );
});

it("39.A1 each exception is about text that is still left out, and each is used", () => {
  const made = markers();
  const message = { bot_id: "B2", blocks: EVERY_BLOCK.map((build) => build(made)) };
  const attachments = [attachmentOf(ATTACHMENT_KEYS, made)];
  const text = read({ ...message, attachments });
  for (const reason of Object.keys(EXCEPTIONS)) {
    const spared = made.spared(reason as Reason);
    expect(spared, reason).not.toEqual([]);
    expect(
      spared.filter((word) => markersIn(text).includes(word)),
      reason,
    ).toEqual([]);
  }
});

it("39.A1 every field that Slack declares for a message, an attachment or a file is generated or has a reason", () => {
  expect(HAS_EVERY_FIELD && HAS_EVERY_FIELD_OF_FILES && HAS_EVERY_FIELD_OF_MESSAGES).toBe(true);
});

it("39.A1 rows of a Slack list are named as left out", () => {
  const message = { user: "U1", attachments: [{ list: { title: "Bugs" }, list_records: [{ id: "R1" }] }] };
  expect(read(message)).toContain("Bugs\n[rows of a Slack list are left out]");
});

it("39.A1 a date without a fallback keeps the words around it", () => {
  const date = { type: "date", timestamp: 1_700_000_000, format: "Due {date} at {time}" };
  const blocks = [{ type: "rich_text", elements: [{ type: "rich_text_section", elements: [date] }] }];
  expect(slackPlainText(blockText(blocks), "")).toBe("Due 2023-11-14T22:13:20.000Z at");
});

const button = (action: string) => ({
  type: "button",
  action_id: action,
  text: { type: "plain_text", text: "Approve" },
});

it("39.A1 the buttons of a Parley are no words of its post; another app's are", () => {
  expect(blockText([{ type: "actions", elements: [button("parley_approve")] }])).toBe("");
  expect(blockText([{ type: "actions", elements: [button("deploy")] }])).toBe("[Approve]");
});
