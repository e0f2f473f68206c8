/** D8: words that are taken back are gone wherever they were, and what the core decided replays the same. */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Speaker } from "../../../src/machine/vocabulary.ts";
import type { Claim } from "../../../src/ports/claims.ts";
import { createCut } from "../../../src/runtime/bot/erased-text.ts";
import { planErasure } from "../../../src/runtime/bot/erasure.ts";
import type { Proposal, StoredContent } from "../../../src/thread/prompt.ts";
import type { ErasureRequest } from "../../../src/ports/erasure.ts";
import { openStore } from "../../store/open-store.ts";
import { temporary } from "../../store/kit.ts";
import { replayAll } from "../../replay.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const SECRET = "The password of the staging server is hunter2-4711, do not tell anybody";

/** Quotes stand in brackets here. */
const forgetting = (source: string | null): ErasureRequest => ({
  by: "discord:moderation",
  meant: source === null ? { kind: "all" } : { kind: "message", source },
  cut: createCut((text) => {
    const taken = Array.from(text.matchAll(/\[(.*)\]/g), (found) => found[1] ?? "").filter((one) =>
      one.includes("hunter2"),
    );
    return { text: taken.reduce((left, one) => left.replace(`[${one}]`, "[gone]"), text), taken };
  }),
});

const say = (
  world: World,
  conversation: ConversationId,
  source: string,
  text: string,
  hash?: string,
  speaker: Speaker = operator,
  quoted = "",
) =>
  world.bot.say({
    surface: "discord",
    id: `message/1/${source}`,
    conversation,
    speaker,
    text: `${quoted}${text}`,
    ...(quoted === "" ? {} : { own: { brought: quoted.length, said: quoted.length } }),
    images: hash === undefined ? [] : [{ hash, mediaType: "image/png" }],
    source,
  });

const idle = (world: World, id: ConversationId) =>
  expect.poll(async () => (await world.bot.read(id))?.state.phase.kind).toBe("idle");

const asks = (world: World, id: ConversationId) =>
  expect.poll(async () => (await world.bot.read(id))?.state.phase.kind).toBe("awaitingApproval");

const everything = (world: World, id: ConversationId): string =>
  JSON.stringify([...world.store.allWords(id), world.store.claims(id), world.store.load(id)]);

describe("a message that was deleted", () => {
  it("is gone from transcript, quotations, answers, calls, results, claims and title; the rest stays", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "10", SECRET, "hash1");
    (await world.nextModel()).answer(
      toolAnswer({ id: "t1", name: "bash", input: { command: "ssh -p hunter2-4711 staging" } }),
    );
    (await world.nextTool()).answer(toolResult("logged in with hunter2-4711"));
    (await world.nextModel()).answer(textAnswer(`You wrote: ${SECRET}. It works.`));
    await idle(world, id);
    await say(world, id, "11", `[${SECRET}] And now?`);
    (await world.nextModel()).answer(textAnswer("Now all is well."));
    await idle(world, id);
    expect(everything(world, id)).toContain("hunter2");

    expect(await world.bot.forget(id, forgetting("10"))).toEqual({ kind: "done" });
    expect(everything(world, id)).not.toContain("hunter2");
    expect(everything(world, id)).not.toContain("do not tell");
    expect(world.removed).toEqual(["hash1"]);
    await say(world, id, "12", "Go on");
    const { request } = await world.nextModel();
    const told = JSON.stringify(request.messages);
    expect(told).toMatch(/\[erased\].*\[deleted\].*It works.*\[gone\] And now\?.*Now all is well.*Go on/);
    expect(told).not.toContain("hunter2");
    expect(replayAll(world.store)).toBeGreaterThan(8);
  });

  it("D53 is gone where it answered a question of the agent, from the card and from later requests", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "10", "Set the server up");
    (await world.nextModel()).answer(
      toolAnswer({ id: "t1", name: "ask_person", input: { question: "Which password?" } }),
    );
    await asks(world, id);
    await say(world, id, "11", SECRET);
    const { request, answer } = await world.nextModel();
    expect(JSON.stringify(request.messages)).toContain("hunter2");
    answer(textAnswer("Done."));
    await idle(world, id);
    expect(await world.bot.forget(id, forgetting("11"))).toEqual({ kind: "done" });
    expect(everything(world, id)).not.toContain("hunter2");
    await say(world, id, "12", "Go on");
    const later = JSON.stringify((await world.nextModel()).request.messages);
    expect(later).toMatch(/answers in writing:[^,]*\[erased\]/);
    expect(replayAll(world.store)).toBeGreaterThan(5);
  });

  it("stops the turn that works with it, and begins none with it", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "10", SECRET);
    const asked = await world.nextModel();
    const done = world.bot.forget(id, forgetting("10"));
    expect(await done).toEqual({ kind: "done" });
    expect(asked.signal.aborted).toBe(true);
    const notices = world.bot.posts(id, 0).map(({ post }) => post.body);
    expect(notices).toContainEqual(
      expect.objectContaining({ notice: expect.objectContaining({ kind: "stopped", why: "erased" }) }),
    );
    expect(everything(world, id)).not.toContain("hunter2");
  });

  it("stops a running tool first, and a message that waits is not begun before the words are gone", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "10", SECRET);
    (await world.nextModel()).answer(toolAnswer({ id: "t1", name: "bash", input: {} }));
    const tool = await world.nextTool();
    const done = world.bot.forget(id, forgetting("10"));
    await expect.poll(() => tool.signal.aborted).toBe(true);
    tool.answer(toolResult("hunter2-4711"));
    const next = say(world, id, "11", "Go on");
    expect(await done).toEqual({ kind: "done" });
    await next;
    expect(everything(world, id)).not.toContain("hunter2");
  });

  it("twice, or one that nobody told the agent of, changes nothing", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "10", SECRET);
    (await world.nextModel()).answer(textAnswer("Thank you."));
    await idle(world, id);
    const before = everything(world, id);
    expect(await world.bot.forget(id, forgetting("99"))).toMatchObject({ kind: "refused", why: "no_op" });
    expect(everything(world, id)).toBe(before);
    await world.bot.forget(id, forgetting("10"));
    expect(await world.bot.forget(id, forgetting("10"))).toMatchObject({ kind: "refused", why: "no_op" });
  });

  it("refused while the agent worked is sent by no Stop and send, and its pictures and files are removed", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "9", "Hello");
    await world.nextModel();
    await say(world, id, "10", SECRET, "hash10");
    const key = { surface: "discord", id: "message/1/10" };
    expect(world.bot.refusedClaim(key)?.text).toBe(SECRET);
    await world.bot.forget(id, forgetting("10"));
    expect(world.bot.refusedClaim(key)).toBeNull();
    expect(world.removed).toEqual(["hash10"]);
  });

  it("does not end another person's turn if no request contains it: refused, waiting or added", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "9", "Hello");
    const asked = await world.nextModel();
    const later = async (source: string, kind: "add" | "queue") => {
      const text = `Secret ${source} of this server is hunter2-${source}`;
      await say(world, id, source, text);
      const claim = { surface: "discord", id: `message/1/${source}` };
      const message = { text, images: [], speaker: operator, claim };
      expect(await world.bot.act(id, { kind, ...message })).toEqual({ kind: "done" });
    };
    await say(world, id, "10", SECRET);
    await later("11", "add");
    await later("12", "queue");
    for (const source of ["10", "11", "12"])
      expect(await world.bot.forget(id, forgetting(source))).toEqual({ kind: "done" });
    expect(asked.signal.aborted).toBe(false);
    expect(everything(world, id)).not.toContain("hunter2");
    asked.answer(textAnswer("Good morning."));
    await idle(world, id);
    expect((await world.bot.read(id))?.state).toMatchObject({ turn: { no: 1, end: { why: "answered" } } });
    expect(replayAll(world.store)).toBeGreaterThan(5);
  });

  it("ends the turn once a request contains the added message", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "9", "Hello");
    const first = await world.nextModel();
    await say(world, id, "10", SECRET);
    const claim = { surface: "discord", id: "message/1/10" };
    await world.bot.act(id, { kind: "add", text: SECRET, images: [], speaker: operator, claim });
    first.answer(textAnswer("Good morning."));
    const second = await world.nextModel();
    expect(JSON.stringify(second.request.messages)).toContain("hunter2");
    expect(await world.bot.forget(id, forgetting("10"))).toEqual({ kind: "done" });
    expect(second.signal.aborted).toBe(true);
    expect(everything(world, id)).not.toContain("hunter2");
  });

  it("and with its thread, all that the conversation holds", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "10", SECRET);
    (await world.nextModel()).answer(textAnswer("It is a fine server."));
    await idle(world, id);
    expect(await world.bot.forget(id, forgetting(null))).toEqual({ kind: "done" });
    expect(everything(world, id)).not.toMatch(/hunter2|fine server/);
  });
});

it("what is erased is in no file of the database, nor in its log", async () => {
  const directory = temporary();
  const opened = openStore(directory);
  if (opened.kind === "failed") throw new Error(opened.message);
  const world = createWorld({ store: opened.store });
  const id = await world.begin();
  await opened.chat.arrive("discord", [{ id: "a", lane: "l", at: 1, body: { text: SECRET } }]);
  await opened.chat.settle("discord", "a");
  await say(world, id, "10", SECRET);
  (await world.nextModel()).answer(textAnswer(`It is hunter2-4711.`));
  await idle(world, id);
  const held = (): boolean =>
    readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes("hunter2"));
  expect(held()).toBe(true);
  // Whoever reads meanwhile, as a backup does, keeps the log as it is: the next write empties it.
  const reader = new Database(join(directory, "parley.sqlite"), { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM messages").get();
  await world.bot.forget(id, forgetting("10"));
  expect(held()).toBe(true);
  reader.close();
  await opened.notes.setNote("looked", "now");
  expect(held()).toBe(false);
  await opened.store.close();
});

describe("40.A4 every feature that stores words", () => {
  const speaker: Speaker = { ...operator, id: "slack:U1", name: "Ann" };
  const claim: Claim = {
    surface: "discord",
    id: "message/1/10",
    conversation: "c-1",
    speaker,
    text: SECRET,
    images: [],
    source: "10",
    at: 1,
  };
  const sha = "a".repeat(40);
  const proposal: Proposal = {
    project: "acme/shop",
    facts: [{ name: "branch", value: `fix/${SECRET}` }],
    files: [{ path: "docs/hunter2-4711.md", from: "docs/hunter2-4711.txt", added: 1, removed: 0 }],
    unlisted: 0,
    texts: [{ name: "Title", text: SECRET }],
    draft: {
      tree: sha,
      base: sha,
      added: 1,
      removed: 0,
      diff: `+++ b/a.txt\n+${SECRET}\n`,
      isDiffCut: false,
      delicate: [{ why: "lock", path: "hunter2-4711.lock" }],
      test: { command: "grep hunter2-4711 .", status: 0, tail: `found: ${SECRET}`, seconds: 1 },
      commits: [{ title: SECRET, tree: sha }],
      moved: { ref: "main", count: 1, titles: [SECRET], merges: true },
    },
  };
  const citation = { from: 0, to: 0, status: "found", file: null } as const;
  const stored: Readonly<Record<string, StoredContent>> = {
    "m-said": { kind: "said", text: SECRET, images: [] },
    "m-proposal": { kind: "proposal", proposal },
    "m-answer": {
      kind: "answer",
      blocks: [{ kind: "text", text: `It is hunter2-4711, see below.` }],
      citations: [
        { ...citation, path: "https://docs.example/a", quote: SECRET },
        { ...citation, path: "src/a.ts", from: 1, to: 2 },
      ],
      links: ["https://forge.example/?q=hunter2-4711", "https://forge.example/"],
    },
    "m-comment": { kind: "comment", text: SECRET },
    "m-result": {
      kind: "result",
      text: SECRET,
      images: [],
      diff: SECRET,
      note: { id: "note", text: SECRET, isAboutRepo: false, state: "open" },
    },
    "m-dangers": {
      kind: "dangers",
      dangers: [{ category: "EXEC_ARBITRARY", what: SECRET, why: SECRET, risk: SECRET, changes: [SECRET] }],
    },
  };

  const left = (source: string): ReadonlyMap<string, StoredContent> | null => {
    const store: Parameters<typeof planErasure>[0] = {
      allWords: () =>
        new Map(Object.entries(stored).map(([id, words]) => [`m-${id.slice(2)}` as const, words])),
      claims: () => [{ claim, message: "m-said" }],
    };
    const plan = planErasure(store, { id: "c-1", title: "x" }, forgetting(source), []);
    return plan === null ? null : new Map(plan.erasure.words.map(({ id, words }) => [id, words]));
  };

  it("holds nothing of a message that was deleted, and what a click is compared with stays", () => {
    const words = left("10");
    expect([...(words?.keys() ?? [])].toSorted()).toEqual(Object.keys(stored).toSorted());
    expect(JSON.stringify([...(words ?? [])])).not.toMatch(/hunter2|do not tell/);
    expect(words?.get("m-proposal")).toMatchObject({
      proposal: {
        project: "acme/shop",
        draft: { tree: sha, base: sha, test: { status: 0 }, delicate: [{ why: "lock" }] },
      },
    });
    expect(words?.get("m-answer")).toMatchObject({
      citations: [{ path: "src/a.ts" }],
      links: ["https://forge.example/"],
    });
  });

  it("is left as it is if another message is deleted", () => {
    expect(left("11")).toBeNull();
  });

  it("among them an answer that another conversation was given again: it goes there, and nothing else does", async () => {
    const words: StoredContent & { kind: "answer" } = {
      kind: "answer",
      blocks: [{ kind: "text", text: `The port is 80. You wrote: ${SECRET}.` }],
    };
    let first: ConversationId | null = null;
    const world = createWorld({
      reuse: {
        find: ({ id }) =>
          Promise.resolve(
            first === null || id === first ? null : { conversation: first, message: "m-old", at: 0, words },
          ),
        similar: () => Promise.resolve([]),
      },
    });
    const id = await world.begin();
    await say(world, id, "10", SECRET);
    (await world.nextModel()).answer(textAnswer(`The port is 80. You wrote: ${SECRET}.`));
    await idle(world, id);
    first = id;
    const other = await world.begin();
    await say(world, other, "20", "How do I change the port of the worker?");
    await idle(world, other);
    expect(everything(world, other)).toContain("hunter2");
    expect(world.store.repeats(id)).toEqual([other]);

    expect(await world.bot.forget(id, forgetting("10"))).toEqual({ kind: "done" });
    expect(everything(world, other)).not.toMatch(/hunter2|do not tell/);
    expect(everything(world, other)).toContain("The port is 80");
    expect(everything(world, other)).toContain("How do I change the port of the worker?");
  });
});

describe("a person who is forgotten", () => {
  const ann: Speaker = { ...operator, id: "slack:U1", name: "Ann" };
  const quoted = `<untrusted-quote author="Ann" time="2026-11-21T10:00:00.000Z">\n| ${SECRET}\n</untrusted-quote>`;
  const request = { by: operator.id, person: ann.id, names: [] };

  it("is gone from their messages, their comments, others' quotes of them and what repeats them, in every conversation", async () => {
    const world = createWorld();
    const own = await world.begin();
    await say(world, own, "1", `${SECRET}. Change it`, undefined, ann);
    (await world.nextModel()).answer(
      toolAnswer({ id: "t1", name: "request_mode_upgrade", input: { reason: "To change it." } }),
    );
    await asks(world, own);
    const question = world.store.pendingQuestion(own)?.wire ?? "";
    const comment = "no, mallory-9 knows it already";
    await world.bot.act(own, { kind: "decide", question, choice: "deny", by: ann, comment });
    (await world.nextModel()).answer(textAnswer("Then mallory-9 may keep hunter2-4711."));
    await idle(world, own);
    const other = await world.begin();
    await say(world, other, "2", "What does she mean?", undefined, operator, `${quoted}\n\n`);
    (await world.nextModel()).answer(textAnswer("She means the staging server."));
    await idle(world, other);
    const untouched = await world.begin();
    await say(world, untouched, "3", "Something else");
    (await world.nextModel()).answer(textAnswer("Yes."));
    await idle(world, untouched);
    const before = everything(world, untouched);
    for (const id of [own, other]) expect(everything(world, id)).toContain("hunter2");

    expect(await world.bot.forgetPerson(request)).toEqual({
      kind: "done",
      conversations: 2,
      channels: 0,
      names: ["Ann"],
    });
    for (const id of [own, other]) {
      expect(everything(world, id)).not.toMatch(/hunter2|do not tell|mallory/);
      expect(everything(world, id)).not.toContain('author=\\"Ann');
    }
    expect(everything(world, other)).toContain("What does she mean?");
    expect(everything(world, untouched)).toBe(before);
    expect(replayAll(world.store)).toBeGreaterThan(8);
    expect(await world.bot.forgetPerson(request)).toMatchObject({ conversations: 0 });
  });

  it("is gone from answers in the form of a question, which no message contains", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "1", "Set the server up");
    (await world.nextModel()).answer(
      toolAnswer({ id: "t1", name: "ask_person", input: { question: "Which password?" } }),
    );
    await asks(world, id);
    const question = world.store.pendingQuestion(id)?.wire ?? "";
    await world.bot.act(id, { kind: "decide", question, choice: "reply", by: ann, comment: SECRET });
    (await world.nextModel()).answer(textAnswer("Done."));
    await idle(world, id);
    expect(everything(world, id)).toContain("hunter2");
    await world.bot.forgetPerson(request);
    expect(everything(world, id)).not.toContain("hunter2");
    expect(everything(world, id)).toContain("Set the server up");
    expect(await world.bot.forgetPerson(request)).toMatchObject({ conversations: 0 });
  });

  it("somebody else's messages stay, also where the names are alike", async () => {
    const world = createWorld();
    const id = await world.begin();
    await say(world, id, "1", "Anna says hello to everybody here");
    (await world.nextModel()).answer(textAnswer("Hello."));
    await idle(world, id);
    const before = everything(world, id);
    expect(await world.bot.forgetPerson({ ...request, names: ["Ann"] })).toMatchObject({ conversations: 0 });
    expect(everything(world, id)).toBe(before);
  });
});
