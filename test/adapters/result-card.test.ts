/** The card of a finished change on Slack and Discord: two persons, a long diff as a file, and what the host knows (D42). */

import { describe, expect, it } from "vitest";
import type { ApprovedWrite } from "../../src/ports/tools.ts";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { textAnswer, toolAnswer, toolResult } from "../runtime/world.ts";
import { resultOf } from "../threads/drafted.ts";
import { createRig as createDiscordRig } from "./discord/rig.ts";
import { createRig as createSlackRig } from "./slack/rig.ts";
import { OFTEN } from "./rig.ts";

const LONG = Array.from(
  { length: 400 },
  (_, index) => `+line ${index + 1} of a file that is too long for a card`,
);
const longDiff = `diff --git a/long.txt b/long.txt\n--- /dev/null\n+++ b/long.txt\n@@ -0,0 +1,400 @@\n${LONG.join("\n")}\n`;

/** A host was asked something before the change was proposed. */
const proposing = (diff?: string) => {
  const shown = resultOf(2);
  const errands: ApprovedWrite[] = [];
  return {
    errands,
    drafts: { tree: () => Promise.resolve({ kind: "tree", tree: shown.result.tree } as const) },
    tools: {
      run: () =>
        Promise.resolve({
          ...toolResult("200"),
          reached: [{ host: "docs.example.org", port: 443, allowed: true }],
        }),
      writes: {
        propose: ({ name }: { readonly name: string }) =>
          Promise.resolve(
            name !== "propose"
              ? ({ kind: "none" } as const)
              : { ...shown, result: { ...shown.result, ...(diff === undefined ? {} : { diff }) } },
          ),
        write: (_run: unknown, errand: ApprovedWrite) => {
          errands.push(errand);
          return Promise.resolve({
            outcome: toolResult("Done"),
            wrote: { kind: "done", name: "parley/c-1" } as const,
          });
        },
      },
    },
    answer: (messages: readonly PromptMessage[]) => {
      const results = messages.flatMap(({ content }) => content).filter(({ kind }) => kind === "toolResult");
      return (
        [
          toolAnswer({ name: "bash", input: { command: "curl" } }),
          toolAnswer({ name: "propose", input: {} }),
        ][results.length] ?? textAnswer("There it is.")
      );
    },
  };
};

const FACTS =
  /In `acme\/api`, on top of `abc123456`, tree `beefbeefb`\nChanges 4 files, \+10 −1: `\.github\/workflows\/test\.yml` \(mode\), `logo\.png` \(binary\), `src\/retry\.js` \(\+1 −1\), `test\/retry\.test\.js` \(new, \+9 −0\)\nLook twice: CI `\.github\/workflows\/test\.yml`; new binary file `logo\.png`\.\nTested by the host: `npm test` exited with status 0 after 4 s\./;

const onSlack = async (diff?: string) => {
  const { errands, ...made } = proposing(diff);
  const rig = await createSlackRig({
    ...made,
    env: { PARLEY_APPROVERS: "slack:members", PARLEY_TWO_PERSON: "on" },
  });
  const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
  const text = await rig.thread(root, /\[Apply\]/);
  const { channel, ts } = root;
  const card = rig.fake.world
    .thread(channel, ts)
    .find(({ blocks }) => JSON.stringify(blocks ?? []).includes('"Apply"'));
  return { rig, errands, root, text, at: { channel, ts: card?.ts ?? "" } };
};

describe("on Slack", () => {
  it("whoever asked may not apply alone, another person may; the card says who asked and what was read", async () => {
    const { rig, errands, root, text, at } = await onSlack();
    const { fake } = rig;
    expect(text).toMatch(FACTS);
    expect(text).toMatch(/Requested by @bob, .*Untrusted content read so far: .*`?docs\.example\.org/);
    fake.as("bob").click(at, "Apply");
    await expect
      .poll(() => JSON.stringify(fake.world.ephemerals), OFTEN)
      .toMatch(/\(two-person rule\)\. Another approver has to decide/);
    expect(errands).toEqual([]);
    fake.as("alice").click(at, "Apply");
    await expect.poll(() => errands, OFTEN).toMatchObject([{ approved: { by: { id: "slack:UALICE" } } }]);
    await rig.thread(root, /Applied on the branch `parley\/c-1`\*?, approved by @alice/);
    expect(fake.violations).toEqual([]);
  });

  it("whom one channel alone lets approve applies there, and nowhere else", async () => {
    const { errands, ...made } = proposing();
    const rig = await createSlackRig({
      ...made,
      bound: ["CGENERAL", "CRANDOM"],
      fake: { channels: [{ name: "general" }, { name: "random" }] },
    });
    const { fake } = rig;
    const asked = async (channel: string) => {
      const root = fake.as("carol").say("@parley fix it", { channel });
      await rig.thread(root, /\[Apply\]/);
      const card = fake.world
        .thread(root.channel, root.ts)
        .find(({ blocks }) => JSON.stringify(blocks ?? []).includes('"Apply"'));
      return { root, at: { channel: root.channel, ts: card?.ts ?? "" } };
    };
    const whispered = () => JSON.stringify(fake.world.ephemerals);
    fake.as("alice").command("/parley", `approvers add <@${fake.as("bob").id}>`, "general");
    await expect.poll(whispered, OFTEN).toContain("Approvers of this channel, besides the host approvers:");
    const elsewhere = await asked("random");
    fake.as("bob").click(elsewhere.at, "Apply");
    await expect.poll(whispered, OFTEN).toContain("You can't decide this.");
    expect(errands).toEqual([]);
    const here = await asked("general");
    fake.as("bob").click(here.at, "Apply");
    await rig.thread(here.root, /Applied on the branch `parley\/c-1`\*?, approved by @bob/);
    expect(errands).toHaveLength(1);
    expect(fake.violations).toEqual([]);
  });

  it("a message that is deleted while its card waits takes the card along: nothing is applied", async () => {
    const { rig, errands, root } = await onSlack();
    rig.fake.as("bob").remove(root);
    await rig.thread(
      root,
      /Apply this change: not decided\*\. Stopped: a message that I was using was deleted/,
    );
    await rig.fake.settled();
    expect(await rig.thread(root, /./)).not.toMatch(/\[Apply\]/);
    expect(errands).toEqual([]);
  });

  it("a long diff is a file on the card, whole, and the card is decided like any other", async () => {
    const { rig, errands, root, text, at } = await onSlack(longDiff);
    const { fake } = rig;
    expect(text).toMatch(FACTS);
    expect(text).not.toContain("line 3 of a file");
    expect(text).toMatch(/file: What would be changed \(\d+ bytes\)/);
    const [file] = [...fake.world.files.values()].filter(({ name }) => name === "changes.diff");
    expect(file?.bytes?.toString("utf8")).toBe(longDiff);
    fake.as("alice").click(at, "Apply");
    await expect.poll(() => errands, OFTEN).toHaveLength(1);
    await rig.thread(root, /Applied on the branch `parley\/c-1`\*?, approved by @alice/);
    expect(fake.violations).toEqual([]);
  });
});

const onDiscord = async (diff?: string) => {
  const { errands, ...made } = proposing(diff);
  const rig = await createDiscordRig({
    ...made,
    envOf: ({ world }) => ({
      PARLEY_APPROVERS: ["bob", "maria"].map((name) => `discord:${world.userNamed(name).id}`).join(","),
      PARLEY_TWO_PERSON: "on",
    }),
  });
  const { id: thread } = rig.fake.as("bob").say("general", "@parley fix it");
  const text = await rig.reads(thread, /\[Apply\]/);
  const card = rig.fake.world
    .messages(thread)
    .findLast(({ components }) => JSON.stringify(components).includes('"Apply"'));
  return { rig, errands, thread, text, card, at: { channel: thread, id: card?.id ?? "" } };
};

describe("on Discord", () => {
  it("whoever asked may not apply alone, another person may; the card says who asked and what was read", async () => {
    const { rig, errands, thread, text, at } = await onDiscord();
    expect(text).toMatch(FACTS);
    expect(text).toMatch(/Requested by @bob, .*Untrusted content read so far: .*`?docs\.example\.org/);
    await rig.fake.as("bob").click(at, "Apply").ended;
    await rig.reads(thread, /only for @bob\)[^]*\(two-person rule\)\. Another approver/);
    expect(errands).toEqual([]);
    await rig.fake.as("maria").click(at, "Apply").ended;
    await rig.reads(thread, /Applied on the branch `parley\/c-1`\*\*, approved by @maria/);
    expect(errands).toHaveLength(1);
    expect(rig.fake.violations).toEqual([]);
  });

  it("whom one channel alone lets approve applies there, and nowhere else", async () => {
    const { errands, ...made } = proposing();
    const rig = await createDiscordRig({ ...made, bound: ["general", "other"] });
    const { fake } = rig;
    const asked = async (channel: string) => {
      const { id: thread } = fake.as("alice").say(channel, "@parley fix it");
      await rig.reads(thread, /\[Apply\]/);
      const card = fake.world
        .messages(thread)
        .findLast(({ components }) => JSON.stringify(components).includes('"Apply"'));
      return { thread, at: { channel: thread, id: card?.id ?? "" } };
    };
    const { id } = fake.world.userNamed("bob");
    expect(
      await rig.run("maria", "general", "parley approvers", { change: "add", who: `<@${id}>` }),
    ).toContain("Approvers of this channel, besides the host approvers:");
    const elsewhere = await asked("other");
    await fake.as("bob").click(elsewhere.at, "Apply").ended;
    await rig.reads(elsewhere.thread, /only for @bob\)[^]*You can't decide this\./);
    expect(errands).toEqual([]);
    const here = await asked("general");
    await fake.as("bob").click(here.at, "Apply").ended;
    await rig.reads(here.thread, /Applied on the branch `parley\/c-1`\*\*, approved by @bob/);
    expect(errands).toHaveLength(1);
    expect(fake.violations).toEqual([]);
  });

  it("a message that is deleted while its card waits takes the card along: nothing is applied", async () => {
    const { rig, errands, thread } = await onDiscord();
    rig.fake.as("bob").remove({ channel: rig.fake.world.channelNamed("general").id, id: thread });
    const text = await rig.reads(
      thread,
      /Apply this change: not decided\*\*\. Stopped: a message that I was using was deleted/,
    );
    expect(text).not.toMatch(/\[Apply\]/);
    expect(errands).toEqual([]);
  });

  it("a long diff is a file on the card, whole, and the card is decided like any other", async () => {
    const { rig, errands, thread, text, card, at } = await onDiscord(longDiff);
    expect(text).toMatch(FACTS);
    expect(text).not.toContain("line 3 of a file");
    expect(card?.attachments.map(({ name, bytes }) => [name, bytes.toString("utf8")])).toEqual([
      ["changes.diff", longDiff],
    ]);
    await rig.fake.as("maria").click(at, "Apply").ended;
    await rig.reads(thread, /Applied on the branch `parley\/c-1`\*\*, approved by @maria/);
    expect(errands).toHaveLength(1);
    expect(rig.fake.violations).toEqual([]);
  });
});
