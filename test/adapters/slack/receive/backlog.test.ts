/** What people write on Slack while no process runs is answered by the next one, once. */

import { describe, expect, it, vi } from "vitest";
import { DAY } from "../../../../src/machine/id.ts";
import { systemClock } from "../../../../src/app/system-clock.ts";
import type { FakeSlack } from "../../../fakes/slack/fake.ts";
import type { Address } from "../../../fakes/slack/people/human.ts";
import { OFTEN, REPO, told } from "../../rig.ts";
import { createRig, type RigOptions, type SlackRig } from "../rig.ts";

const channel = "general";

/** A process that has answered and is no more. */
const ended = async () => {
  const rig = await createRig();
  const first = rig.fake.as("bob").say("@parley first", { channel });
  await rig.thread(first, /Restricted ·/);
  await rig.close();
  return { rig, first };
};

describe("messages that nobody heard", () => {
  it("in a live thread and at the top of its channel are answered after the start, each once", async () => {
    const { rig, first } = await ended();
    rig.fake.deliveryFault({ kind: "drop" }, { times: 1_000 });
    rig.fake.as("bob").say("second", { channel, thread: first.ts });
    const other = rig.fake.as("carol").say("@parley third", { channel });
    rig.fake.as("carol").say("lunch?", { channel });
    const later = await rig.restart();
    await later.thread(first, /second\n[^]*Answer \d\.\n[^]*Restricted ·/);
    await later.thread(other, /third\n[^]*Answer \d\.\n[^]*Restricted ·/);
    const last = await later.restart();
    expect(last.asked).toEqual([]);
    const answered = later.asked.map(told).map((text) => /third|second/.exec(text)?.[0]);
    expect(new Set(answered)).toEqual(new Set(["second", "third"]));
    expect(answered).toHaveLength(2);
    expect(rig.fake.violations).toEqual([]);
  });

  it("at the top of a channel are answered although something below them was said and answered first", async () => {
    const { rig } = await ended();
    rig.fake.deliveryFault({ kind: "drop" }, { times: 1_000, match: { contains: "unheard" } });
    const root = rig.fake.as("carol").say("@parley unheard", { channel });
    rig.fake.fault({ kind: "wait", gate: "history" }, { match: { method: "conversations.history" } });
    const later = await rig.restart();
    rig.fake.as("carol").say("@parley and now?", { channel, thread: root.ts });
    await later.thread(root, /and now\?\n[^]*Answer \d\.\n[^]*Restricted ·/);
    rig.fake.gate("history").open();
    await later.thread(root, /(?:Answer \d\.\n[^]*){2}/);
    expect(later.asked.map(told).filter((text) => text.includes("unheard"))).not.toEqual([]);
    expect(rig.fake.violations).toEqual([]);
  });
});

/** A process that has answered in `general` and is no more; then nothing reaches the next one but what `said` does. */
const whileDown = async (options: RigOptions, say: (fake: FakeSlack) => void): Promise<SlackRig> => {
  const rig = await createRig(options);
  const first = rig.fake.as("bob").say("@parley first", { channel });
  await rig.thread(first, /Restricted ·/);
  await rig.close();
  rig.fake.deliveryFault({ kind: "drop" }, { times: 1_000 });
  say(rig.fake);
  return rig;
};

const channels = [{ name: "general" }, { name: "ops" }];

describe("40.B what people said while the bot was down", () => {
  it("40.B a mention in a channel that has a repository and was never used is answered, once", async () => {
    let root: Address = { channel: "", ts: "" };
    const rig = await whileDown({ fake: { channels }, bound: ["CGENERAL", "COPS"] }, (fake) => {
      fake.as("carol").say("lunch?", { channel: "ops" });
      root = fake.as("carol").say("@parley third", { channel: "ops" });
    });
    const later = await rig.restart();
    await later.thread(root, /third\n[^]*Answer \d\.\n[^]*Restricted ·/);
    const last = await later.restart();
    await last.fake.waitFor(2, "users.conversations");
    expect(last.asked).toEqual([]);
    expect(later.asked).toHaveLength(1);
    expect(rig.fake.violations).toEqual([]);
  });

  it("40.B a first mention in a channel without a repository gets its menu", async () => {
    let root: Address = { channel: "", ts: "" };
    const rig = await whileDown({ fake: { channels } }, (fake) => {
      root = fake.as("carol").say("@parley third", { channel: "ops" });
    });
    // The app was installed before it asked for the scope of group messages.
    const fault = { kind: "error", error: "missing_scope", fields: { needed: "mpim:read" } } as const;
    rig.fake.fault(fault, { match: { method: "users.conversations", contains: "mpim" } });
    const later = await rig.restart();
    await later.thread(root, /No repository is chosen for this channel yet/);
    const waiting = () => later.chat.unbound("slack", "COPS").map(({ message }) => message);
    await vi.waitFor(() => expect(waiting()).toEqual([root.ts]), OFTEN);
    expect(rig.fake.violations).toEqual([]);
  });

  it("40.B a mention in a thread of people is answered, with the plain reply behind it; their words before it are none", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const old = fake.as("carol").say("It is red", { channel });
    const first = fake.as("bob").say("@parley first", { channel });
    await rig.thread(first, /Restricted ·/);
    await rig.close();
    fake.deliveryFault({ kind: "drop" }, { times: 1_000 });
    const place = { channel, thread: old.ts };
    fake.as("carol").say("who knows?", place);
    fake.as("carol").say("@parley why?", place);
    const later = await rig.restart();
    await later.thread(
      old,
      /@parley> why\?\n[^]*Answer \d\.\n[^]*Restricted ·|why\?\n[^]*Answer \d\.\n[^]*Restricted ·/,
    );
    expect(later.asked).toHaveLength(1);
    expect(told(later.asked[0])).toContain("| who knows?");
    expect(fake.violations).toEqual([]);
  });

  it("40.B what people said before the bot was asked in their thread is no request, however soon the next process reads it", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const first = fake.as("bob").say("@parley first", { channel });
    await rig.thread(first, /Restricted ·/);
    const theirs = fake.as("carol").say("It is red", { channel });
    const place = { channel, thread: theirs.ts };
    fake.as("carol").say("since noon", place);
    await fake.settled();
    fake.as("carol").say("@parley why?", place);
    await rig.thread(theirs, /Answer 2\.\n[^]*Restricted ·/);
    const later = await rig.restart();
    await fake.waitFor(2, "users.conversations");
    fake.as("carol").say("and now?", place);
    await later.thread(theirs, /and now\?\n[^]*Answer 1\.\n[^]*Restricted ·/);
    expect(later.asked.map(told)).toEqual([expect.stringContaining("and now?")]);
    expect(fake.violations).toEqual([]);
  });

  it("40.B a message whose event was lost is answered although a newer one of its channel and of its thread was", async () => {
    const rig = await createRig();
    const { fake } = rig;
    const root = fake.as("bob").say("@parley first", { channel });
    await rig.thread(root, /Restricted ·/);
    fake.deliveryFault({ kind: "drop" }, { times: 3, match: { contains: "lost" } });
    fake.as("bob").say("lost in the thread", { channel, thread: root.ts });
    const top = fake.as("carol").say("@parley lost in the channel", { channel });
    fake.as("bob").say("newer", { channel, thread: root.ts });
    await rig.thread(root, /newer\n[^]*Answer 2\.\n[^]*Restricted ·/);
    const newer = fake.as("carol").say("@parley newest", { channel });
    await rig.thread(newer, /Answer 3\.\n[^]*Restricted ·/);
    const later = await rig.restart();
    await later.thread(top, /Answer \d\.\n[^]*Restricted ·/);
    await later.thread(root, /(?:Answer \d\.\n[^]*){3}/);
    const words = later.asked.map(told);
    expect(words.filter((one) => one.includes("lost in the channel"))).toHaveLength(1);
    expect(words).toHaveLength(2);
    const last = await later.restart();
    await last.fake.waitFor(3, "users.conversations");
    expect(last.asked).toEqual([]);
  });

  it("40.B a command that was carried out is not carried out again, however far back reading begins", async () => {
    let shift = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + shift };
    const rig = await createRig({ clock });
    const { fake } = rig;
    const alice = fake.as("alice");
    const boundTo = () => rig.chat.binding("slack", "CGENERAL")?.repo;
    const first = fake.as("bob").say("@parley first", { channel });
    await rig.thread(first, /Restricted ·/);
    alice.say("@parley repo acme/web", { channel });
    await vi.waitFor(() => expect(boundTo()).toMatchObject(WEB), OFTEN);
    await alice.command("/parley", "repo acme/api", channel).ended;
    await vi.waitFor(() => expect(boundTo()).toMatchObject(REPO), OFTEN);
    await rig.close();
    shift = 4 * DAY;
    const later = await rig.restart();
    await fake.waitFor(2, "users.conversations");
    const root = fake.as("bob").say("@parley and now?", { channel });
    await later.thread(root, /Restricted ·/);
    expect(boundTo()).toMatchObject(REPO);
    expect(later.asked).toHaveLength(1);
  });
});

const WEB = { kind: "url", location: "https://github.com/acme/web.git" };
