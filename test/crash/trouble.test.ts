/** What platforms, moderators, clocks and operators do to a thread: the conversation goes on, or says why it cannot. */

import { describe, expect, it } from "vitest";
import { createStage } from "./platforms/stage.ts";

const DAY = 24 * 60 * 60_000;
const general = "CGENERAL";

type Stage = Awaited<ReturnType<typeof createStage>>;

const texts = (stage: Stage, root: string): string => stage.fake.threadAsText(general, root);

/** A stage with a thread in which one turn was answered. */
const answered = async (): Promise<readonly [Stage, string]> => {
  const stage = await createStage();
  const root = await stage.say("list");
  expect(texts(stage, root)).toContain("There are two files.");
  return [stage, root];
};

/** The last message of ours that holds the text, to be dealt with by a moderator. */
const messageWith = ({ fake }: Stage, root: string, text: string) => {
  const found = fake.world
    .thread(general, root)
    .find((one) => JSON.stringify(one.blocks ?? []).includes(text));
  if (found === undefined) throw new Error(`no message with ${text}`);
  return found;
};

describe("a thread", () => {
  it("in an archived channel rests, and gets all that it lacks when it is open again", async () => {
    const [stage, root] = await answered();
    const { conversation } = stage;
    stage.whisper("hello", root);
    stage.fake.admin.archive("general");
    const { bot } = stage.process();
    const speaker = { id: "slack:UALICE", mayDrive: true, mayApprove: true } as const;
    await bot.say({
      surface: "slack",
      id: "late",
      conversation: conversation(root),
      speaker,
      text: "hello",
      images: [],
    });
    await stage.rest();
    expect(stage.phase(root)).toBe("idle");
    expect(texts(stage, root)).not.toContain("Hello.");
    stage.fake.admin.unarchive("general");
    await stage.say("list", root);
    expect(texts(stage, root)).toMatch(/Hello\.\n[^]*There are two files\.\n/);
  });

  it("whose first message was deleted gets nothing in the channel beside it", async () => {
    const [stage, root] = await answered();
    const { fake } = stage;
    for (const message of fake.world.thread(general, root).toReversed()) fake.admin.moderate(message);
    const left = fake.world.message(general, root);
    if (left !== undefined) fake.world.remove(left);
    const { bot } = stage.process();
    const speaker = { id: "slack:UALICE", mayDrive: true, mayApprove: true } as const;
    const conversation = stage.conversation(root);
    await bot.say({ surface: "slack", id: "late", conversation, speaker, text: "hello", images: [] });
    await stage.rest();
    expect(stage.phase(root)).toBe("idle");
    expect(fake.world.messages(general)).toEqual([]);
  });

  it("from whose channel the app was removed rests, and gets all that it lacks when it is invited back", async () => {
    const [stage, root] = await answered();
    stage.fake.admin.expel("general");
    const before = stage.fake.calls.length;
    await stage.say("hello", root);
    expect(stage.phase(root)).toBe("idle");
    expect(texts(stage, root)).not.toContain("Hello.");
    expect(stage.fake.calls.length - before).toBeLessThanOrEqual(5);
    stage.fake.admin.invite("general");
    await stage.say("list", root);
    expect(texts(stage, root)).toMatch(/Hello\.\n[^]*There are two files\.\n/);
  });

  it("whose token was revoked is left alone, and the conversation stays whole in the store", async () => {
    const [stage, root] = await answered();
    stage.fake.revoke();
    const before = stage.fake.calls.length;
    await stage.say("hello", root);
    expect(stage.phase(root)).toBe("idle");
    const { store } = stage.process();
    expect(store.posts(stage.conversation(root), 0).at(-1)?.post.body.kind).toBe("turn");
    // The thread is read again now and then, in case it is open again (40.B); nothing is written.
    const writes = stage.fake.calls.slice(before).filter(({ method }) => method !== "conversations.replies");
    expect(writes.length).toBeLessThanOrEqual(2);
  });
});

describe("a platform that answers nonsense", () => {
  it.each([
    ["HTML", { kind: "nonsense", text: "<html><body>Bad gateway</body></html>" }],
    ["half of a JSON", { kind: "nonsense", text: '{"ok":true,"ts":"17' }],
    ["JSON of another shape", { kind: "nonsense", text: '{"ok":true}' }],
    ["nothing", { kind: "nonsense", text: "" }],
  ] as const)("%s: the message is looked for, and stands once", async (_, fault) => {
    const [stage, root] = await answered();
    stage.fake.fault(fault, { match: { method: "chat.postMessage" } });
    await stage.say("hello", root);
    expect(texts(stage, root).match(/Hello\./g)).toHaveLength(1);
  });

  it("a code that nobody knows: one post says that something is missing, and where it can be read", async () => {
    const [stage, root] = await answered();
    const error = { kind: "error", error: "flux_capacitor_missing" } as const;
    stage.fake.fault(error, { match: { method: "chat.postMessage", contains: "Hello." } });
    await stage.say("hello", root);
    expect(texts(stage, root)).toMatch(
      /Slack refused it \(flux_\u200bcapacitor_\u200bmissing\)\. The console displays it\./,
    );
    await stage.say("list", root);
    expect(texts(stage, root).match(/There are two files\./g)).toHaveLength(2);
  });
});

describe("a clock", () => {
  it.each([-DAY, DAY])("that jumps by %d ms changes nothing that people see", async (jump) => {
    const [stage, root] = await answered();
    stage.clock.jump(jump);
    await stage.say("change", root);
    await stage.click(root, "deny");
    await stage.say("hello", root);
    await stage.restart();
    await stage.say("list", root);
    expect(stage.phase(root)).toBe("idle");
    expect(texts(stage, root)).toMatch(
      /denied\* by[^]*Hello\.\n[^]*There are two files\.\n[^]*abc123[^\n]*\n\[Steps\][^\n]*(?:\n\[👍\] \[👎\])?\n$/,
    );
    expect(texts(stage, root)).not.toContain("I was restarted");
  });
});

describe("a moderator", () => {
  it("who deletes the question takes its buttons, not the conversation", async () => {
    const [stage, root] = await answered();
    await stage.say("change", root);
    stage.fake.admin.moderate(messageWith(stage, root, "Write access for this thread"));
    const { bot, store } = stage.process();
    const question = store.pendingQuestion(stage.conversation(root))?.wire ?? "";
    const by = { id: "slack:UALICE", mayDrive: true, mayApprove: true } as const;
    const decide = { kind: "decide", question, choice: "deny", by, comment: null } as const;
    expect(await bot.act(stage.conversation(root), decide)).toEqual({ kind: "done" });
    await stage.rest();
    await stage.say("hello", root);
    expect(texts(stage, root)).toMatch(/Hello\.\n/);
    expect(texts(stage, root)).not.toContain("Write access for this thread");
  });

  it("who deletes an answer is not answered by it again, not even after a restart", async () => {
    const [stage, root] = await answered();
    stage.fake.admin.moderate(messageWith(stage, root, "There are two files."));
    await stage.restart();
    await stage.say("hello", root);
    expect(texts(stage, root)).not.toContain("There are two files.");
    expect(texts(stage, root)).toContain("Hello.");
  });
});

describe("a database restored from yesterday's backup", () => {
  it("goes on: nothing answered is answered again, no lost button decides, and the next message is taken", async () => {
    const [stage, root] = await answered();
    await stage.process().drop();
    stage.backup();
    await stage.restart();
    await stage.say("hello", root);
    await stage.say("change", root);
    const before = texts(stage, root);
    await stage.restore();
    expect(texts(stage, root)).toBe(before);
    expect(await stage.click(root, "approve")).toBe("stale");
    expect(stage.phase(root)).toBe("idle");
    await stage.say("list", root);
    expect(texts(stage, root).match(/There are two files\./g)).toHaveLength(2);
    expect(texts(stage, root).match(/Hello\./g)).toHaveLength(1);
  });
});
