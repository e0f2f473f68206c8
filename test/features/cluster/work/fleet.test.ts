/** FB1, FB2, FR1 and FR2: whichever host is asked, a conversation is its owner's, and what happens in it is seen everywhere. */

import { expect, test, vi } from "vitest";
import type { ConversationId } from "../../../../src/machine/id.ts";
import type { ConversationChange } from "../../../../src/ports/bot.ts";
import type { ReceivePayload } from "../../../../src/ports/connection.ts";
import { LEADER_AWAY } from "../../../../src/ports/ownership.ts";
import { ledRoutes } from "../../../../src/runtime/chat/route.ts";
import { homeRankOf } from "../../../../src/features/cluster/work/ownership.ts";
import { createCut } from "../../../../src/runtime/bot/erased-text.ts";
import { textAnswer, toolAnswer } from "../../../runtime/world.ts";
import { openHosts, type TestHost } from "./hosts.ts";

test("what is said at another host is done by the one that has the conversation, once", async () => {
  const hosts = openHosts();
  const one = await hosts.start("one");
  const two = await hosts.start("two");
  const id = await one.world.begin();
  expect((await one.say(id, "hello")).kind).toBe("accepted");
  (await one.world.nextModel()).answer(textAnswer("first"));
  await vi.waitFor(async () => expect((await two.bot.read(id))?.state.phase.kind).toBe("idle"));
  expect((await two.say(id, "again")).kind).toBe("accepted");
  (await one.world.nextModel()).answer(textAnswer("second"));
  await vi.waitFor(() => expect(hosts.store.load(id)?.state.turn.no).toBe(2));
  expect(hosts.rows.ownerOf(id)).toBe("one");
  expect(two.world.bot.posts(id, 0)).toStrictEqual(one.world.bot.posts(id, 0));
});

test("two hosts that take a free conversation at the same time agree on one of them", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const id = await one.world.begin();
  const said = await Promise.all([one.say(id, "from one"), two.say(id, "from two")]);
  expect(said.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
  const owner = [one, two].find(({ name }) => name === hosts.rows.ownerOf(id));
  (await owner?.world.nextModel())?.answer(textAnswer("done"));
  await vi.waitFor(() => expect(hosts.store.load(id)?.state.phase.kind).toBe("idle"));
});

test("what a killed host was doing is taken over by one of the others, and ends with a notice", async () => {
  const hosts = openHosts();
  const [one, two, three] = [await hosts.start("one"), await hosts.start("two"), await hosts.start("three")];
  const id = await one.world.begin();
  await one.say(id, "hello");
  await one.world.nextModel();
  await hosts.kill("one");
  await vi.waitFor(() => expect(hosts.store.load(id)?.state.phase.kind).toBe("idle"));
  expect([two.name, three.name]).toContain(hosts.rows.ownerOf(id));
  expect(hosts.rows.ownerOf(id)).toBe(homeRankOf(id, ["two", "three"])[0]);
  expect((await three.say(id, "go on")).kind).toBe("accepted");
});

test("a question stands as it stood when its host is killed, and is answered at another", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const id = await one.world.begin();
  await one.say(id, "change it");
  (await one.world.nextModel()).answer(
    toolAnswer({ name: "request_mode_upgrade", input: { reason: "to write" } }),
  );
  await vi.waitFor(() => expect(hosts.store.pendingQuestion(id)).not.toBeNull());
  const question = hosts.store.pendingQuestion(id)?.wire ?? "";
  await hosts.kill("one");
  expect((await two.bot.read(id))?.question?.wire).toBe(question);
  const decided = await two.bot.act(id, {
    kind: "decide",
    question,
    choice: "approve",
    by: { id: "console:operator", mayDrive: true, mayApprove: true },
    comment: null,
  });
  expect(decided.kind).toBe("done");
});

test("what waits moves with its conversation, and starts at the host that takes it over", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const id = await one.world.begin();
  await one.say(id, "hello");
  const asked = await one.world.nextModel();
  const bob = { id: "slack:UBOB", mayDrive: true, mayApprove: false } as const;
  const then = { text: "then this", images: [], speaker: bob };
  expect((await two.bot.act(id, { kind: "queue", ...then })).kind).toBe("done");
  expect((await two.bot.act(id, { kind: "add", ...then, text: "also this" })).kind).toBe("done");
  asked.answer(textAnswer("first"));
  const second = await one.world.nextModel();
  expect(JSON.stringify(second.request.messages)).toContain("also this");
  await hosts.kill("one");
  const started = await two.world.nextModel();
  expect(JSON.stringify(started.request.messages)).toMatch(/also this.*then this/);
  expect(hosts.store.load(id)?.state.turn).toMatchObject({ no: 2, speaker: bob });
});

test("somebody who looks at another host sees posts and streamed text, also after the conversation moved there", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const id = await one.world.begin();
  await one.bot.read(id);
  const seen: ConversationChange[] = [];
  const end = two.bot.subscribe(id, (change) => seen.push(change));
  await two.say(id, "hello");
  const asked = await one.world.nextModel();
  asked.text("so far");
  await vi.waitFor(() =>
    expect(seen).toContainEqual(expect.objectContaining({ kind: "live", text: "so far" })),
  );
  expect((await two.bot.read(id))?.live).toBe("so far");
  asked.answer(textAnswer("the end"));
  await vi.waitFor(() =>
    expect(seen.findLast(({ kind }) => kind === "state")).toMatchObject({ status: null }),
  );
  const told = seen.flatMap((change) => (change.kind === "posts" ? change.rows : []));
  expect(new Set(told.map(({ post }) => post.key))).toStrictEqual(
    new Set(hosts.store.posts(id, 0).map(({ post }) => post.key)),
  );
  await hosts.kill("one");
  await two.say(id, "and now here");
  (await two.world.nextModel()).text("here");
  await vi.waitFor(() =>
    expect(seen).toContainEqual(expect.objectContaining({ kind: "live", text: "here" })),
  );
  end();
});

test("words are forgotten at whichever host somebody asks for it", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const id = await one.world.begin();
  await one.say(id, "my secret");
  (await one.world.nextModel()).answer(textAnswer("noted"));
  await vi.waitFor(() => expect(hosts.store.load(id)?.state.phase.kind).toBe("idle"));
  const forgotten = await two.bot.forget(id, {
    by: "console:operator",
    meant: { kind: "all" },
    cut: createCut(() => ({ text: "", taken: [] })),
  });
  expect(forgotten.kind).toBe("done");
  expect(JSON.stringify([...hosts.store.allWords(id).values()])).not.toContain("my secret");
  expect(hosts.rows.ownerOf(id)).toBe("two");
});

test("the host that was there first leads, and the next one when it goes; each begins to lead once", async () => {
  const hosts = openHosts();
  const [one, two, three] = [await hosts.start("one"), await hosts.start("two"), await hosts.start("three")];
  expect([one.led(), two.led(), three.led()]).toStrictEqual([1, 0, 0]);
  await hosts.kill("one");
  await vi.waitFor(() => expect([two.led(), three.led()]).toStrictEqual([1, 0]));
});

test("a host that does not lead says which one does, and how its own connection stands", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const told = (standing: string, off: string | null = null): readonly string[] =>
    [one, two].map(({ share }) => share.standing({ off, standing: () => standing }));
  expect(told("on")).toStrictEqual(["on", "on one; here: on"]);
  expect(told("off: its token is refused")).toStrictEqual([
    "off: its token is refused",
    "on one; here: off: its token is refused",
  ]);
  expect(told("connecting")).toStrictEqual(["connecting", "on one"]);
  expect(told("off", "SLACK_BOT_TOKEN is not set")).toStrictEqual(["off", "off"]);
});

test("a conversation that nobody knows is unknown at every host", async () => {
  const hosts = openHosts();
  const one = await hosts.start("one");
  expect(await one.bot.read("c-nothing")).toBeNull();
  expect((await one.say("c-nothing", "hello")).kind).toBe("unknown");
  expect(hosts.rows.ownerOf("c-nothing")).toBeNull();
});

test("a conversation is moved with its question, and not in a turn; it can come back", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const id = await one.world.begin();
  const move = (from: string, to: string): Promise<unknown> =>
    hosts.ask(from, { kind: "give", id, to, stops: false });
  await one.say(id, "change it");
  const asked = await one.world.nextModel();
  expect(await move("one", "two")).toMatchObject({ kind: "failed", code: "conflict" });
  expect(hosts.rows.ownerOf(id)).toBe("one");
  asked.answer(toolAnswer({ name: "request_mode_upgrade", input: { reason: "to write" } }));
  await vi.waitFor(() => expect(hosts.store.pendingQuestion(id)).not.toBeNull());
  const question = hosts.store.pendingQuestion(id);
  expect(await move("one", "two")).toStrictEqual({ kind: "done" });
  expect(hosts.rows.ownerOf(id)).toBe("two");
  expect(one.given).toStrictEqual([id]);
  const wire = question?.wire ?? "";
  const by = { id: "console:operator", mayDrive: true, mayApprove: true } as const;
  await one.bot.act(id, { kind: "decide", question: wire, choice: "deny", by, comment: null });
  (await two.world.nextModel()).answer(textAnswer("as you like"));
  await vi.waitFor(() => expect(hosts.store.load(id)?.state.phase.kind).toBe("idle"));
  expect(await move("two", "one")).toStrictEqual({ kind: "done" });
  expect(await move("two", "nobody")).toMatchObject({ kind: "failed" });
  await two.say(id, "hello again");
  (await one.world.nextModel()).answer(textAnswer("hello"));
});

test("what happens in a chat thread is shown to the host that leads, also what was under way when it began to", async () => {
  const hosts = openHosts();
  const [one, two, three] = [await hosts.start("one"), await hosts.start("two"), await hosts.start("three")];
  const id = await begunIn(one, three.name);
  await one.say(id, "hello");
  const asked = await three.world.nextModel();
  asked.text("so far");
  await vi.waitFor(() => expect(one.heard).toContainEqual([id, expect.objectContaining({ text: "so far" })]));
  expect(two.heard).toStrictEqual([]);
  await hosts.kill("one");
  await vi.waitFor(() => expect(two.heard).toContainEqual([id, expect.objectContaining({ kind: "state" })]));
  asked.answer(textAnswer("the end"));
  await vi.waitFor(() => expect(hosts.store.load(id)?.state.phase.kind).toBe("idle"));
});

test("what only one host may do is asked of the one that leads, and of the next one when that goes", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const done: string[] = [];
  const routes = (name: string) => ({
    threads: { open: () => Promise.resolve({ kind: "none" } as const), joined: () => Promise.resolve() },
    requests: { weigh: () => (done.push(name), Promise.resolve("open" as const)) },
    authors: { author: () => Promise.resolve(null) },
    readThread: () => Promise.resolve(null),
    link: () => Promise.resolve(`link of ${name}`),
  });
  const ofOne = ledRoutes(routes("one"), one.share.led);
  const ofTwo = ledRoutes(routes("two"), two.share.led);
  expect(await ofTwo.link("slack", { place: "C1", root: "1" })).toBe("link of one");
  expect(await ofTwo.requests.weigh("c-1", { id: "slack:U1", mayDrive: false, mayApprove: false })).toBe(
    "open",
  );
  expect(await ofOne.link("slack", { place: "C1", root: "1" })).toBe("link of one");
  await hosts.kill("one");
  expect(await ofTwo.link("slack", { place: "C1", root: "1" })).toBe("link of two");
  expect(done).toStrictEqual(["one"]);
});

test("where the host that leads is about to end, the next one is asked", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const answers = [{ kind: "failed", code: "closing", message: "" } as const, { kind: "done" } as const];
  const body = { type: "event_callback", event: { text: "hello" } };
  const taken: unknown[] = [];
  const takeAtOne: ReceivePayload = (given) => {
    taken.push(given);
    return Promise.resolve(answers[taken.length - 1] ?? UNWANTED);
  };
  one.share.led("slack", takeAtOne, (by) => by("take", takeAtOne, LEADER_AWAY));
  const take = two.share.led("slack", refuse, (by) => by("take", refuse, LEADER_AWAY));
  expect(await take(body)).toStrictEqual({ kind: "done" });
  expect(taken).toStrictEqual([body, body]);
});

test("a conversation without a set-up has none at every host, at once", async () => {
  const hosts = openHosts();
  const [one, two] = [await hosts.start("one"), await hosts.start("two")];
  const id = await one.world.begin();
  const tries = hosts.pauses();
  for (const { bot } of [one, two]) {
    expect(await bot.setUp(id)).toBeNull();
    expect(await bot.guidance(id)).toStrictEqual([]);
  }
  expect(hosts.pauses()).toBe(tries);
});

const refuse: ReceivePayload = () => Promise.resolve(UNWANTED);
const UNWANTED = { kind: "failed", code: "io", message: "unwanted" } as const;

test("a free thread is taken by the host that has more room; a host that comes back has what nobody took", async () => {
  const hosts = openHosts();
  const [one, , three] = [await hosts.start("one"), await hosts.start("two"), await hosts.start("three")];
  const first = await begunIn(one, "three");
  await one.say(first, "hello");
  const asked = await three.world.nextModel();
  const second = await begunIn(one, "three", "C2");
  expect((await one.say(second, "hello")).kind).toBe("accepted");
  expect(hosts.rows.ownerOf(second)).toBe(homeRankOf(second, ["one", "two"])[0]);
  asked.answer(textAnswer("done"));
  await vi.waitFor(() => expect(hosts.store.load(first)?.state.phase.kind).toBe("idle"));
  await hosts.kill("three");
  expect(hosts.rows.ownerOf(first)).toBeNull();
  const again = await hosts.start("three");
  await one.say(first, "and then?");
  (await again.world.nextModel()).answer(textAnswer("that"));
});

/** A thread of Slack, begun by one host, whose name picks the other one to have it. */
const begunIn = async (host: TestHost, owner: string, place = "C1"): Promise<ConversationId> => {
  for (let root = 1; ; root += 1) {
    const made = await host.bot.create({
      surface: "slack",
      repo: { kind: "path", location: "/repo" },
      title: "",
      by: "slack:U1",
      thread: { place, root: String(root) },
    });
    if (made.kind !== "created") throw new Error(made.message);
    const { id } = made.overview.conversation;
    if (homeRankOf(id, ["one", "two", "three"])[0] === owner) return id;
  }
};

test("an errand that a host cannot do is answered with a failure, and the next one is done", async () => {
  const hosts = openHosts();
  const one = await hosts.start("one");
  expect(await hosts.ask("one", { kind: "look", id: "no conversation" })).toMatchObject({ kind: "failed" });
  const id = await one.world.begin();
  await one.say(id, "hello");
  expect(await hosts.ask("one", { kind: "look", id })).toMatchObject({ live: "" });
});
