/** WD5 Threads that Discord does not let the bot open or write in: the channel is told, before a model is paid if that is known. */

import { describe, expect, it } from "vitest";
import { createRig, type DiscordRig } from "./rig.ts";

const ANSWERED = /tricted[^·\n]* · [[`<]/;

const VOICE = {
  guilds: [
    {
      name: "Community",
      channels: [{ name: "general" }, { name: "Lounge", kind: "voice" as const }],
      members: [{ name: "alice" }, { name: "bob" }, { name: "maria", roles: ["maintainer"] }],
    },
  ],
};

/** Nothing was asked of the model, and a question in another channel is still answered. */
const costsNothing = async (rig: DiscordRig, elsewhere: string): Promise<void> => {
  const asked = rig.fake.as("bob").say(elsewhere, "@parley hello?");
  await rig.reads(asked.id, ANSWERED);
  expect(rig.asked).toHaveLength(1);
  expect(rig.fake.violations).toEqual([]);
};

describe("WD5 a thread that the gateway says cannot be opened", () => {
  it("a voice channel says so in one line, before a model is asked", async () => {
    const rig = await createRig({ fake: VOICE, bound: ["general", "Lounge"] });
    rig.fake.as("bob").say("Lounge", "@parley what is this?");
    await rig.reads(
      "Lounge",
      /@bob I did not start on your question: I answer in threads, and this kind of channel/,
    );
    await costsNothing(rig, "general");
  });

  it("a channel without the permission says which, and takes the question once it is granted", async () => {
    const rig = await createRig({ bound: ["general", "other"] });
    rig.fake.admin.overwrite("other", "parley", { deny: ["CreatePublicThreads", "SendMessagesInThreads"] });
    rig.fake.as("bob").say("other", "@parley what is this?");
    await rig.reads("other", /without Create Public Threads, Send Messages In Threads/);
    await costsNothing(rig, "general");
    rig.fake.admin.overwrite("other", "parley", {});
    const again = rig.fake.as("bob").say("other", "@parley what is this?");
    await rig.reads(again.id, ANSWERED);
    expect(rig.asked).toHaveLength(2);
  });

  it("a thread that takes no message of the bot any more is told of in its channel", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("bob").say("general", "@parley one?");
    await rig.reads(asked.id, ANSWERED);
    rig.fake.admin.overwrite("general", "parley", { deny: ["SendMessagesInThreads"] });
    rig.fake.as("bob").say(asked.id, "two?");
    await rig.reads(
      "general",
      /@bob I did not start on your question: [^.]*without Send Messages In Threads/,
    );
    expect(rig.asked).toHaveLength(1);
  });

  it("a locked thread costs nothing, and its channel is told", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("maria").say("general", "@parley one?");
    await rig.reads(asked.id, ANSWERED);
    rig.fake.as("maria").lock(asked.id);
    rig.fake.as("maria").say(asked.id, "@parley two?");
    await rig.reads("general", /the thread is locked\. Please ask me again in the channel/);
    expect(rig.asked).toHaveLength(1);
  });
});

describe("WD5 a thread that Discord refuses to open", () => {
  const starts = { route: "POST /channels/{channel}/messages/{message}/threads" };

  it.each([
    { status: 400, code: 160_006, message: "Maximum number of active threads reached" },
    { status: 403, code: 50_013, message: "Missing Permissions" },
    { status: 400, code: 50_024, message: "Cannot execute action on this channel type" },
  ])("is told of in one line below the question: $code", async (error) => {
    const rig = await createRig();
    rig.fake.fault({ kind: "error", ...error }, { times: Number.POSITIVE_INFINITY, match: starts });
    const asked = rig.fake.as("bob").say("general", "@parley what is this?");
    const text = await rig.reads(
      "general",
      new RegExp(`refuses the thread \\(${error.message}, ${error.code}\\)`),
    );
    expect(text.match(/refuses the thread/g)).toHaveLength(1);
    const { channel } = asked;
    const line = rig.fake.world.messages(channel).find(({ author }) => author === rig.fake.world.app.bot);
    expect(line?.reference?.message).toBe(asked.id);
    expect(rig.fake.world.channels.has(asked.id)).toBe(false);
    expect(rig.fake.violations).toEqual([]);
  });

  it("for too many threads once is not paid for again within the minute", async () => {
    const rig = await createRig();
    const full = { kind: "error", status: 400, code: 160_006, message: "Too many threads" } as const;
    rig.fake.fault(full, { times: Number.POSITIVE_INFINITY, match: starts });
    rig.fake.as("bob").say("general", "@parley one?");
    await rig.reads("general", /refuses the thread/);
    rig.fake.as("alice").say("general", "@parley two?");
    await rig.reads(
      "general",
      /@alice I did not start on your question: this server has as many active threads/,
    );
    expect(rig.asked).toHaveLength(1);
  });
});
