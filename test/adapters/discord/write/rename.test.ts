/** Conversations renamed, put away and deleted from Discord and from elsewhere, and what their threads are called then. */

import { expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../../../src/app/system-clock.ts";
import type { ConversationId } from "../../../../src/machine/id.ts";
import type { Clock } from "../../../../src/ports/host.ts";
import { conversationCodeOf } from "../../../../src/runtime/chat/commands/manage.ts";
import { createRig, type DiscordRig, type RigOptions } from "../rig.ts";

const CONSOLE = "console:operator";
const RENAME = "PATCH /channels/{channel}";

/** A thread of bob's question, with its first answer. */
const asking = async (options: RigOptions = {}) => {
  const rig = await createRig(options);
  const { id: thread } = rig.fake.as("bob").say("general", "@parley fix the cache");
  await rig.reads(thread, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
  return { rig, thread, id: idOf(rig) };
};

const idOf = (rig: DiscordRig): ConversationId => rig.bot.list(1, null)[0]?.state.id ?? "c-none";
const nameOf = ({ fake }: DiscordRig, thread: string): string | undefined =>
  fake.world.channels.get(thread)?.name;
const called = (rig: DiscordRig, thread: string, name: string) =>
  expect.poll(() => nameOf(rig, thread)).toBe(name);
const renames = ({ fake }: DiscordRig): number =>
  fake.calls.filter(({ route, body }) => route === RENAME && "name" in Object(body)).length;

/** Waits of minutes are over when the test says so. */
const minutes = () => {
  const fires: (() => void)[] = [];
  let ahead = 0;
  const clock: Clock = {
    now: () => systemClock.now() + ahead,
    after: (delay, fire) => {
      if (delay < 60_000) return systemClock.after(delay, fire);
      fires.push(fire);
      return () => void fires.splice(fires.indexOf(fire) >>> 0, 1);
    },
  };
  const pass = (by: number): void => {
    ahead += by;
    for (const fire of fires.splice(0)) fire();
  };
  return { clock, pass };
};

it("rename, archive and delete from the thread: who may, asked back; the thread takes the name", async () => {
  const { rig, thread, id } = await asking();
  const { fake } = rig;
  expect(await rig.run("bob", thread, "parley rename", { name: "Mine" })).toMatch(
    /^Renamed\. A thread that I opened/,
  );
  await called(rig, thread, "Mine");
  fake.as("maria").say(thread, "@parley rename: *The* cache, <@1> once more");
  await called(rig, thread, "The cache, @1 once more");
  expect(rig.bot.list(1, null)[0]?.conversation.title).toBe("*The* cache, @1 once more");
  expect(await rig.run("maria", thread, "parley help", {})).toContain(
    "A thread that a person created keeps its name",
  );

  await rig.run("maria", thread, "parley archive", {});
  expect(rig.bot.list(1, null)).toEqual([]);
  fake.as("maria").say(thread, "@parley and now?");
  await rig.reads(thread, /Answer 2\./);
  expect(idOf(rig)).toBe(id);
  // The thread's own line about its name is no word of anybody's.
  expect(JSON.stringify(rig.asked)).not.toContain("| The cache");

  expect(await rig.run("bob", thread, "parley delete", {})).toMatch(
    /Only host approvers \(PARLEY_APPROVERS\) can delete/,
  );
  expect(await rig.run("maria", thread, "parley delete", {})).toContain(conversationCodeOf(id));
  await rig.run("maria", thread, "parley delete", { code: conversationCodeOf(id) });
  expect(await rig.bot.read(id)).toBeNull();
  expect(fake.violations).toEqual([]);
});

it("the third name in ten minutes waits, the rename does not; the newest is set", async () => {
  const { clock, pass } = minutes();
  const { rig, thread, id } = await asking({ clock });
  for (const name of ["One", "Two"]) {
    await rig.bot.rename(id, name, CONSOLE);
    await called(rig, thread, name);
  }
  const reads = () => rig.fake.calls.filter(({ route }) => route === "GET /channels/{channel}").length;
  const before = reads();
  for (const name of ["Three", "Four"])
    expect(await rig.bot.rename(id, name, CONSOLE)).toEqual({ kind: "done" });
  await vi.waitFor(() => expect(reads()).toBeGreaterThanOrEqual(before + 2));
  expect([nameOf(rig, thread), renames(rig)]).toEqual(["Two", 2]);
  pass(10 * 60_000);
  await called(rig, thread, "Four");
  expect(renames(rig)).toBe(3);
});

it("where Discord itself says that it is too often, it is set when Discord allows", async () => {
  const { clock, pass } = minutes();
  const { rig, thread, id } = await asking({ clock });
  rig.fake.fault({ kind: "limited", retryAfter: 300 }, { match: { route: RENAME } });
  expect(await rig.bot.rename(id, "One", CONSOLE)).toEqual({ kind: "done" });
  await vi.waitFor(() => expect(renames(rig)).toBe(1));
  expect(nameOf(rig, thread)).toBe("fix the cache");
  await vi.waitFor(() => {
    pass(300_000);
    expect(nameOf(rig, thread)).toBe("One");
  });
});

it("what a person made keeps its name: a thread, and a forum post", async () => {
  const rig = await createRig();
  const { fake } = rig;
  const own = fake.as("bob").openThread("general", "Bob's thread");
  fake.as("bob").say(own, "@parley fix the cache");
  await rig.reads(own, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
  await rig.bot.rename(idOf(rig), "Another", CONSOLE);
  const post = fake.as("bob").ask("help", { name: "Broken", text: "@parley why?" });
  await rig.reads(post.channel, /Answer 2\.[^]*tricted[^·\n]* · [[`<]/);
  await rig.bot.rename(idOf(rig), "Other", CONSOLE);
  // One that was opened by the app comes behind them in the same queue.
  const { id: ours } = fake.as("bob").say("general", "@parley and this?");
  await rig.reads(ours, /Answer 3\.[^]*tricted[^·\n]* · [[`<]/);
  await rig.bot.rename(idOf(rig), "Ours", CONSOLE);
  await called(rig, ours, "Ours");
  expect([nameOf(rig, own), nameOf(rig, post.channel), renames(rig)]).toEqual(["Bob's thread", "Broken", 1]);
});

it("an archived thread is not brought back for it: it takes the name when somebody writes there", async () => {
  const { rig, thread, id } = await asking();
  const { fake } = rig;
  fake.as("bob").archive(thread);
  const before = fake.calls.length;
  await rig.bot.rename(id, "Later", CONSOLE);
  await vi.waitFor(() => expect(fake.calls.length).toBeGreaterThan(before));
  expect(fake.world.channels.get(thread)).toMatchObject({ archived: true, name: "fix the cache" });
  fake.as("bob").say(thread, "and now?");
  await called(rig, thread, "Later");
  expect(renames(rig)).toBe(1);
});

it("a name that could not be set is set by the next process; one of a deleted conversation is not", async () => {
  const { clock } = minutes();
  const first = await asking({ clock });
  const { fake } = first.rig;
  fake.fault({ kind: "status", status: 503 }, { times: 2, match: { route: RENAME } });
  const failed = async (id: ConversationId, name: string) => {
    const before = renames(first.rig);
    await first.rig.bot.rename(id, name, CONSOLE);
    await vi.waitFor(() => expect(renames(first.rig)).toBe(before + 1));
  };
  await failed(first.id, "Kept");
  const { id: other } = fake.as("bob").say("general", "@parley and this?");
  await first.rig.reads(other, /Answer 2\.[^]*tricted[^·\n]* · [[`<]/);
  const second = idOf(first.rig);
  await failed(second, "Gone");
  await first.rig.bot.remove(second, CONSOLE);
  const next = await first.rig.restart();
  onTestFinished(() => next.close());
  await called(next, first.thread, "Kept");
  expect(nameOf(next, other)).toBe("and this?");
});
