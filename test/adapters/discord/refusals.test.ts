/** Whatever is not taken has one reply, and it is never lost (D7): on Discord, seen by everybody in the thread. */

import { expect, it } from "vitest";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import { textAnswer } from "../../runtime/world.ts";
import { OFTEN } from "../rig.ts";
import { createRig, type DiscordRig } from "./rig.ts";

/** Waits are over almost at once. */
const hurried: Clock = {
  now: systemClock.now,
  after: (delay, fire) => systemClock.after(delay / 200, fire),
};

/** A thread whose agent works until it is stopped. */
const working = async (options: Parameters<typeof createRig>[0] = {}) => {
  const rig = await createRig({
    patience: 0,
    answer: (_messages, no, signal) =>
      no > 1
        ? textAnswer(`Answer ${no}.`)
        : new Promise<ModelOutcome>((resolve) => {
            signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
          }),
    ...options,
  });
  const asked = rig.fake.as("alice").say("general", "@parley think");
  await rig.reads(asked.id, /Still working/);
  return { rig, channel: asked.id };
};

/** What stands in the thread of refusals, by whom it is said to. */
const standing = ({ fake }: DiscordRig, channel: string): readonly string[] =>
  fake.world
    .messages(channel)
    .filter(({ content }) => content.includes("I am still working on"))
    .map(({ content }) => (/^<@(\d+)>/.exec(content)?.[1] ?? "").replace(fake.as("bob").id, "bob"))
    .map((one) => one.replace(fake.as("alice").id, "alice"));

const isBusy = ({ body }: { readonly body?: unknown }): boolean =>
  JSON.stringify(body ?? null).includes("I am still working on");

/** How often the host has said it, whether or not it still stands. */
const said = ({ fake }: DiscordRig): number =>
  fake.calls.filter((call) => call.route === "POST /channels/{channel}/messages" && isBusy(call)).length;

it("every refused message of several people has a reply, of which the newest stands", async () => {
  const { rig, channel } = await working();
  for (const [no, name] of (["bob", "bob", "alice", "bob"] as const).entries()) {
    rig.fake.as(name).say(channel, `@parley and ${no}?`);
    await expect.poll(() => said(rig), OFTEN).toBe(no + 1);
  }
  await expect.poll(() => standing(rig, channel), OFTEN).toEqual(["alice", "bob"]);
  const note = rig.fake.world
    .messages(channel)
    .findLast(({ content }) => content.includes("I am still working on"));
  rig.fake.as("bob").click({ channel, id: note?.id ?? "" }, "Stop and send this");
  await rig.reads(channel, /Answer 2/);
  expect(JSON.stringify(rig.asked[1])).toContain("and 3?");
  expect(rig.fake.violations).toEqual([]);
});

it("that the agent works is said silently, and goes when it does not any more (TA7)", async () => {
  const { rig, channel } = await working({ clock: hurried });
  rig.fake.as("bob").say(channel, "@parley and this?");
  await expect.poll(() => standing(rig, channel), OFTEN).toEqual(["bob"]);
  const reply = rig.fake.calls.find(
    (call) => call.route === "POST /channels/{channel}/messages" && isBusy(call),
  );
  expect(Number(Object(reply?.body).flags) & 4_096).toBe(4_096);
  expect(Object(reply?.body).content).toMatch(
    /I am still working on @alice's question \([\d.]+ s\), so I did not start on yours/,
  );
  rig.fake.as("alice").say(channel, "@parley stop");
  await expect.poll(() => standing(rig, channel), OFTEN).toEqual([]);
  await expect.poll(() => rig.chat.standing("discord"), OFTEN).toEqual([]);
  expect(rig.fake.violations).toEqual([]);
});

it("a message of which nobody can read where it stands is told so in the end, and so is that of a slower try", async () => {
  const rig = await createRig({ clock: hurried });
  const where = { route: "GET /channels/{channel}" } as const;
  const alice = rig.fake.as("alice");
  const untold = (name: string): string => {
    rig.fake.dispatchFault({ kind: "lose" }, "THREAD_CREATE");
    return alice.openThread("general", name);
  };
  rig.fake.fault({ kind: "status", status: 503 }, { times: 2, match: where });
  const first = untold("First");
  alice.say(first, "@parley what is this?");
  await rig.reads(first, /Answer 1/);
  rig.fake.fault({ kind: "status", status: 503 }, { times: 1_000, match: where });
  const second = untold("Second");
  alice.say(second, "@parley and this?");
  await rig.reads(second, /I could not read where your message was posted/);
  await expect.poll(() => rig.chat.owed("discord"), OFTEN).toEqual([]);
  expect(rig.asked).toHaveLength(1);
});

it("a command asked twice is answered twice, and the newest answer stands", async () => {
  const { rig, channel } = await working();
  const helps = (): readonly string[] =>
    rig.fake.world
      .messages(channel)
      .flatMap(({ id, content }) => (content.includes("In a thread:") ? [id] : []));
  rig.fake.as("bob").say(channel, "@parley help");
  await expect.poll(helps, OFTEN).toHaveLength(1);
  const [first] = helps();
  rig.fake.as("bob").say(channel, "@parley help");
  await expect.poll(() => helps().join(), OFTEN).not.toBe(first);
  await expect.poll(helps, OFTEN).toHaveLength(1);
});

it.each([
  ["503 from a proxy", { kind: "status", status: 503, body: "html" }],
  ["a limit", { kind: "limited", retryAfter: 0.2 }],
  ["a reset", { kind: "cut", applied: false, how: "reset" }],
  ["a lost acknowledgement", { kind: "cut", applied: true, how: "end" }],
] as const)("a reply that Discord did not take comes later, and once (%s)", async (_, fault) => {
  const { rig, channel } = await working();
  rig.fake.fault(fault, { times: 1, match: isBusy });
  rig.fake.as("bob").say(channel, "@parley and that?");
  await expect.poll(() => standing(rig, channel), OFTEN).toEqual(["bob"]);
  await expect.poll(() => rig.chat.owed("discord"), OFTEN).toEqual([]);
  expect(standing(rig, channel)).toEqual(["bob"]);
});

it("40.B a reply whose answer was lost is taken over by a newer refusal of the person, and stands once", async () => {
  const { rig, channel } = await working();
  // The connection breaks after Discord took the first reply; the second message is refused before it is told again.
  rig.fake.fault({ kind: "cut", applied: true, how: "end" }, { times: 1, match: isBusy });
  rig.fake.as("bob").say(channel, "@parley and first?");
  await expect.poll(() => said(rig), OFTEN).toBe(1);
  rig.fake.as("bob").say(channel, "@parley and second?");
  await expect.poll(() => said(rig), OFTEN).toBeGreaterThan(1);
  await expect.poll(() => rig.chat.owed("discord"), OFTEN).toEqual([]);
  await expect.poll(() => standing(rig, channel), OFTEN).toEqual(["bob"]);
  const note = rig.fake.world
    .messages(channel)
    .find(({ content }) => content.includes("I am still working on"));
  rig.fake.as("bob").click({ channel, id: note?.id ?? "" }, "Stop and send this");
  await rig.reads(channel, /Answer 2/);
  expect(JSON.stringify(rig.asked[1])).toContain("and second?");
  expect(rig.fake.violations).toEqual([]);
});

it("a host that ends between a refusal and its reply tells it at the next start, and does not tell it again", async () => {
  const { rig, channel } = await working();
  let isAway = true;
  rig.fake.fault(
    { kind: "status", status: 503, body: "html" },
    { times: Number.POSITIVE_INFINITY, match: (call) => isAway && isBusy(call) },
  );
  rig.fake.as("bob").say(channel, "@parley and that?");
  await expect.poll(() => rig.chat.owed("discord"), OFTEN).toHaveLength(1);
  await expect.poll(() => rig.chat.unhandled("discord"), OFTEN).toEqual([]);
  await rig.close();
  isAway = false;
  const later = await rig.restart();
  await expect.poll(() => standing(later, channel), OFTEN).toEqual(["bob"]);
  await expect.poll(() => later.chat.owed("discord"), OFTEN).toEqual([]);
  const again = await later.restart();
  await again.reads(channel, /I was restarted/);
  expect(standing(again, channel)).toEqual(["bob"]);
});

it("40.B two lines that Discord did not take are both told by the next process", async () => {
  const { rig, channel } = await working();
  let isAway = true;
  rig.fake.fault(
    { kind: "error", status: 403, code: 50_001, message: "Missing Access" },
    {
      times: Number.POSITIVE_INFINITY,
      match: ({ route }) => isAway && route === "POST /channels/{channel}/messages",
    },
  );
  const waiting = () =>
    rig.chat.owed("discord").flatMap((to) => rig.chat.owedTo("discord", to)?.waiting ?? []);
  for (const [no, text] of ["and that?", "stpo"].entries()) {
    rig.fake.as("bob").say(channel, `@parley ${text}`);
    await expect.poll(waiting, OFTEN).toHaveLength(no + 1);
  }
  await expect.poll(() => rig.chat.unhandled("discord"), OFTEN).toEqual([]);
  await rig.close();
  isAway = false;
  const later = await rig.restart();
  await later.reads(channel, /@bob I am still working on [^\n]*\n[^\n]*stpo/);
  await expect.poll(() => later.chat.owed("discord"), OFTEN).toEqual([]);
});

/** The newest reply to bob about the turn. */
const replyTo = ({ fake }: DiscordRig, channel: string, says: string) =>
  fake.world.messages(channel).findLast(({ content, onlyFor }) => {
    const isOwn = onlyFor === fake.as("bob").id || content.includes(fake.as("bob").id);
    return isOwn && content.includes(says);
  });

const click = async (rig: DiscordRig, channel: string, says: string, label: string): Promise<void> => {
  await expect.poll(() => replyTo(rig, channel, says), OFTEN).toBeDefined();
  const id = replyTo(rig, channel, says)?.id ?? "";
  await rig.fake.as("bob").click({ channel, id }, label).ended;
};

it("D51 after a click the reply that everybody saw is replaced by one for its author, which changes in place", async () => {
  const { rig, channel } = await working();
  rig.fake.as("bob").say(channel, "@parley and this?");
  await click(rig, channel, "I am still working on", "Send when done");
  await expect
    .poll(() => replyTo(rig, channel, "Your message waits")?.onlyFor, OFTEN)
    .toBe(rig.fake.as("bob").id);
  await expect.poll(() => standing(rig, channel), OFTEN).toEqual([]);
  const note = replyTo(rig, channel, "Your message waits")?.id;
  await click(rig, channel, "Your message waits", "Remove");
  await expect.poll(() => replyTo(rig, channel, "Removed")?.id, OFTEN).toBe(note);
  rig.fake.as("alice").say(channel, "@parley stop");
  await rig.reads(channel, /Stopped by/);
  expect(rig.asked).toHaveLength(1);
  expect(rig.fake.violations).toEqual([]);
});

it("D51 others cannot remove a waiting message, and a second message of the same person does not wait", async () => {
  const { rig, channel } = await working();
  rig.fake.as("bob").say(channel, "@parley and this?");
  await click(rig, channel, "I am still working on", "Send when done");
  await rig.reads(channel, /1 message waits, from @bob/);
  const card = rig.fake.world.messages(channel).find(({ content }) => content.includes("1 message waits"));
  await rig.fake.as("alice").click({ channel, id: card?.id ?? "" }, "Remove @bob's message").ended;
  await rig.reads(channel, /Only its author and approvers can remove a waiting message/);
  rig.fake.as("bob").say(channel, "@parley and that?");
  await click(rig, channel, "I am still working on", "Send when done");
  await rig.reads(channel, /Your earlier message still waits/);
  rig.fake.as("alice").say(channel, "@parley stop");
  await rig.reads(channel, /Answer 2/);
  expect(JSON.stringify(rig.asked[1])).toContain("and this?");
  expect(JSON.stringify(rig.asked[1])).not.toContain("and that?");
});

it("D51 a waiting message of a person whom a moderator has timed out does not start", async () => {
  const { rig, channel } = await working();
  rig.fake.as("bob").say(channel, "@parley and this?");
  await click(rig, channel, "I am still working on", "Send when done");
  await rig.reads(channel, /1 message waits/);
  rig.fake.admin.timeOut("Community", "bob", 3_600_000);
  await rig.reads(channel, /^(?![^]*1 message waits)/);
  rig.fake.as("alice").say(channel, "@parley stop");
  await rig.reads(channel, /Stopped by/);
  expect(rig.asked).toHaveLength(1);
});
