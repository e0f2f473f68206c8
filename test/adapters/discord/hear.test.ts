/** Everything that Discord sends of a message reaches the model: mentions, replies, forwards, and what apps and clients add. */

import { describe, expect, it } from "vitest";
import { REPO, told } from "../rig.ts";
import type { Address } from "../../fakes/discord/people/human.ts";
import { createRig, type DiscordRig } from "./rig.ts";

const ANSWERED = /tricted[^·\n]* · [[`<]/;

/** The model's request for the question, once the answer is there. */
const heard = async (rig: DiscordRig, thread: string, request = 0): Promise<string> => {
  await rig.reads(thread, ANSWERED);
  return told(rig.asked[request]);
};

const answerIn = (rig: DiscordRig, thread: string): Address => ({
  channel: thread,
  id:
    rig.fake.world
      .messages(thread)
      .find(({ author, type }) => author === rig.fake.world.app.bot && type !== 21)?.id ?? "",
});

describe("a mention", () => {
  it("WD1 of the bot's own role counts as one of the bot, live; another role's does not", async () => {
    const rig = await createRig();
    rig.fake.as("bob").say("general", "@&maintainer who is there?");
    const asked = rig.fake.as("bob").say("general", "@&parley what is this?");
    const text = await heard(rig, asked.id);
    expect(text).toContain("what is this?");
    expect(text).not.toContain("@parley");
    expect(rig.asked).toHaveLength(1);
  });

  it("WD1 of the bot's own role is caught up after a restart", async () => {
    const rig = await createRig();
    await rig.close();
    rig.fake.as("bob").say("general", "@&maintainer not for the bot");
    const asked = rig.fake.as("bob").say("general", "@&parley what is this?");
    const again = await rig.restart();
    expect(await heard(again, asked.id)).toContain("what is this?");
    expect(again.asked).toHaveLength(1);
  });

  it("WD12 inside code is code: no turn, and the text stays as typed", async () => {
    const rig = await createRig();
    rig.fake.as("bob").say("general", "write `@parley what` to ask");
    const id = rig.fake.world.userNamed("alice").id;
    const asked = rig.fake.as("bob").say("general", `@parley why does \`<@${id}>\` not work?`);
    expect(await heard(rig, asked.id)).toContain(`why does \`<@${id}>\` not work?`);
    expect(rig.asked).toHaveLength(1);
  });

  it("WD12 of channels, roles, times, commands and emoji reads as people see it", async () => {
    const rig = await createRig();
    const channel = rig.fake.world.channelNamed("other").id;
    const asked = rig.fake
      .as("bob")
      .say(
        "general",
        `@parley see <#${channel}> @&maintainer <t:1700000000:F> </parley repo:123> <a:party:456>`,
      );
    expect(await heard(rig, asked.id)).toContain(
      "see #other @maintainer 2023-11-14T22:13 UTC /parley repo :party:",
    );
  });
});

describe("a reply", () => {
  it("WD2 brings the message that it answers as a quote, with author and files", async () => {
    const rig = await createRig();
    const said = rig.fake
      .as("alice")
      .say("general", "The build is red.", { files: [{ name: "log.txt", bytes: Buffer.from("E_NOPE") }] });
    const asked = rig.fake.as("bob").say("general", "@parley why?", { replyTo: said.id });
    const text = await heard(rig, asked.id);
    expect(text).toMatch(
      /author="alice"[^]*The build is red\.[^]*author="alice"[^]*-log\.txt [^]*E_NOPE[^]*why\?/,
    );
  });

  it("WD2 to the bot brings the answer that it is about", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("alice").say("general", "@parley one?");
    await rig.reads(asked.id, ANSWERED);
    const answer = answerIn(rig, asked.id);
    rig.fake.as("alice").say(asked.id, "is that so?", { replyTo: answer.id });
    await rig.reads(asked.id, /Answer 2\./);
    expect(told(rig.asked[1])).toMatch(/author="parley"[^]*Answer 1\.[^]*is that so\?/);
    expect(told(rig.asked[1])).not.toContain("\nSteps\n");
  });

  it("WD2 that only mentions the bot asks about the message", async () => {
    const rig = await createRig();
    const said = rig.fake.as("alice").say("general", "The build is red.");
    const asked = rig.fake.as("bob").say("general", "@parley", { replyTo: said.id });
    const text = await heard(rig, asked.id);
    expect(text).toContain("The build is red.");
    expect(text).toContain("it asks about the text that is quoted with it");
  });
});

const source = (rig: DiscordRig): Address =>
  rig.fake.as("alice").say("other", "Deploy failed at step 3.", {
    files: [{ name: "trace.txt", bytes: Buffer.from("at line 9") }],
  });

it("WD3 alone, as a direct message, is read with its files", async () => {
  const rig = await createRig({ env: { PARLEY_DISCORD_DIRECT: "on" } });
  const channel = rig.fake.world.directChannel(rig.fake.world.userNamed("bob").id).id;
  await rig.chat.bind("discord", channel, { repo: REPO, by: "discord:1", at: 1 });
  rig.fake.as("bob").forward(source(rig), "@app");
  const text = await heard(rig, channel);
  expect(text).toMatch(/a forwarded message[^]*Deploy failed at step 3\.[^]*at line 9/);
});

describe("a forward", () => {
  it("WD3 right before a question in a channel belongs to it, another person's does not", async () => {
    const rig = await createRig();
    rig.fake.as("alice").forward(rig.fake.as("alice").say("other", "not this one"), "general");
    rig.fake.as("bob").forward(source(rig), "general");
    const asked = rig.fake.as("bob").say("general", "@parley why?");
    const text = await heard(rig, asked.id);
    expect(text).toMatch(/Deploy failed at step 3\.[^]*at line 9[^]*why\?/);
    expect(text).not.toContain("not this one");
  });

  it("WD3 right before a question is found after a restart", async () => {
    const rig = await createRig();
    await rig.close();
    rig.fake.as("bob").forward(source(rig), "general");
    const asked = rig.fake.as("bob").say("general", "@parley why?");
    const again = await rig.restart();
    await expect.poll(() => rig.fake.violations).toEqual([]);
    expect(await heard(again, asked.id)).toMatch(/Deploy failed at step 3\.[^]*why\?/);
  });

  it("WD3 in a thread is read back, and Ask about this reaches it", async () => {
    const rig = await createRig();
    const forwarded = rig.fake.as("alice").forward(source(rig), "general");
    const menu = rig.fake.as("bob");
    await expect.poll(() => rig.fake.calls.some(({ route }) => route.includes("commands"))).toBe(true);
    const form = await expect
      .poll(() => {
        try {
          return menu.messageCommand(forwarded, "Ask about this");
        } catch {
          return null;
        }
      })
      .not.toBeNull()
      .then(() => menu.messageCommand(forwarded, "Ask about this"));
    await menu.submit(form, { words: "what failed?" });
    const text = await heard(rig, forwarded.id);
    expect(text).toMatch(/Deploy failed at step 3\.[^]*what failed\?/);
  });
});

const direct = (rig: DiscordRig): string => rig.fake.world.directChannel(rig.fake.as("bob").id).id;

const taking = async (): Promise<DiscordRig> => {
  const rig = await createRig({ env: { PARLEY_DISCORD_DIRECT: "on" } });
  await rig.chat.bind("discord", direct(rig), { repo: REPO, by: "discord:1", at: 1 });
  return rig;
};

describe("a forward in direct messages", () => {
  it("WD3 and the comment that follows it are one question", async () => {
    const rig = await taking();
    const bob = rig.fake.as("bob");
    bob.forward(source(rig), "@app");
    bob.forward(rig.fake.as("alice").say("general", "And E_SECOND."), "@app");
    bob.whisper("why did it fail?");
    await rig.reads(direct(rig), ANSWERED);
    expect(told(rig.asked[0])).toMatch(/Deploy failed at step 3\.[^]*E_SECOND[^]*why did it fail\?/);
    bob.whisper("and now?");
    await rig.reads(direct(rig), /Answer 2\./);
    expect(rig.asked).toHaveLength(2);
    expect(rig.fake.asText(direct(rig))).not.toMatch(/busy|working on/i);
    expect(rig.fake.violations).toEqual([]);
  });

  it("WD3 that nothing follows is a question by itself", async () => {
    const rig = await taking();
    rig.fake.as("bob").forward(source(rig), "@app");
    await rig.reads(direct(rig), ANSWERED);
    expect(told(rig.asked[0])).toContain("Deploy failed at step 3.");
    rig.fake.as("bob").whisper("why did it fail?");
    await rig.reads(direct(rig), /Answer 2\./);
    expect(rig.asked).toHaveLength(2);
  });
});

describe("what a message has besides its text", () => {
  it("WD4 a poll, a sticker, a file's title and description reach the model", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("bob").say("general", "@parley which?", {
      files: [{ name: "__.txt", title: "отчёт", description: "the report", bytes: Buffer.from("rows") }],
      parts: {
        poll: {
          question: { text: "Which color?" },
          answers: [
            { answer_id: 1, poll_media: { text: "Blue" } },
            { answer_id: 2, poll_media: { text: "Red", emoji: { id: null, name: "🔴" } } },
          ],
        },
        sticker_items: [{ id: "1", name: "Thinking", format_type: 1 }],
      },
    });
    const text = await heard(rig, asked.id);
    expect(text).toMatch(/author="bob"[^\n]*\n\| \/files\/\w+-отчёт\.txt /);
    for (const words of ["Poll: Which color?", "- Blue", "- 🔴 Red", "Thinking", "the report", "rows"])
      expect(text).toContain(words);
  });

  it("WD4 an app's components and embeds are read in their order", async () => {
    const rig = await createRig();
    const post = rig.fake.app("alerts").post("general", {
      flags: 1 << 15,
      components: [
        {
          type: 17,
          components: [
            { type: 10, content: "## Disk full" },
            {
              type: 9,
              components: [{ type: 10, content: "Host db-1" }],
              accessory: { type: 2, style: 5, label: "Runbook", url: "https://runs.example/1" },
            },
            {
              type: 12,
              items: [{ media: { url: "https://x.example/a.png" }, description: "usage over time" }],
            },
          ],
        },
      ],
    });
    const asked = rig.fake.as("bob").say("general", "@parley why?", { replyTo: post.id });
    expect(await heard(rig, asked.id)).toMatch(
      /author="alerts"[^]*## Disk full\n\| Host db-1\n\| Runbook \(https:\/\/runs\.example\/1\)\n\| usage over time[^]*why\?/,
    );
  });
});

describe("a long thread", () => {
  it("WD9 gives the model its first message, however many came after it", async () => {
    const rig = await createRig();
    const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "It fails with E_FIRST." });
    for (let no = 0; no < 120; no += 1) rig.fake.as("bob").say(post.channel, `remark ${no}.`);
    rig.fake.as("alice").say(post.channel, "@parley why does it fail?");
    const text = await heard(rig, post.channel);
    expect(text).toContain("E_FIRST");
    expect(text).toContain("Older messages are left out");
    expect(text).toContain("remark 119.");
    expect(text).not.toContain("remark 3.");
  });

  it("WD9 gives the model the message that the thread hangs on", async () => {
    const rig = await createRig();
    const said = rig.fake.as("alice").say("general", "The build says E_ROOT.");
    const thread = rig.fake.as("alice").openThread("general", "Red", { from: said.id });
    for (let no = 0; no < 120; no += 1) rig.fake.as("bob").say(thread, `remark ${no}.`);
    rig.fake.as("bob").say(thread, "@parley why?");
    expect(await heard(rig, thread)).toContain("E_ROOT");
  });
});

describe("an answer", () => {
  it("WD12 is sent without its reference if the bot may not read the history", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("alice").say("general", "@parley one?");
    await rig.reads(asked.id, /Answer 1\.[^]*tricted/);
    rig.fake.admin.overwrite("general", "parley", { deny: ["ReadMessageHistory"] });
    rig.fake.as("alice").say(asked.id, "two?");
    await rig.reads(asked.id, /Answer 2\./);
  });
});
