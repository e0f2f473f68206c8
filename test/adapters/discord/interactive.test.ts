/** Commands, buttons and forms: acknowledged in time, decided by who may, answered to the one who pressed. */

import { describe, expect, it } from "vitest";
import { createRig, told } from "./rig.ts";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";

const upgrade = toolAnswer({ id: "t1", name: "request_mode_upgrade", input: { reason: "to write" } });

describe("a question", () => {
  it("is decided by who manages the server, after a restart too; a stranger's click is refused privately", async () => {
    const rig = await createRig({ answer: (_messages, no) => (no === 1 ? upgrade : textAnswer("Written.")) });
    const asked = rig.fake.as("maria").say("general", "@parley change it");
    await rig.reads(asked.id, /\[Approve\] \[Deny\]/);
    const question = rig.fake.world
      .messages(asked.id)
      .find(({ components }) => JSON.stringify(components).includes("Approve"));
    const at = { channel: asked.id, id: question?.id ?? "" };
    const refused = rig.fake.as("bob").click(at, "Approve");
    expect(await refused.ended).toMatchObject({ kind: "deferredUpdate" });
    await rig.reads(asked.id, /only for @bob\).*\nYou may not decide this/);
    const next = await rig.restart();
    rig.fake.as("maria").click(at, "Approve");
    expect(await next.reads(asked.id, /Approved by @maria[^]*Written\./)).not.toContain("[Approve]");
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("commands", () => {
  it("bind a channel's repository for who manages the server only", async () => {
    const rig = await createRig();
    await expect
      .poll(() => rig.fake.calls.some(({ route }) => route.startsWith("PUT /applications")))
      .toBe(true);
    rig.fake.as("bob").command("other", "parley repo", { name: "acme/web" });
    await rig.reads("other", /Only admins choose/);
    rig.fake.as("maria").command("other", "parley repo", { name: "acme/web" });
    await rig.reads("other", /works on acme\/web/);
    const asked = rig.fake.as("bob").say("other", "@parley hello?");
    await rig.reads(asked.id, /acme\/web/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("ask opens a thread on the question, in private where it is asked for", async () => {
    const rig = await createRig();
    await expect
      .poll(() => rig.fake.calls.some(({ route }) => route.startsWith("PUT /applications")))
      .toBe(true);
    rig.fake.as("bob").command("general", "ask", { question: "what is @everyone?" });
    await rig.reads("general", /> what is .*\nasked by @bob/);
    const open = rig.fake.world
      .messages(rig.fake.world.channelNamed("general").id)
      .find(({ content }) => content.includes("asked by"));
    await rig.reads(open?.id ?? "", /Answer 1\./);
    rig.fake.as("bob").command("general", "ask", { question: "and mine?", private: true });
    await rig.reads("Question: and mine?", /Answer 2\./);
    expect(rig.fake.world.channelNamed("Question: and mine?")).toMatchObject({ isPrivate: true });
    rig.fake.as("bob").command("other", "ask", { question: "here?" });
    await rig.reads("other", /only for @bob\).*\n.*not enabled/);
    expect(rig.asked).toHaveLength(2);
    expect(rig.fake.violations).toEqual([]);
  });

  it("stop works for everybody in the thread, and about a message there is a form", async () => {
    const rig = await createRig({
      answer: (_messages, no, signal) =>
        no === 1
          ? new Promise((resolve) => signal.addEventListener("abort", () => resolve(textAnswer(""))))
          : textAnswer("Because."),
    });
    await expect
      .poll(() => rig.fake.calls.some(({ route }) => route.startsWith("PUT /applications")))
      .toBe(true);
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads(asked.id, /Thinking/);
    rig.fake.as("maria").command(asked.id, "parley stop");
    await rig.reads(asked.id, /Stopped by @maria/);
    const said = rig.fake.as("alice").say("general", "The build is red.");
    const form = rig.fake.as("bob").messageCommand(said, "Ask about this");
    expect(await form.ended).toMatchObject({ kind: "modal" });
    await rig.fake.as("bob").submit(form, { words: "Why is it red?" });
    await rig.reads(said.id, /Why is it red\?[^]*Because\./);
    expect(told(rig.asked.at(-1))).toMatch(/The build is red\.[^]*question is about the quoted message/);
    expect(rig.fake.violations).toEqual([]);
  });
});
