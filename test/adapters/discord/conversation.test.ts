/** Words in channels, threads and forums: what becomes a conversation, who is heard in it, and what stays silent. */

import { describe, expect, it } from "vitest";
import { createRig, told } from "./rig.ts";

describe("a mention in a channel", () => {
  it("opens a thread and a conversation in the channel's repository, and is answered there", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("bob").say("general", "@parley what is this?");
    expect(await rig.reads(asked.id, /◎/)).toMatchInlineSnapshot(`
      "--- from: @parley (bot)
      ◇ Working on \`acme/api\`. **Restricted**: tools can read the checkout and nothing else, without network.
      --- from: @parley (bot)
      Answer 1.
      --- from: @parley (bot)
      -# ◎ \`acme/api\` at \`abc123456\` (\`main\`) · Restricted
      "
    `);
    expect(told(rig.asked[0])).toContain("what is this?");
    expect(told(rig.asked[0])).toContain("https://github.com/acme/api.git");
    expect(rig.asked).toHaveLength(1);
    expect(rig.fake.violations).toEqual([]);
  });

  it("without a repository is pointed to what is missing, once, without thread or model", async () => {
    const rig = await createRig();
    rig.fake.as("bob").say("other", "@parley what is this?");
    await rig.reads("other", /not enabled in this channel/);
    rig.fake.as("alice").say("other", "@parley and this?");
    rig.fake.as("bob").say("general", "@parley hello?");
    await expect.poll(() => rig.asked.length).toBe(1);
    expect(rig.fake.asText("other").match(/not enabled/g)).toHaveLength(1);
  });

  it("that is none is not answered", async () => {
    const rig = await createRig();
    rig.fake.as("bob").say("general", "what is this?");
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads(asked.id, /◎/);
    expect(rig.asked).toHaveLength(1);
    expect(told(rig.asked[0])).not.toContain("what is this");
  });
});

describe("a thread that was there", () => {
  it("becomes the conversation, with what was said before as quotes", async () => {
    const rig = await createRig();
    const post = rig.fake.as("alice").ask("help", { name: "Broken", text: "It does not start." });
    rig.fake.as("bob").say(post.channel, "Which version?");
    rig.fake.as("alice").say(post.channel, "@parley why does it not start?");
    await rig.reads(post.channel, /◎/);
    const text = told(rig.asked[0]);
    expect(text).toMatch(/author="alice"[^]*It does not start\.[^]*author="bob"[^]*Which version\?/);
    expect(text).toContain("why does it not start?");
  });

  it("hung on a message has that message among the quotes", async () => {
    const rig = await createRig();
    const said = rig.fake.as("alice").say("general", "The build is red.");
    const thread = rig.fake.as("alice").openThread("general", "Red", { from: said.id });
    rig.fake.as("bob").say(thread, "@parley why?");
    await rig.reads(thread, /◎/);
    expect(told(rig.asked[0])).toContain("The build is red.");
  });
});

describe("a conversation's thread", () => {
  it("takes plain replies of its one person, and of two people only what addresses the bot", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("alice").say("general", "@parley one?");
    await rig.reads(asked.id, /Answer 1\.[^]*◎/);
    rig.fake.as("alice").say(asked.id, "two?");
    await rig.reads(asked.id, /Answer 2\.[^]*◎/);
    rig.fake.as("bob").say(asked.id, "between us");
    await rig.reads(asked.id, /more than one person/i);
    const ours = rig.fake.world.messages(asked.id).find(({ author }) => author === rig.fake.world.app.bot);
    rig.fake.as("bob").say(asked.id, "three?", { replyTo: ours?.id ?? "" });
    await rig.reads(asked.id, /Answer 3\./);
    expect(rig.asked).toHaveLength(3);
    expect(told(rig.asked[2])).toContain("between us");
  });
});

describe("what was missed", () => {
  it("while no process ran is read back and answered once", async () => {
    const rig = await createRig();
    const asked = rig.fake.as("alice").say("general", "@parley one?");
    await rig.reads(asked.id, /Answer 1\.[^]*◎/);
    await rig.close();
    rig.fake.as("alice").say(asked.id, "two?");
    const other = rig.fake.as("bob").say("general", "@parley hello?");
    const next = await rig.restart();
    await next.reads(asked.id, /two\?[^]*Answer \d\.[^]*◎/);
    await next.reads(other.id, /◎/);
    expect(next.asked).toHaveLength(2);
  });
});

describe("who drives", () => {
  it("D1 a stranger works Restricted only, and where the kernel cannot hold it is refused", async () => {
    const rig = await createRig({ confinement: "unavailable" });
    rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads("general", /sandbox is not available/);
    expect(rig.asked).toHaveLength(0);
    const allowed = rig.fake.as("maria").say("general", "@parley hello?");
    await rig.reads(allowed.id, /◎/);
  });

  it("is nobody in direct messages that are off", async () => {
    const rig = await createRig();
    rig.fake.as("bob").whisper("hello?");
    const direct = rig.fake.world.directChannel(rig.fake.as("bob").id);
    await rig.reads(direct.id, /no direct messages here/);
    expect(rig.asked).toHaveLength(0);
  });
});

describe("direct messages where they are allowed", () => {
  it("ask for a repository and go on with what was said", async () => {
    const rig = await createRig({ env: { PARLEY_DISCORD_DIRECT: "on" } });
    const said = rig.fake.as("bob").whisper("what is this?");
    await rig.reads(said.channel, /menu/);
    const menu = rig.fake.world.messages(said.channel).at(-1);
    rig.fake.as("bob").choose({ channel: said.channel, id: menu?.id ?? "" }, "acme/web");
    await rig.reads(said.channel, /chosen by @bob[^]*Answer 1\./);
    expect(told(rig.asked[0])).toContain("https://github.com/acme/web.git");
    expect(rig.fake.violations).toEqual([]);
  });
});
