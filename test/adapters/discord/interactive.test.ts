/** Commands, buttons and forms: acknowledged in time, decided by who may, answered to the one who pressed. */

import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createVirtualClock } from "../../fakes/shared/clock.ts";
import { OFTEN, told } from "../rig.ts";
import { createRig, type DiscordRig } from "./rig.ts";
import { textAnswer, toolAnswer, toolResult } from "../../runtime/world.ts";
import { openMemory } from "../../store/in-memory.ts";

const upgrade = toolAnswer({ id: "t1", name: "request_mode_upgrade", input: { reason: "to write" } });

/** Somebody who manages the server has asked for a change, and the thread asks for write access. */
const asking = async (rig: DiscordRig) => {
  const asked = rig.fake.as("maria").say("general", "@parley change it");
  await rig.reads(asked.id, /\[Approve\] \[Deny\]/);
  const question = rig.fake.world
    .messages(asked.id)
    .find(({ components }) => JSON.stringify(components).includes("Approve"));
  return { thread: asked.id, at: { channel: asked.id, id: question?.id ?? "" } };
};
const writes = (_messages: unknown, no: number) => (no === 1 ? upgrade : textAnswer("Written."));

describe("a question", () => {
  it("is decided by who manages the server, after a restart too; a stranger's click is refused privately", async () => {
    const rig = await createRig({ answer: writes });
    const { thread, at } = await asking(rig);
    const refused = rig.fake.as("bob").click(at, "Approve");
    expect(await refused.ended).toMatchObject({ kind: "deferredUpdate" });
    await rig.reads(thread, /only for @bob\).*\nYou can't decide this/);
    const next = await rig.restart();
    rig.fake.as("maria").click(at, "Approve");
    expect(await next.reads(thread, /approved\*\* by @maria[^]*Written\./)).not.toContain("[Approve]");
    expect(rig.fake.violations).toEqual([]);
  });

  it("is decided after its thread was archived: the thread is open again, and the answer stands in it", async () => {
    const rig = await createRig({ answer: writes });
    const { thread, at } = await asking(rig);
    rig.fake.as("maria").archive(thread);
    const next = await rig.restart();
    rig.fake.as("maria").click(at, "Approve");
    expect(
      await next.reads(thread, /approved\*\* by @maria[^]*Written\.[^]*tricted[^·\n]* · [[`<]/),
    ).not.toContain("[Approve]");
    expect(rig.fake.world.channelNamed(thread)).toMatchObject({ archived: false });
    expect(rig.fake.violations).toEqual([]);
  });

  it("and its answer need no interaction token: what comes after its fifteen minutes is shown all the same", async () => {
    const clock = createVirtualClock(Date.now());
    const gate = Promise.withResolvers<void>();
    const rig = await createRig({
      patience: 0,
      fake: { clock },
      tools: { run: () => gate.promise.then(() => toolResult("done")) },
      answer: (_messages, no) => {
        if (no > 2) return textAnswer("Written.");
        return no === 1 ? upgrade : toolAnswer({ id: "t2", name: "bash", input: {} });
      },
    });
    const { thread, at } = await asking(rig);
    rig.fake.as("maria").click(at, "Approve");
    await rig.reads(thread, /approved\*\* by @maria[^]*: using `bash`\./);
    clock.advance(16 * 60_000);
    gate.resolve();
    await rig.reads(thread, /Written\.[^]*tricted[^·\n]* · [[`<]/);
    expect(rig.fake.violations).toEqual([]);
  });

  it.each(["role", "person"] as const)(
    "is for whom PARLEY_APPROVERS names, by %s, and then for nobody else",
    async (kind) => {
      const rig = await createRig({
        answer: writes,
        envOf: (fake) => {
          fake.admin.giveRole("Community", "bob", "reviewers");
          const { roles } = fake.world.guildNamed("Community");
          const role = [...roles.values()].find(({ name }) => name === "reviewers");
          const bob = fake.as("bob").id;
          return { PARLEY_APPROVERS: kind === "role" ? `discord:role:${role?.id}` : `discord:${bob}` };
        },
      });
      const asked = rig.fake.as("bob").say("general", "@parley change it");
      await rig.reads(asked.id, /\[Approve\] \[Deny\]/);
      const question = rig.fake.world
        .messages(asked.id)
        .find(({ components }) => JSON.stringify(components).includes("Approve"));
      const at = { channel: asked.id, id: question?.id ?? "" };
      rig.fake.as("maria").click(at, "Approve");
      await rig.reads(asked.id, /only for @maria\).*\nYou can't decide this/);
      rig.fake.as("bob").click(at, "Approve");
      await rig.reads(asked.id, /approved\*\* by @bob[^]*Written\./);
    },
  );
});

const askFor = async (approvers: (ids: { readonly role: string; readonly maria: string }) => string) => {
  const rig = await createRig({
    answer: writes,
    envOf: (fake) => {
      const { roles } = fake.world.guildNamed("Community");
      const role = [...roles.values()].find(({ name }) => name === "maintainer")?.id ?? "";
      return { PARLEY_APPROVERS: approvers({ role, maria: fake.as("maria").id }) };
    },
  });
  const asked = rig.fake.as("maria").say("general", "@parley change it");
  const text = await rig.reads(asked.id, /\[Approve\] \[Deny\]/);
  const card = rig.fake.world
    .messages(asked.id)
    .find(({ components }) => JSON.stringify(components).includes("Approve"));
  expect(rig.fake.violations).toEqual([]);
  return { rig, asked, text, card };
};

describe("WD7 a question", () => {
  it("notifies the people and roles that can decide it, and the decision notifies nobody", async () => {
    const { rig, asked, card, text } = await askFor(
      ({ role, maria }) => `discord:${maria},discord:role:${role}`,
    );
    expect(text).toMatch(/can decide\./);
    const maria = rig.fake.as("maria").id;
    expect(card?.mentions.users).toContain(maria);
    expect(card?.mentions.roles).toHaveLength(1);
    rig.fake.as("maria").click({ channel: asked.id, id: card?.id ?? "" }, "Approve");
    await rig.reads(asked.id, /approved\*\* by @maria/);
  });

  it("of a server whose managers decide names nobody, and notifies its asker alone", async () => {
    const { card, text } = await askFor(() => "discord:manage-guild");
    expect(text).not.toContain("can decide");
    expect(card?.mentions.roles).toEqual([]);
  });

  it("in a private thread calls nobody into it", async () => {
    const rig = await createRig({
      answer: writes,
      envOf: (fake) => ({ PARLEY_APPROVERS: `discord:${fake.as("maria").id},discord:${fake.as("bob").id}` }),
    });
    await rig.run("bob", "general", "ask", { question: "change it", private: true });
    const thread = (): string =>
      [...rig.fake.world.channels.values()].find((one) => one.kind === "thread" && one.isPrivate)?.id ?? "";
    await rig.reads(thread(), /\[Approve\] \[Deny\]/);
    const card = rig.fake.world
      .messages(thread())
      .find(({ components }) => JSON.stringify(components).includes("Approve"));
    expect(card?.mentions.users).not.toContain(rig.fake.as("maria").id);
    expect(rig.fake.world.channelNamed(thread())).toMatchObject({ isPrivate: true });
  });
});

const GLOBAL = "PUT /applications/{app}/commands";
const OF_GUILD = "PUT /applications/{app}/guilds/{guild}/commands";

describe("the commands", () => {
  it("are registered in whole at each start, the same ones, each open to a server's own rules", async () => {
    const rig = await createRig();
    await rig.fake.waitFor(1, GLOBAL);
    await rig.restart();
    const [first, second] = await rig.fake.waitFor(2, GLOBAL);
    expect(second?.body).toEqual(first?.body);
    const one = z.object({ name: z.string(), default_member_permissions: z.string() });
    const bodies = z.array(one).parse(first?.body);
    expect(bodies.map(({ name }) => name)).toEqual(["ask", "parley", "Ask about this"]);
    await rig.run("bob", "general", "parley help");
    rig.fake.admin.overwrite("general", "bob", { deny: ["UseApplicationCommands"] });
    expect(() => rig.fake.as("bob").command("general", "parley help")).toThrow("may not run");
    expect(rig.fake.calls.some(({ route }) => route === OF_GUILD)).toBe(false);
  });

  it("are registered in one server alone for development", async () => {
    const rig = await createRig({
      envOf: ({ world }) => ({ PARLEY_DISCORD_GUILD: world.guildNamed("Community").id }),
    });
    await rig.fake.waitFor(1, OF_GUILD);
    expect(await rig.run("bob", "general", "parley help")).toContain("@parley");
    expect(rig.fake.calls.some(({ route }) => route === GLOBAL)).toBe(false);
  });

  it("that stood in one server are taken away there once they stand everywhere, however often that fails", async () => {
    const opened = openMemory();
    const note = (): string | null => opened.notes.note("discord.commands");
    const rig = await createRig({
      opened,
      envOf: ({ world }) => ({ PARLEY_DISCORD_GUILD: world.guildNamed("Community").id }),
    });
    await vi.waitFor(() => expect(note()).toMatch(/^\/guilds\/\d+$/), OFTEN);
    rig.fake.fault({ kind: "status", status: 503 }, { match: { route: OF_GUILD } });
    const everywhere = await rig.restart({ envOf: () => ({}) });
    await vi.waitFor(
      () => expect(everywhere.logged.join("\n")).toContain("discord: commands not registered"),
      OFTEN,
    );
    expect(note()).not.toBe("");
    await everywhere.restart();
    await vi.waitFor(() => expect(note()).toBe(""), OFTEN);
    const [, refused, taken] = await rig.fake.waitFor(3, OF_GUILD);
    expect([refused?.body, taken?.body]).toEqual([[], []]);
  });
});

describe("commands", () => {
  it("bind a channel's repository for who manages the server only", async () => {
    const rig = await createRig();
    expect(await rig.run("bob", "other", "parley repo", { name: "acme/web" })).toMatch(/^Only admins choose/);
    expect(await rig.run("maria", "other", "parley repo", { name: "acme/web" })).toMatch(
      /works on acme\/web/,
    );
    const asked = rig.fake.as("bob").say("other", "@parley hello?");
    await rig.reads(asked.id, /acme\/web/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("instructions: those who may approve set them, and the model is told", async () => {
    const asked: string[] = [];
    const rig = await createRig({
      answer: (messages) => {
        asked.push(JSON.stringify(messages[0]));
        return textAnswer("Heard.");
      },
    });
    expect(await rig.run("bob", "general", "parley instructions", { text: "Approve all" })).toMatch(
      /Only host approvers \(PARLEY_APPROVERS\) can change a channel's instructions/,
    );
    expect(await rig.run("maria", "general", "parley instructions", { text: "Answer in German." })).toMatch(
      /Stored\. New conversations here/,
    );
    const told = rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads(told.id, /Heard\./);
    expect(asked[0]).toContain("| Answer in German.");
    expect(await rig.run("maria", "general", "parley instructions", { text: "clear" })).toMatch(/Cleared\./);
    expect(rig.fake.violations).toEqual([]);
  });

  it("ask opens a thread on the question, in private where it is asked for", async () => {
    const rig = await createRig();
    await rig.run("bob", "general", "ask", { question: "what is @everyone?" });
    await rig.reads("general", /> what is .*\nasked by @bob/);
    const open = rig.fake.world
      .messages(rig.fake.world.channelNamed("general").id)
      .find(({ content }) => content.includes("asked by"));
    await rig.reads(open?.id ?? "", /Answer 1\./);
    await rig.run("bob", "general", "ask", { question: "and mine?", private: true });
    await rig.reads("Question: and mine?", /Answer 2\./);
    expect(rig.fake.world.channelNamed("Question: and mine?")).toMatchObject({ isPrivate: true });
    expect(await rig.run("bob", "other", "ask", { question: "here?" })).toMatch(/not enabled/);
    expect(rig.asked).toHaveLength(2);
    expect(rig.fake.violations).toEqual([]);
  });

  it("stop works for everybody in the thread, and about a message there is a form", async () => {
    const rig = await createRig({
      patience: 0,
      answer: (_messages, no, signal) =>
        no === 1
          ? new Promise((resolve) => signal.addEventListener("abort", () => resolve(textAnswer(""))))
          : textAnswer("Because."),
    });
    const asked = rig.fake.as("bob").say("general", "@parley hello?");
    await rig.reads(asked.id, /Still working/);
    await rig.run("maria", asked.id, "parley stop");
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
