/** D52 Edits on the wire: what Slack and Discord send besides the words, more than once, in part, or while nobody listens. */

import { describe, expect, it, vi } from "vitest";
import {
  createRig as createDiscordRig,
  type DiscordRig,
  type RigOptions as DiscordOptions,
} from "./discord/rig.ts";
import { OFTEN, told } from "./rig.ts";
import { createRig as createSlackRig, type RigOptions as SlackOptions, type SlackRig } from "./slack/rig.ts";
import { textAnswer } from "../runtime/world.ts";

const QUESTION = "@parley Is retry.ts used?";
const EDITED = "@parley Is backoff.ts used?";
const OFFER = "You edited your message.";
const channel = "general";

/** A model whose first answer waits, and says what the others were asked. */
const waiting = () => {
  const begun = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const answer: NonNullable<SlackOptions["answer"]> = async (_messages, no) => {
    if (no > 1) return textAnswer(`Answer ${no}.`);
    begun.resolve();
    await free.promise;
    return textAnswer("Answer 1.");
  };
  return { answer, begun: begun.promise, open: free.resolve };
};

const handled = (chat: SlackRig["chat"], surface: string) =>
  vi.waitFor(() => expect(chat.unhandled(surface)).toEqual([]), OFTEN);

const slackOffers = ({ fake }: SlackRig): number =>
  fake.world.ephemerals.filter(({ text }) => text.includes(OFFER)).length;

const answeredOnSlack = async (options: SlackOptions = {}) => {
  const rig = await createSlackRig(options);
  const root = rig.fake.as("bob").say(QUESTION, { channel });
  await rig.thread(root, /Answer 1\.[^]*Restricted ·/);
  await rig.fake.settled();
  return { rig, root };
};

const settled = async (rig: SlackRig): Promise<void> => {
  await rig.fake.settled();
  await handled(rig.chat, "slack");
};

const discordOffers = ({ fake }: DiscordRig, thread: string): number =>
  fake.world.messages(thread).filter(({ content }) => content.includes(OFFER)).length;

const answeredOnDiscord = async (options: DiscordOptions = {}) => {
  const rig = await createDiscordRig(options);
  const root = rig.fake.as("bob").say(channel, QUESTION);
  await rig.reads(root.id, /Answer 1\.[^]*Restricted ·/);
  return { rig, root };
};

describe("on Slack", () => {
  it("ten edits after the answer make one offer, and its button is used once", async () => {
    const { rig, root } = await answeredOnSlack();
    for (let no = 1; no < 10; no += 1) rig.fake.as("bob").edit(root, `<@UPARLEY> Is file${no}.ts used?`);
    rig.fake.as("bob").edit(root, EDITED);
    await expect.poll(() => slackOffers(rig), OFTEN).toBe(1);
    await settled(rig);
    const offer = rig.fake.world.ephemerals.find(({ text }) => text.includes(OFFER));
    const at = { channel: root.channel, ts: offer?.ts ?? "" };
    rig.fake.as("bob").click(at, "Answer again");
    rig.fake.as("bob").click(at, "Answer again");
    await rig.thread(root, /Answer 2\./);
    await settled(rig);
    expect(rig.asked).toHaveLength(2);
    expect(told(rig.asked[1])).toContain("Is backoff.ts used?");
    expect(slackOffers(rig)).toBe(1);
    // The next edit is another one.
    rig.fake.as("bob").edit(root, "<@UPARLEY> Is jitter.ts used?");
    await expect.poll(() => slackOffers(rig), OFTEN).toBe(2);
  });

  it("an edit that Slack sends twice is added once, and a preview after it is none", async () => {
    const { answer, begun, open } = waiting();
    const rig = await createSlackRig({ answer });
    const root = rig.fake.as("bob").say(QUESTION, { channel });
    await begun;
    rig.fake.deliveryFault({ kind: "duplicate" }, { times: 3 });
    rig.fake.as("bob").edit(root, EDITED);
    rig.fake.unfurl(root, { url: "https://a.example", title: "A page", text: "Words of others" });
    await settled(rig);
    open();
    await rig.thread(root, /Answer 2\.[^]*Restricted ·/);
    const asked = told(rig.asked[1]);
    expect(asked.split("edited the message")).toHaveLength(2);
    expect(asked).toMatch(/New: Is backoff\.ts used\?/);
    expect(asked).not.toContain("Words of others");
    expect(slackOffers(rig)).toBe(0);
  });

  it("WS3 an edit whose event has no words is read", async () => {
    const { rig, root } = await answeredOnSlack({ fake: { partialEvents: true } });
    rig.fake.unfurl(root, { url: "https://a.example", title: "A page", text: "Words of others" });
    await settled(rig);
    expect(slackOffers(rig)).toBe(0);
    rig.fake.as("bob").edit(root, EDITED);
    await expect.poll(() => slackOffers(rig), OFTEN).toBe(1);
  });

  it("an edit of what the model read as a quote, and of talk that asks nothing, changes nothing", async () => {
    const rig = await createSlackRig({ fake: { users: [{ name: "alice" }, { name: "bob" }] } });
    const talk = rig.fake.as("alice").say("The build is red.", { channel });
    rig.fake.as("bob").say("@parley why?", { channel, thread: talk.ts });
    await rig.thread(talk, /Answer 1\.[^]*Restricted ·/);
    expect(told(rig.asked[0])).toContain("The build is red.");
    rig.fake.as("alice").edit(talk, "The build is green.");
    await settled(rig);
    expect([slackOffers(rig), rig.asked.length]).toEqual([0, 1]);
  });

  it("a command that was mistyped runs once it is corrected, and once", async () => {
    const rig = await createSlackRig();
    const root = rig.fake.as("bob").say("@parley stauts", { channel });
    const said = (words: RegExp): number =>
      rig.fake.world.ephemerals.filter(({ text }) => words.test(text)).length;
    await expect.poll(() => said(/Did you mean/), OFTEN).toBe(1);
    rig.fake.as("bob").edit(root, "@parley help");
    await expect.poll(() => said(/In a thread:/), OFTEN).toBe(1);
    await settled(rig);
    expect([said(/In a thread:/), rig.asked.length]).toEqual([1, 0]);
  });

  it("an edit while nobody listens is found with its message after a short outage", async () => {
    const { rig, root } = await answeredOnSlack();
    await rig.close();
    rig.fake.as("bob").edit(root, EDITED);
    const again = await rig.restart();
    await expect.poll(() => slackOffers(again), OFTEN).toBe(1);
    await settled(again);
    expect(again.asked).toEqual([]);
  });
});

describe("on Discord", () => {
  it("an edit is offered once, although a pin and a preview bring it again", async () => {
    const { rig, root } = await answeredOnDiscord();
    rig.fake.as("bob").edit(root, `${EDITED} See https://a.example/b`);
    await expect.poll(() => discordOffers(rig, root.id), OFTEN).toBe(1);
    rig.fake.as("maria").pin(root);
    rig.fake.as("bob").say(root.id, "@parley and where?");
    await rig.reads(root.id, /Answer 2\./);
    await handled(rig.chat, "discord");
    expect([discordOffers(rig, root.id), rig.asked.length]).toEqual([1, 2]);
  });

  it("an update with the message's id alone is read", async () => {
    const { answer, begun, open } = waiting();
    const rig = await createDiscordRig({ answer, fake: { partialUpdates: true } });
    const root = rig.fake.as("bob").say(channel, QUESTION);
    await begun;
    rig.fake.as("bob").edit(root, EDITED);
    await expect.poll(() => rig.bot.list(1, null)[0]?.state.turn.added?.length, OFTEN).toBe(1);
    open();
    await rig.reads(root.id, /Answer 2\./);
    expect(told(rig.asked[1])).toContain("New: Is backoff.ts used?");
  });

  it("a mention that an edit adds is one, and a command that was mistyped runs once", async () => {
    const rig = await createDiscordRig();
    const talk = rig.fake.as("bob").say(channel, "Is retry.ts used?");
    rig.fake.as("bob").edit(talk, QUESTION);
    await rig.reads(talk.id, /Answer 1\.[^]*Restricted ·/);
    expect(rig.asked).toHaveLength(1);
  });

  it("edits while nobody listened are found among the newest messages of a thread", async () => {
    const { rig, root } = await answeredOnDiscord();
    const second = rig.fake.as("bob").say(root.id, "@parley And where?");
    await rig.reads(root.id, /Answer 2\./);
    await rig.close();
    rig.fake.as("bob").edit(second, "@parley And since when?");
    const again = await rig.restart();
    await expect.poll(() => discordOffers(again, root.id), OFTEN).toBe(1);
    expect(again.asked).toEqual([]);
  });
});
