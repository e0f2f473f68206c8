/** A mode switch in a new thread, on Discord: a thread of its own in the channel, linked both ways, made once. */

import { describe, expect, it, onTestFinished } from "vitest";
import { createDiscordOpener } from "../../../adapters/discord/write/open.ts";
import { type DiscordCalls, createDiscordCalls } from "../../../adapters/discord/api/calls.ts";
import type { ThreadOpening } from "../../../src/ports/threads.ts";
import { createFakeDiscord, type FakeDiscord } from "../../fakes/discord/fake.ts";
import type { Thread } from "../../fakes/discord/world.ts";
import { modeIntent, mortal, wishes } from "../branching.ts";
import { createRig, type DiscordRig, type RigOptions } from "./rig.ts";
import { english } from "../../../src/i18n/say.ts";

/** Threads of the bot's whose name is that of the new one. */
const made = (fake: FakeDiscord): readonly Thread[] =>
  [...fake.world.channels.values()].filter(
    (one): one is Thread => one.kind === "thread" && one.name.startsWith("triage: "),
  );

const opened = async (rig: DiscordRig): Promise<string> => {
  await expect.poll(() => made(rig.fake).length).toBe(1);
  return made(rig.fake)[0]?.id ?? "";
};

const press = (rig: DiscordRig, channel: string, name: string, label: string): void => {
  const message = rig.fake.world
    .messages(channel)
    .findLast(({ components }) => JSON.stringify(components).includes(`"${label}"`));
  rig.fake.as(name).click({ channel, id: message?.id ?? "" }, label);
};

const asking = async (options: RigOptions = {}) => {
  const rig = await createRig({ answer: wishes, tools: { intent: modeIntent }, ...options });
  const asked = rig.fake.as("maria").say("general", "@parley why does it fail?");
  await rig.reads(asked.id, /\[Stay\] \[Switch\] \[Switch in a new thread\]/);
  return { rig, old: asked.id };
};

describe("Switch in a new thread", () => {
  it("row 100: opens a thread on a message in the channel, in that mode; each links to the other", async () => {
    const { rig, old } = await asking();
    press(rig, old, "maria", "Switch in a new thread");
    const child = await opened(rig);
    await rig.reads(child, /It is the cache\.[^]*tricted[^·\n]* · [[`<]/);
    const general = await rig.reads("general", /Continued from .* in mode `triage`, opened by @maria/);
    expect(general).toContain("Continued from");
    expect(
      JSON.stringify(rig.fake.world.messages(rig.fake.world.channelNamed("general").id).at(-1)?.components),
    ).toContain(`<#${old}>`);
    expect(await rig.reads(old, /Continued here/)).toContain(child);
    rig.fake.as("maria").say(child, "and now?");
    await rig.reads(child, /Still the cache\./);
    const id = rig.ledger.find("discord", rig.fake.world.channelNamed("general").id, child)?.conversation;
    const read = id === undefined ? null : await rig.bot.read(id);
    expect(read?.state).toMatchObject({ mode: "triage", permission: "restricted", grants: [] });
    expect(rig.fake.violations).toEqual([]);
  });

  it("in a forum it is a new post", async () => {
    const rig = await createRig({ answer: wishes, tools: { intent: modeIntent } });
    const post = rig.fake.as("maria").ask("help", { name: "Broken", text: "@parley why does it fail?" });
    await rig.reads(post.channel, /\[Switch in a new thread\]/);
    press(rig, post.channel, "maria", "Switch in a new thread");
    const child = await opened(rig);
    const text = await rig.reads(child, /It is the cache\.[^]*tricted[^·\n]* · [[`<]/);
    expect(text).toContain("Continued from");
    expect(rig.fake.world.channels.get(child)).toMatchObject({
      parent: rig.fake.world.channelNamed("help").id,
    });
    await rig.reads(post.channel, /Continued here/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("out of a private thread it is private too, for those who took part", async () => {
    const rig = await createRig({ answer: wishes, tools: { intent: modeIntent } });
    await rig.run("bob", "general", "ask", { question: "why does it fail?", private: true });
    await rig.reads("Question: why does it fail?", /\[Switch in a new thread\]/);
    const old = rig.fake.world.channelNamed("Question: why does it fail?").id;
    press(rig, old, "bob", "Switch in a new thread");
    const child = await opened(rig);
    await rig.reads(child, /It is the cache\.[^]*tricted[^·\n]* · [[`<]/);
    const thread = rig.fake.world.channels.get(child);
    expect(thread).toMatchObject({ isPrivate: true });
    expect(made(rig.fake)[0]?.members.has(rig.fake.as("bob").id)).toBe(true);
    expect(rig.fake.asText("general")).not.toContain("Continued from");
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("in direct messages", () => {
  it("there is no second thread: the mode is set, and the reason is said", async () => {
    const rig = await createRig({
      answer: wishes,
      tools: { intent: modeIntent },
      env: { PARLEY_DISCORD_DIRECT: "on" },
    });
    const said = rig.fake.as("bob").whisper("why does it fail?");
    await rig.reads(said.channel, /menu/);
    const menu = rig.fake.world.messages(said.channel).at(-1);
    rig.fake.as("bob").choose({ channel: said.channel, id: menu?.id ?? "" }, "acme/web");
    await rig.reads(said.channel, /\[Switch in a new thread\]/);
    press(rig, said.channel, "bob", "Switch in a new thread");
    await rig.reads(said.channel, /could not be opened \(there are no threads in direct messages/);
    rig.fake.as("bob").whisper("and now?");
    await rig.reads(said.channel, /Still the cache\./);
    expect(rig.fake.violations).toEqual([]);
  });
});

describe("D6: one new thread, wherever the process ends", () => {
  it("whatever deed was its last", async () => {
    for (let endAt = 0; ; endAt += 1) {
      const life = mortal(endAt);
      const { rig, old } = await asking({ threads: life.threads, store: life.store });
      press(rig, old, "maria", "Switch in a new thread");
      const finished = rig.reads(old, /Continued here: /).then(() => "finished");
      const how = await Promise.race([life.ended, finished.catch(() => "never")]);
      const next = how === "finished" ? rig : await rig.restart({ threads: (it) => it, store: (it) => it });
      const child = await opened(next);
      if ((await next.reads(child, /tricted[^·\n]* · [[`<]|Try again/)).includes("Try again"))
        press(next, child, "maria", "Try again");
      await next.reads(child, /It is the cache\.[^]*tricted[^·\n]* · [[`<]/);
      const text = await next.reads(old, /Continued here: /);
      expect(text.match(/Continued here: /g), `deed ${endAt}`).toHaveLength(1);
      expect(made(next.fake), `deed ${endAt}`).toHaveLength(1);
      expect(next.bot.list(10, null), `deed ${endAt}`).toHaveLength(2);
      await next.close();
      if (how === "finished") break;
    }
  });
});

const oldThread = async (
  fake: FakeDiscord,
  calls: DiscordCalls,
  kind: "text" | "forum" | "private",
  place: string,
): Promise<string> => {
  if (kind === "forum") return fake.as("alice").ask("help", { name: "Broken", text: "It fails." }).channel;
  if (kind === "text") return fake.as("alice").openThread("general", "Broken");
  const body = { name: "Broken", type: 12 };
  await calls.call("POST", `/channels/${place}/threads`, { body });
  return fake.world.channelNamed("Broken").id;
};

const scene = async (kind: "text" | "forum" | "private") => {
  const fake = await createFakeDiscord({ rates: "off" });
  onTestFinished(() => fake.close());
  const calls = createDiscordCalls({ token: fake.token, apiUrl: fake.apiUrl, timeout: 60_000 });
  onTestFinished(() => calls.close());
  const place = fake.world.channelNamed(kind === "forum" ? "help" : "general").id;
  const from = await oldThread(fake, calls, kind, place);
  const another = () => {
    const own = createDiscordCalls({ token: fake.token, apiUrl: fake.apiUrl, timeout: 60_000 });
    onTestFinished(() => own.close());
    return createDiscordOpener({ calls: own, self: () => fake.world.app.bot });
  };
  const wish: ThreadOpening = {
    key: "c-new",
    from: { place, root: from },
    title: "Why @everyone does it fail?",
    mode: "triage",
    by: `discord:${fake.as("alice").id}`,
    why: "branch",
    say: english,
    people: [fake.as("alice").id],
  };
  return { fake, opener: another(), another, wish };
};

describe("the opener", () => {
  it.each(["text", "forum", "private"] as const)("finds again what it opened (%s)", async (kind) => {
    const { fake, opener, wish } = await scene(kind);
    const first = await opener.open(wish);
    expect(first).toMatchObject({ kind: "opened" });
    expect(await opener.open(wish)).toEqual(first);
    expect(made(fake)).toHaveLength(1);
    expect(await opener.open({ ...wish, key: "c-other", mode: "other" })).not.toEqual(first);
    expect(fake.violations).toEqual([]);
  });

  it("WD10 skips a participant who has left the server, and takes the others along", async () => {
    const { fake, opener, wish } = await scene("private");
    const [alice, bob] = [fake.as("alice").id, fake.as("bob").id];
    fake.admin.ban("Community", "alice");
    expect(await opener.open({ ...wish, people: [alice, bob] })).toMatchObject({ kind: "opened" });
    const [thread] = made(fake);
    expect(thread?.members.has(bob)).toBe(true);
    expect(thread?.members.has(alice)).toBe(false);
    const ours = fake.world.messages(thread?.id ?? "").filter(({ author }) => author === fake.world.app.bot);
    expect(ours).not.toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  it.each([
    ["text", true],
    ["text", false],
    ["forum", true],
    ["forum", false],
    ["private", true],
    ["private", false],
  ] as const)(
    "opens one thread where the answer of any one call is lost (%s, applied: %s)",
    async (kind, applied) => {
      const { fake, opener: first, another, wish } = await scene(kind);
      const before = fake.calls.length;
      await first.open({ ...wish, key: "c-count", mode: "count" });
      const needed = fake.calls.length - before;
      for (let at = 1; at <= needed; at += 1) {
        const mode = `m${at}`;
        const key = `c-${at}` as const;
        let seen = 0;
        fake.fault({ kind: "cut", applied }, { match: () => ++seen === at });
        // The library lets fifty requests a second through.
        const opener = another();
        await opener.open({ ...wish, key, mode });
        const again = await opener.open({ ...wish, key, mode });
        expect(again.kind, `call ${at}`).toBe("opened");
        const threads = [...fake.world.channels.values()].filter(({ name }) => name.startsWith(`${mode}: `));
        expect(threads, `call ${at}`).toHaveLength(1);
        const thread = threads[0]?.id ?? "";
        const where = kind === "text" ? wish.from.place : thread;
        const ours = fake.world
          .messages(where)
          .filter(({ components }) => JSON.stringify(components).includes(`\`${mode}\``));
        expect(ours, `call ${at}`).toHaveLength(1);
      }
    },
  );
});
