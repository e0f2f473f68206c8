/** The event stream (BED-011, D23): snapshot first, then every post once, wherever and however often it is cut. */

import { connect } from "node:net";
import fc from "fast-check";
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIVE_EVERY } from "../../../../src/features/console/api/feed.ts";
import { type Frame, listen } from "../listen.ts";
import { createRig, field, type Rig, TOKEN } from "../../../adapters/http/rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const say = (id: string, text: string, on = rig) =>
  on.call("POST", `/api/conversations/${id}/messages`, { text });

const isState = (phase: string) => (frame: Frame) =>
  (frame.event === "state" || frame.event === "snapshot") && field(frame.data, "phase") === phase;

const isFooter = (frame: Frame): boolean => frame.event === "post" && field(frame.data, "kind") === "footer";

/** A turn of a tool call and an answer: every kind of change. */
const turn = (on: Rig): void => {
  on.script.answer(
    { pieces: ["Let me ", "look."], uses: [{ name: "bash", input: { command: "ls" } }] },
    { pieces: ["There ", "are ", "two ", "files – ä€𝄞."] },
  );
  on.script.tool({ text: "a.ts\nb.ts" });
};

const page = z.object({ posts: z.array(z.object({ key: z.string() })), earlier: z.int().exactOptional() });
const pageOf = (body: unknown) => page.parse(body);
const postsIn = (body: unknown): readonly string[] => pageOf(body).posts.map(({ key }) => key);

describe("a client", () => {
  it("hears a snapshot, then states, live text and posts in the order they happened", async () => {
    const id = await rig.begin();
    const client = listen(rig, id);
    const snapshot = await client.heard(({ event }) => event === "snapshot");
    expect(snapshot).toMatchObject({ id: `${rig.bot.boot}.0`, data: { posts: [], phase: "idle", live: "" } });
    turn(rig);
    await say(id, "What is here?");
    await client.heard(isFooter);
    expect(client.frames[0]?.event).toBe("snapshot");
    const posted = client.frames.filter(({ event }) => event === "post");
    const keys = posted.map(({ data }) => field(data, "key").split("/")[0]);
    // The first post comes again when the checkout has told its commit.
    expect(keys).toEqual(["opening", "said", "opening", "answer", "call", "call", "answer", "footer"]);
    expect(client.frames.filter(isState("thinking")).length).toBeGreaterThan(0);
    expect(client.frames.some(({ event, data }) => event === "live" && field(data, "text") !== "")).toBe(
      true,
    );
    expect(client.frames.findLast(({ event }) => event === "live")?.data).toMatchObject({ text: "" });
    client.cut();
  });

  it("hears a question and its end, with the button's id in the post", async () => {
    const id = await rig.begin();
    const client = listen(rig, id);
    await client.heard(({ event }) => event === "snapshot");
    rig.script.answer({ uses: [{ name: "request_mode_upgrade", input: { reason: "to write" } }] });
    await say(id, "Change it");
    const asked = await client.heard(({ event }) => event === "question");
    const { question } = Object.fromEntries(Object.entries(asked.data ?? {}));
    const wire = field(question, "id");
    const card = await client.heard(
      ({ event, data }) => event === "post" && field(data, "kind") === "question",
    );
    expect(card.data).toMatchObject({
      reason: "to write",
      actions: [
        { action: "decide", label: "Approve", choice: "approve", question: wire },
        { action: "decide", label: "Deny", choice: "deny", question: wire },
      ],
    });
    const later = listen(rig, id);
    expect(await later.heard(({ event }) => event === "snapshot")).toMatchObject({
      data: { question: { id: wire } },
    });
    await rig.call("POST", `/api/conversations/${id}/actions`, { action: "stop" });
    await client.heard(
      ({ event, data }) => event === "question" && JSON.stringify(data) === '{"question":null}',
    );
    client.cut();
    later.cut();
  });

  it("of another boot, or with an id nobody gave, gets a snapshot", async () => {
    const id = await rig.begin();
    for (const lastId of ["other.3", "", "nonsense", `${rig.bot.boot}.x`, `${rig.bot.boot}.-1`]) {
      const client = listen(rig, id, { lastId });
      expect((await client.heard(() => true)).event).toBe("snapshot");
      client.cut();
    }
  });

  it("that was cut anywhere, any number of times, has heard every post once", async () => {
    const id = await rig.begin();
    const whole = listen(rig, id);
    await whole.heard(({ event }) => event === "snapshot");
    for (const text of ["One", "Two", "Three"]) {
      turn(rig);
      const before = whole.frames.filter(isFooter).length;
      await say(id, text);
      while (whole.frames.filter(isFooter).length === before) await new Promise(setImmediate);
    }
    const expected = whole.frames
      .filter(({ event }) => event === "post")
      .map(({ id: at, data }) => ({ at, data }));
    whole.cut();
    const start = `${rig.bot.boot}.0`;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 6 }), async (cuts) => {
        const heard: Frame[] = [];
        let lastId: string = start;
        for (const cutAfter of cuts) {
          const client = listen(rig, id, { lastId, cutAfter });
          await Promise.race([client.ended, client.heard(({ event }) => event === "live")]);
          client.cut();
          heard.push(...client.frames);
          lastId = client.lastId() ?? lastId;
        }
        const last = listen(rig, id, { lastId });
        await last.heard(({ event }) => event === "live");
        heard.push(...last.frames);
        last.cut();
        const posts = heard.filter(({ event }) => event === "post");
        const latest = new Map(posts.map(({ data }) => [field(data, "key"), data]));
        expect(new Set(posts.map((post) => post.id)).size).toBe(posts.length);
        expect(heard.every(({ event }) => event !== "snapshot")).toBe(true);
        expect(latest).toEqual(new Map(expected.map(({ data }) => [field(data, "key"), data])));
      }),
      { numRuns: 200 },
    );
  });

  it("that asks for the last posts gets earlier ones on request, every one once, and later ones as they come", async () => {
    const id = await rig.begin();
    const whole = listen(rig, id);
    for (const text of ["One", "Two", "Three"]) {
      turn(rig);
      const before = whole.frames.filter(isFooter).length;
      await say(id, text);
      while (whole.frames.filter(isFooter).length === before) await new Promise(setImmediate);
    }
    whole.cut();
    const all = postsIn((await rig.call("GET", `/api/conversations/${id}`)).body);
    const client = listen(rig, id, { last: 4 });
    const snapshot = await client.heard(({ event }) => event === "snapshot");
    let shown = postsIn(snapshot.data);
    for (let { earlier } = pageOf(snapshot.data); earlier !== undefined; ) {
      const { body } = await rig.call("GET", `/api/conversations/${id}/posts?last=3&before=${earlier}`);
      shown = [...postsIn(body), ...shown];
      ({ earlier } = pageOf(body));
    }
    expect(shown).toEqual(all);
    client.cut();
    turn(rig);
    await say(id, "Four");
    const later = listen(rig, id, { last: 4, lastId: client.lastId() });
    await later.heard(isFooter);
    const told = later.frames.filter(({ event }) => event === "post").map(({ data }) => data);
    expect(later.frames.some(({ event }) => event === "snapshot")).toBe(false);
    expect(told.every((post) => !all.includes(field(post, "key")))).toBe(true);
    later.cut();
  });

  it.each(["last=0", "last=1001", "before=x"])("%s is refused", async (query) => {
    const id = await rig.begin();
    expect((await rig.call("GET", `/api/conversations/${id}/posts?${query}`)).status).toBe(400);
  });

  it("that is cut while the agent works misses nothing and repeats nothing", async () => {
    const id = await rig.begin();
    const heard: Frame[] = [];
    let client = listen(rig, id);
    await client.heard(({ event }) => event === "snapshot");
    for (const text of ["One", "Two", "Three", "Four"]) {
      turn(rig);
      await say(id, text);
      await client.heard(({ event, data }) => event === "post" && JSON.stringify(data).includes(`"${text}"`));
      client.cut();
      heard.push(...client.frames);
      client = listen(rig, id, { lastId: client.lastId() });
      await client.heard(isState("idle"));
    }
    heard.push(...client.frames);
    client.cut();
    const ids = heard.flatMap((frame) => (frame.event === "post" ? [frame.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    const { body } = await rig.call("GET", `/api/conversations/${id}`);
    const stored = JSON.stringify(body);
    for (const post of heard.filter(({ event }) => event === "post")) {
      expect(stored).toContain(field(post.data, "key"));
    }
    expect(heard.filter(({ event }) => event === "snapshot")).toHaveLength(1);
  });

  it("finds everything again after the process was restarted: one snapshot, nothing lost", async () => {
    const first = await createRig();
    const id = await first.begin();
    const before = listen(first, id);
    turn(first);
    await say(id, "What is here?", first);
    await before.heard(isFooter);
    const second = await first.restart();
    await before.ended;
    const after = listen(second, id, { lastId: before.lastId() });
    const snapshot = await after.heard(() => true);
    expect(snapshot.event).toBe("snapshot");
    expect(JSON.stringify(snapshot.data)).toContain("two files – ä€𝄞.");
    after.cut();
    await second.close();
  });

  it("hears live text at most every LIVE_EVERY ms, and the last of it", async () => {
    const id = await rig.begin();
    const client = listen(rig, id);
    await client.heard(({ event }) => event === "snapshot");
    const pieces = Array.from({ length: 100 }, (_, index) => `${index} `);
    const begun = performance.now();
    rig.script.answer({ pieces, pause: 2 });
    await say(id, "Count");
    await client.heard(isFooter);
    const lasted = performance.now() - begun;
    const lives = client.frames.filter(({ event, data }) => event === "live" && field(data, "text") !== "");
    expect(lives.length).toBeGreaterThan(1);
    expect(lives.length).toBeLessThanOrEqual(lasted / LIVE_EVERY + 2);
    for (const [index, { data }] of lives.entries()) {
      expect(pieces.join("").startsWith(field(data, "text"))).toBe(true);
      const earlier = lives[index - 1];
      if (earlier !== undefined)
        expect(field(data, "text").startsWith(field(earlier.data, "text"))).toBe(true);
    }
    client.cut();
  });

  it("that does not read is held to a bound, then caught up from where it was", async () => {
    const id = await rig.begin();
    const socket = connect(rig.port, "127.0.0.1");
    socket.write(
      `GET /api/conversations/${id}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    await new Promise((resolve) => {
      socket.once("data", resolve);
    });
    socket.pause();
    const long = "x".repeat(400_000);
    for (let index = 0; index < 12; index += 1) {
      rig.script.answer({ pieces: [`${index}:${long}`] });
      await say(id, `Say ${index}`);
      await untilIdle(id);
    }
    let text = "";
    socket.setEncoding("latin1");
    const done = new Promise<void>((resolve) => {
      socket.on("data", (chunk: string) => {
        text += chunk;
        if (text.slice(-200_000).includes("footer/12")) resolve();
      });
    });
    socket.resume();
    await done;
    socket.destroy();
    const ids = [...text.matchAll(/^id: (\S+)\r?\nevent: post/gm)].map(([, at]) => at);
    expect(new Set(ids).size).toBe(ids.length);
    for (let index = 0; index < 12; index += 1) expect(text).toContain(`"${index}:xxx`);
  });
});

/** Without reading the thread, which is long. */
const untilIdle = async (id: string): Promise<void> => {
  for (;;) {
    const listed = rig.bot.list(200, null).find(({ state }) => state.id === id);
    if (listed?.state.phase.kind === "idle") return;
    await new Promise(setImmediate);
  }
};
