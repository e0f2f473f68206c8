/** The same as `trouble` on Discord: the conversation goes on, or says in one clear post why it cannot. */

import { describe, expect, it } from "vitest";
import { createDiscordStage } from "./stage.ts";

const DAY = 24 * 60 * 60_000;
const SEND = "POST /channels/{channel}/messages";

type Stage = Awaited<ReturnType<typeof createDiscordStage>>;

/** A stage with a thread in which one turn was answered. */
const answered = async (): Promise<readonly [Stage, string]> => {
  const stage = await createDiscordStage();
  const root = await stage.say("list");
  expect(stage.text(root)).toContain("There are two files.");
  return [stage, root];
};

/** Alice, who may approve. */
const by = ({ fake }: Stage) =>
  ({ id: `discord:${fake.as("alice").id}`, mayDrive: true, mayApprove: true }) as const;

/** She says it where the thread does not take it: in the console, say. */
const sayElsewhere = async (stage: Stage, root: string, text: string): Promise<void> => {
  const speaker = by(stage);
  const conversation = stage.conversation(root);
  await stage
    .process()
    .bot.say({ surface: "discord", id: `late ${text}`, conversation, speaker, text, images: [] });
  await stage.rest();
};

/** A moderator deletes our last message that holds the text. */
const moderate = ({ fake }: Stage, root: string, text: string): void => {
  const found = fake.world
    .messages(root)
    .findLast(
      (one) =>
        one.author === fake.world.app.bot && JSON.stringify([one.content, one.components]).includes(text),
    );
  if (found === undefined) throw new Error(`no message with ${text}`);
  fake.admin.purge(root, [found.id]);
};

/** The thread as moderators leave it, without an event of the gateway. */
const put = ({ fake }: Stage, root: string, change: { archived: boolean; locked: boolean }): void => {
  const thread = fake.world.channels.get(root);
  if (thread?.kind !== "thread") throw new Error("no such thread");
  fake.world.channels.set(root, { ...thread, ...change });
};

describe("a thread on Discord", () => {
  it("that was archived is opened by the next answer", async () => {
    const [stage, root] = await answered();
    put(stage, root, { archived: true, locked: false });
    await stage.say("hello", root);
    expect(stage.text(root)).toMatch(/Hello\.\n/);
    expect(stage.phase(root)).toBe("idle");
  });

  it("that was locked rests, and gets all that it lacks when it is open again", async () => {
    const [stage, root] = await answered();
    put(stage, root, { archived: true, locked: true });
    await sayElsewhere(stage, root, "hello");
    expect(stage.phase(root)).toBe("idle");
    expect(stage.text(root)).not.toContain("Hello.");
    put(stage, root, { archived: false, locked: false });
    await stage.say("list", root);
    expect(stage.text(root)).toMatch(/Hello\.\n[^]*There are two files\.\n/);
  });

  it("that was deleted is not opened again, and nothing is said in the channel beside it", async () => {
    const [stage, root] = await answered();
    const { fake } = stage;
    const channel = fake.world.channelNamed("general").id;
    const before = fake.asText(channel);
    const threads = fake.world.channels.size;
    const { phase } = stage;
    fake.admin.deleteThread(root);
    await sayElsewhere(stage, root, "hello");
    expect(phase(root)).toBe("idle");
    expect(fake.world.channels.size).toBe(threads - 1);
    expect(fake.asText(channel)).toBe(before);
  });

  it("in which the right to write was taken away rests, and gets all that it lacks when it is given back", async () => {
    const [stage, root] = await answered();
    stage.fake.admin.overwrite("general", "parley", { deny: ["SendMessagesInThreads"] });
    const calls = stage.fake.calls.length;
    await stage.say("hello", root);
    expect(stage.phase(root)).toBe("idle");
    expect(stage.text(root)).not.toContain("Hello.");
    expect(stage.fake.calls.length - calls).toBeLessThan(16);
    stage.fake.admin.overwrite("general", "parley", { allow: ["SendMessagesInThreads"] });
    await stage.say("list", root);
    expect(stage.text(root)).toMatch(/Hello\.\n[^]*There are two files\.\n/);
  });

  it("whose token was reset is left alone, and the conversation stays whole in the store", async () => {
    const [stage, root] = await answered();
    stage.fake.revoke();
    const before = stage.fake.calls.length;
    await stage.say("hello", root);
    expect(stage.phase(root)).toBe("idle");
    const { store } = stage.process();
    expect(store.posts(stage.conversation(root), 0).at(-1)?.post.body.kind).toBe("turn");
    // The thread is read again now and then, in case it is open again (40.B); nothing is written.
    const writes = stage.fake.calls.slice(before).filter(({ route }) => !route.startsWith("GET "));
    expect(writes.length).toBeLessThanOrEqual(2);
  });
});

describe("Discord answering nonsense", () => {
  it.each([
    ["HTML", { kind: "nonsense", text: "<html><body>Bad gateway</body></html>" }],
    ["half of a JSON", { kind: "nonsense", text: '{"id":"17' }],
    ["JSON of another shape", { kind: "nonsense", text: '{"id":17}' }],
    ["nothing", { kind: "nonsense", text: "" }],
  ] as const)("%s: the message is looked for, and stands once", async (_, fault) => {
    const [stage, root] = await answered();
    stage.fake.fault(fault, { match: { route: SEND } });
    await stage.say("hello", root);
    expect(stage.text(root).match(/Hello\./g)).toHaveLength(1);
  });

  it("a code that nobody knows: one post says that something is missing, and where it can be read", async () => {
    const [stage, root] = await answered();
    const message = "The flux capacitor\u200b is **missing**";
    const error = { kind: "error", status: 400, code: 999_999, message } as const;
    stage.fake.fault(error, { times: 2, match: { route: SEND, contains: "Hello." } });
    await stage.say("hello", root);
    const told = stage.text(root);
    expect(told.match(/Discord refused it/g)).toHaveLength(1);
    expect(told).toContain(
      "The flux capacitor\\[U+200B\\] is \\*\\*missing\\*\\* (999999)). The console displays it.",
    );
    await stage.say("list", root);
    expect(stage.text(root).match(/There are two files\./g)).toHaveLength(2);
  });
});

describe("a clock beside Discord's", () => {
  it.each([-DAY, DAY])("that jumps by %d ms changes nothing that people see", async (jump) => {
    const [stage, root] = await answered();
    stage.clock.jump(jump);
    await stage.say("change", root);
    await stage.click(root, "deny");
    await stage.say("hello", root);
    await stage.restart();
    await stage.say("list", root);
    expect(stage.phase(root)).toBe("idle");
    expect(stage.text(root)).toMatch(/denied[^]*Hello\.\n[^]*There are two files\.\n/);
    expect(stage.text(root)).not.toContain("I was restarted");
  });
});

describe("a moderator on Discord", () => {
  it("who deletes the question takes its buttons, not the conversation", async () => {
    const [stage, root] = await answered();
    await stage.say("change", root);
    moderate(stage, root, "Write access for this thread");
    const { bot, store } = stage.process();
    const conversation = stage.conversation(root);
    const question = store.pendingQuestion(conversation)?.wire ?? "";
    const decide = { kind: "decide", question, choice: "deny", by: by(stage), comment: null } as const;
    expect(await bot.act(conversation, decide)).toEqual({ kind: "done" });
    await stage.rest();
    await stage.say("hello", root);
    expect(stage.text(root)).toMatch(/Hello\.\n/);
    expect(stage.text(root)).not.toContain("Write access for this thread");
  });

  it("who deletes an answer is not answered by it again, not even after a restart", async () => {
    const [stage, root] = await answered();
    moderate(stage, root, "There are two files.");
    await stage.restart();
    await stage.say("hello", root);
    expect(stage.text(root)).not.toContain("There are two files.");
    expect(stage.text(root)).toContain("Hello.");
  });
});
