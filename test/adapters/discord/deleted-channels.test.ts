/** WD6 What was said in a channel, forum or thread that was deleted is forgotten: Discord names none of the threads in it. */

import { describe, expect, it } from "vitest";
import { textAnswer } from "../../runtime/world.ts";
import { createRig, type DiscordRig } from "./rig.ts";

const ANSWERED = /tricted[^·\n]* · [[`<]/;

const stored = (rig: DiscordRig): string =>
  JSON.stringify(
    rig.bot
      .list(20, null)
      .map(({ conversation }) => [
        conversation,
        ...rig.store.allWords(conversation.id).values(),
        ...rig.store.claims(conversation.id),
      ]),
  );

/** Two questions in #general, a post in the forum, and a question in #other. */
const withThreads = async () => {
  const rig = await createRig({ bound: ["general", "help", "other"] });
  const first = rig.fake.as("bob").say("general", "@parley is 1111general kept?");
  const second = rig.fake.as("alice").say("general", "@parley is 2222general kept?");
  const post = rig.fake.as("alice").ask("help", { name: "Help", text: "@parley is 3333post kept?" });
  const other = rig.fake.as("bob").say("other", "@parley is 4444other kept?");
  for (const id of [first.id, second.id, post.channel, other.id]) await rig.reads(id, ANSWERED);
  return { rig, first, second, post, other };
};

describe("WD6 a deleted channel", () => {
  it("takes the words of all its threads along, and those of no other channel", async () => {
    const { rig } = await withThreads();
    rig.fake.admin.deleteChannel("general");
    await expect.poll(() => stored(rig)).not.toMatch(/1111general|2222general/);
    expect(stored(rig)).toMatch(/3333post[^]*4444other|4444other[^]*3333post/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("that is a forum takes its posts along", async () => {
    const { rig } = await withThreads();
    rig.fake.admin.deleteChannel("help");
    await expect.poll(() => stored(rig)).not.toContain("3333post");
    expect(stored(rig)).toContain("1111general");
  });

  it("while no process ran is found at the next start, as is a deleted thread; what is archived or hidden is kept", async () => {
    const { rig, first, second, other } = await withThreads();
    await rig.close();
    rig.fake.admin.deleteChannel("help");
    rig.fake.admin.deleteThread(first.id);
    rig.fake.as("alice").archive(second.id);
    rig.fake.admin.overwrite("other", "parley", { deny: ["ViewChannel"] });
    const next = await rig.restart();
    await expect.poll(() => stored(next)).not.toMatch(/3333post|1111general/);
    expect(stored(next)).toContain("2222general");
    expect(stored(next)).toContain("4444other");
    expect(rig.fake.world.channels.has(other.id)).toBe(true);
    expect(rig.fake.violations).toEqual([]);
  });

  it("is not taken for deleted while Discord answers no question about it", async () => {
    const { rig, second } = await withThreads();
    await rig.close();
    rig.fake.as("alice").archive(second.id);
    rig.fake.fault(
      { kind: "status", status: 500 },
      { times: Number.POSITIVE_INFINITY, match: { route: "GET /channels/{channel}" } },
    );
    const next = await rig.restart();
    await expect.poll(() => next.logged.join("\n")).toContain("discord: deleted threads not checked");
    expect(stored(next)).toContain("2222general");
  });

  it("is not what a question is whose thread was not opened yet when the process ended", async () => {
    const gate = Promise.withResolvers<void>();
    const rig = await createRig({ answer: () => gate.promise.then(() => textAnswer("Late.")) });
    const asked = rig.fake.as("bob").say("general", "@parley is 5555asked kept?");
    await expect.poll(() => rig.asked.length).toBe(1);
    expect(rig.fake.world.channels.has(asked.id)).toBe(false);
    rig.fake.gateway.forgetSessions();
    rig.fake.gateway.open[0]?.cut();
    await rig.fake.gateway.waitFor(2, "identified");
    // Its message says that no thread has hung on it.
    const isRead = (): boolean =>
      rig.fake.calls.some(
        ({ route, params }) =>
          route === "GET /channels/{channel}/messages/{message}" && params["message"] === asked.id,
      );
    await expect.poll(isRead).toBe(true);
    gate.resolve();
    await rig.reads(asked.id, /Late\.[^]*tricted[^·\n]* · [[`<]/);
    expect(stored(rig)).toContain("5555asked");
  });
});
