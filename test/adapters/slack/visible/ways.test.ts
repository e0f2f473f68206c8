/** 39.A1: text that people see of a message on Slack reaches the model in each way in which the message arrives. */

import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Delivery } from "../../../fakes/slack/deliveries.ts";
import type { Json } from "../../../fakes/slack/world.ts";
import { told } from "../../rig.ts";
import { createMarkers, expectAll, type Markers, markersIn } from "../../markers.ts";
import { createRig, type SlackRig } from "../rig.ts";
import { ATTACHMENT_KEYS, attachmentOf } from "./attached.ts";
import { BLOCKS, type Reason, SENT } from "./everything.ts";

/**
 * Ways in which a message that people see does not reach the model, with the reason. Both platforms have the same.
 *
 * - Above a question in the channel, outside of its thread: a mention shares its message, and with it its thread, what it
 *   replies to and what it forwards. Other people's talk in the channel is shared by nobody. *Ask about this*, a forward and a
 *   mention in the thread of the message share it. Discord alone sends a forward and the comment to it as two messages: that
 *   forward is read.
 */
const GENERAL = { channel: "general" };

let made: Markers<Reason>;
beforeEach(() => {
  made = createMarkers<Reason>();
});

const json = (value: unknown): Json => JSON.parse(JSON.stringify(value));

/** A post with each kind of block and two attachments with every field. */
const post = (): { blocks: Json[]; attachments: Json[] } => ({
  blocks: [...Object.values(BLOCKS), ...Object.values(SENT)].map((build, no) =>
    json({ ...build(made), block_id: `b${no}` }),
  ),
  attachments: [ATTACHMENT_KEYS, ATTACHMENT_KEYS].map((keys) => json(attachmentOf(keys, made))),
});

/** Words of a person with a table, as Slack makes them of a message. */
const words = (text: string, isQuestion = false): { blocks: Json[]; attachments: Json[] } => ({
  blocks: [
    json({
      type: "rich_text",
      block_id: "r",
      elements: [
        {
          type: "rich_text_section",
          elements: [...(isQuestion ? [{ type: "user", user_id: "UPARLEY" }] : []), { type: "text", text }],
        },
      ],
    }),
    json({ ...BLOCKS.table(made), block_id: "t" }),
  ],
  attachments: [json(attachmentOf(ATTACHMENT_KEYS, made))],
});

const file = () => ({ name: `${made.mark()}.txt`, bytes: Buffer.from(made.mark()) });

/**
 * Asserts that everything of `given` is in the first request. Authors and addresses are at the head of a quote. `last`:
 * markers of the question, which follows everything that is quoted.
 */
const arrives = async (
  rig: SlackRig,
  root: { channel: string; ts: string },
  given: object,
  last: readonly string[] = [],
): Promise<void> => {
  await rig.thread(root, /Answer 1/);
  await rig.fake.settled();
  expect(rig.fake.violations).toEqual([]);
  expectAll(made, given, told(rig.asked[0]), [...moved(given), ...last]);
};

const HEAD = ["title_link", "from_url", "author_name", "author_subname", "service_name"];
const moved = (given: object): readonly string[] =>
  Object.entries(given).flatMap(([key, value]) => {
    if (HEAD.includes(key)) return markersIn(String(value));
    return typeof value === "object" && value !== null ? moved(value) : [];
  });

/** Asserts that the text, the parts and the files of a message are in the request. */
const expectSent = (
  request: Parameters<typeof told>[0],
  text: string,
  { parts, files }: { readonly parts: object; readonly files: readonly ReturnType<typeof file>[] },
): void => {
  const named = files.map(({ name, bytes }) => [name, String(bytes)]);
  const given = [text, parts, named];
  expectAll(made, given, told(request), [...moved(given), ...markersIn(JSON.stringify(named))]);
};

const hasText = (text: string) => (one: Delivery) => JSON.stringify(one.payload).includes(text);

describe("39.A1 on Slack, everything that people see", () => {
  it("of a message that asks reaches the model", async () => {
    const rig = await createRig();
    const text = made.mark();
    const parts = words(text, true);
    const sent = { parts, files: [file()] };
    const root = rig.fake.as("bob").say(`@parley ${text}`, { ...GENERAL, ...sent });
    const given = [text, parts, sent.files.map(({ name, bytes }) => [name, String(bytes)])];
    await arrives(rig, root, given, markersIn(JSON.stringify([text, parts.blocks])));
  });

  it("of an app's post that a thread began with reaches the model", async () => {
    const rig = await createRig();
    const given = post();
    const root = rig.fake.app("ci").post(given);
    rig.fake.as("bob").say("@parley why?", { ...GENERAL, thread: root.ts });
    await arrives(rig, root, given);
  });

  it("of a person's message that was edited reaches the model", async () => {
    const rig = await createRig();
    const root = rig.fake.as("carol").say("old words", GENERAL);
    const text = made.mark();
    const parts = words(text);
    rig.fake.as("carol").edit(root, text, parts);
    rig.fake.as("bob").say("@parley why?", { ...GENERAL, thread: root.ts });
    await arrives(rig, root, [text, parts]);
    expect(told(rig.asked[0])).not.toContain("old words");
  });

  it("of messages in the thread before the question reaches the model, in order", async () => {
    const rig = await createRig();
    const root = rig.fake.as("carol").say("It is red", GENERAL);
    const there = { ...GENERAL, thread: root.ts };
    const text = made.mark();
    const sent = { parts: words(text), files: [file()] };
    rig.fake.as("carol").say(text, { ...there, ...sent });
    const given = post();
    rig.fake.app("ci").post({ ...given, thread: root.ts });
    rig.fake.as("bob").say("@parley why?", there);
    const files = sent.files.map(({ name, bytes }) => [name, String(bytes)]);
    await arrives(rig, root, [text, sent.parts, given, files], markersIn(JSON.stringify(files)));
  });

  it.each([
    ["after", 0],
    ["before", 2],
  ])(
    "of a remark right below a mention whose event comes %s the mention's reaches the model with the next question",
    async (_, held) => {
      const rig = await createRig();
      const gate = rig.fake.gate();
      const hold = { kind: "hold", gate: gate.gate } as const;
      rig.fake.deliveryFault(hold, { times: held, match: hasText("why is it red?") });
      const root = rig.fake.as("bob").say("@parley why is it red?", GENERAL);
      if (held === 0) await rig.thread(root, /Answer 1/);
      const there = { ...GENERAL, thread: root.ts };
      const text = made.mark();
      const sent = { parts: words(text), files: [file()] };
      rig.fake.as("carol").say(text, { ...there, ...sent });
      await rig.fake.deliveries.find(hasText(text))?.ended;
      gate.open();
      await rig.thread(root, /Answer 1/);
      await rig.fake.settled();
      rig.fake.as("bob").say("@parley and now?", there);
      await rig.thread(root, /Answer 2/);
      expectSent(rig.asked[1], text, sent);
    },
  );

  it("of a message above the question in the channel is not read, and reaches the model once it is asked about", async () => {
    const rig = await createRig();
    const text = made.mark();
    const sent = { parts: words(text), files: [file()] };
    const above = rig.fake.as("bob").say(text, { ...GENERAL, ...sent });
    const asked = rig.fake.as("bob").say("@parley why?", GENERAL);
    await rig.thread(asked, /Answer 1/);
    expect(markersIn(told(rig.asked[0]))).toEqual([]);
    rig.fake.as("bob").say("@parley why?", { ...GENERAL, thread: above.ts });
    await rig.thread(above, /Answer 2/);
    expectSent(rig.asked[1], text, sent);
  });

  it("of an app's post that is forwarded reaches the model", async () => {
    const rig = await createRig();
    const given = post();
    const root = rig.fake.as("bob").share(rig.fake.app("ci").post(given), "@parley why?", GENERAL);
    await arrives(rig, root, given);
  });

  it("of a person's message that is forwarded reaches the model", async () => {
    const rig = await createRig();
    const text = made.mark();
    const sent = { parts: words(text), files: [file()] };
    const said = rig.fake.as("carol").say(text, { ...GENERAL, ...sent });
    const root = rig.fake.as("bob").share(said, "@parley why?", GENERAL);
    await arrives(rig, root, [text, sent.parts, sent.files.map(({ name, bytes }) => [name, String(bytes)])]);
  });

  it("of an app's post that a watch receives reaches the model", async () => {
    const rig = await createRig();
    const before = rig.fake.world.ephemerals.length;
    rig.fake.as("alice").command("/parley", "watch app A0SENTRY: Find the cause", "general");
    await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
    const given = post();
    const title = given.attachments.flatMap((one) => markersIn(String(one["title"])));
    const root = rig.fake.app("sentry").post(given);
    await rig.thread(root, /Answer 1/);
    expectAll(made, given, told(rig.asked[0]), [...moved(given), ...title]);
  });

  it("of an app's post reaches the model under Ask about this", async () => {
    const rig = await createRig();
    const given = post();
    const root = rig.fake.app("ci").post(given);
    await rig.fake.as("bob").messageShortcut("parley_ask", root).ended;
    await vi.waitFor(() => expect(rig.fake.as("bob").views()).toHaveLength(1));
    rig.fake.as("bob").submit({ words: "What broke it?" });
    await arrives(rig, root, given);
  });
});
