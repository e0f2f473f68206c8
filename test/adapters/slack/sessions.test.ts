/** WS14 A turn as an agent session, in a whole process: Slack's Stop, cards, titles, archiving; D59 apps from before. */

import { describe, expect, it, vi } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { inPieces, OFTEN } from "../rig.ts";
import { LEGACY_APP } from "./legacy-manifest.ts";
import { createRig, type RigOptions, type SlackRig } from "./rig.ts";

const SET = "agents.sessions.setStatus";

interface Root {
  readonly channel: string;
  readonly ts: string;
}

const sessionOf = ({ fake }: SlackRig, { channel, ts }: Root) => fake.session(channel, ts);

const shows = (rig: SlackRig, root: Root, status: string): Promise<void> =>
  vi.waitFor(() => expect(sessionOf(rig, root)?.status).toBe(status), OFTEN);

/** The statuses that the thread went through, each once in a row. */
const wayOf = (rig: SlackRig, root: Root): readonly string[] =>
  (sessionOf(rig, root)?.history ?? [])
    .map(({ status }) => status)
    .filter((status, at, all) => status !== all[at - 1]);

const settled = async (rig: SlackRig): Promise<void> => {
  await rig.fake.settled();
  await vi.waitFor(() => expect(rig.ledger.behind("slack")).toEqual([]), OFTEN);
  expect(rig.fake.violations).toEqual([]);
};

const hanging = (_messages: readonly PromptMessage[], no: number, signal: AbortSignal) =>
  no === 1
    ? new Promise<ModelOutcome>((resolve) => {
        signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
      })
    : textAnswer(`Answer ${no}.`);

const asksForUpgrade = (messages: readonly PromptMessage[]): ModelOutcome => {
  const result = (messages.at(-1)?.content ?? []).find((block) => block.kind === "toolResult");
  if (result !== undefined) return textAnswer(result.isError ? "Then I leave it." : "Fixed.");
  return toolAnswer({ name: "request_mode_upgrade", input: { reason: "to fix the test" } });
};

const working = async (options: RigOptions = {}) => {
  const rig = await createRig({ answer: hanging, ...options });
  const root = rig.fake.as("bob").say("@parley api: think", { channel: "general" });
  await vi.waitFor(() => expect(rig.asked).toHaveLength(1), OFTEN);
  return { rig, root };
};

it("a turn is processing until its answer, in the name of its requester and under the conversation's title", async () => {
  const { rig, root } = await working();
  await shows(rig, root, "processing");
  await vi.waitFor(() =>
    expect(sessionOf(rig, root)).toMatchObject({ title: "api: think", initiator: "UBOB" }),
  );
  rig.fake.as("bob").say("stop", { channel: "general", thread: root.ts });
  await rig.thread(root, /Stopped by/);
  await shows(rig, root, "active");
  rig.fake.as("bob").say("and now?", { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer 2/);
  await settled(rig);
  await shows(rig, root, "active");
});

it.each([
  ["a short answer", {}],
  ["a streamed answer", { stream: inPieces("It is in src/config.ts, which reads it. ".repeat(40), 80, 5) }],
] satisfies readonly (readonly [string, RigOptions])[])(
  "%s ends the session's work once, whatever Slack makes of the stream and the status line",
  async (_, options) => {
    const rig = await createRig(options);
    const root = rig.fake.as("bob").say("@parley where is it?", { channel: "general" });
    await rig.thread(root, /Restricted ·/);
    await settled(rig);
    await shows(rig, root, "active");
    expect(wayOf(rig, root)).toEqual(["processing", "active"]);
  },
);

it("a card that waits for a person suspends the session; the decision resumes it", async () => {
  const rig = await createRig({ answer: asksForUpgrade });
  const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
  await rig.thread(root, /\[Approve\] \[Deny\]/);
  await settled(rig);
  await shows(rig, root, "suspended");
  const card = rig.fake.world
    .thread(root.channel, root.ts)
    .find(({ blocks }) => JSON.stringify(blocks ?? []).includes("parley_approve"));
  rig.fake.as("alice").click({ channel: root.channel, ts: card?.ts ?? "" }, "Deny");
  await rig.thread(root, /Then I leave it\./);
  await settled(rig);
  await shows(rig, root, "active");
  expect(wayOf(rig, root)).toEqual(["processing", "suspended", "processing", "active"]);
});

it("a card below streamed words suspends the session too", async () => {
  let isTold = false;
  const rig = await createRig({
    stream: async (text) => {
      if (isTold) return;
      isTold = true;
      await inPieces("I looked at the test, and it needs another line. ".repeat(30), 80, 5)(text);
    },
    answer: (messages) => {
      const outcome = asksForUpgrade(messages);
      if (outcome.kind !== "answered" || outcome.blocks.every(({ kind }) => kind === "text")) return outcome;
      const text = "I looked at the test, and it needs another line. ".repeat(30);
      return { ...outcome, blocks: [{ kind: "text", text }, ...outcome.blocks] };
    },
  });
  const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
  await rig.thread(root, /\[Approve\] \[Deny\]/);
  await settled(rig);
  await shows(rig, root, "suspended");
});

describe("Slack's own Stop", () => {
  it("ends the turn, and the session is active before Slack is asked for anything else", async () => {
    const { rig, root } = await working();
    const { fake } = rig;
    await shows(rig, root, "processing");
    // Slack answers nothing but sessions until the gate opens.
    const gate = fake.gate();
    fake.fault(
      { kind: "wait", gate: gate.gate },
      { times: 100, match: ({ method }) => !method.startsWith("agents.sessions.") },
    );
    fake.as("carol").stopSession(root);
    await shows(rig, root, "active");
    gate.open();
    await rig.thread(root, /Stopped by/);
    await settled(rig);
    expect(sessionOf(rig, root)?.status).toBe("active");
    expect(wayOf(rig, root)).toEqual(["processing", "active"]);
  });

  it("reads nothing of the thread, which the event names", async () => {
    const { rig, root } = await working();
    await shows(rig, root, "processing");
    rig.fake.fault(
      { kind: "stall", applied: false },
      { times: 100, match: { method: "conversations.replies" } },
    );
    rig.fake.as("bob").stopSession(root);
    await rig.thread(root, /Stopped by/);
    await shows(rig, root, "active");
  });

  it("during a streamed answer ends the stream and the turn once", async () => {
    const rig = await createRig({
      stream: inPieces("It is in src/config.ts, which reads it. ".repeat(400), 80, 20),
    });
    const root = rig.fake.as("bob").say("@parley where is it?", { channel: "general" });
    await rig.thread(root, /\(streaming\)/);
    rig.fake.as("bob").stopSession(root);
    const text = await rig.thread(root, /Stopped by/);
    expect(text.match(/Stopped by/g)).toHaveLength(1);
    await settled(rig);
    await shows(rig, root, "active");
  });

  it("after the turn's end changes nothing but the session", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say("@parley where is it?", { channel: "general" });
    const text = await rig.thread(root, /Restricted ·/);
    await settled(rig);
    await shows(rig, root, "active");
    rig.fake.setSession(root.channel, root.ts, "processing");
    rig.fake.as("bob").stopSession(root);
    await shows(rig, root, "active");
    await settled(rig);
    expect(await rig.thread(root, /Restricted ·/)).toBe(text);
  });
});

it("archiving closes the session, renaming renames it, and a later message opens it again", async () => {
  const rig = await createRig();
  const root = rig.fake.as("bob").say("@parley where is it?", { channel: "general" });
  await rig.thread(root, /Answer 1[^]*Restricted ·/);
  await settled(rig);
  const id = rig.ledger.find("slack", root.channel, root.ts)?.conversation ?? "c-none";
  await rig.bot.rename(id, "Config: where", "console:operator");
  await vi.waitFor(() => expect(sessionOf(rig, root)?.title).toBe("Config: where"), OFTEN);
  await rig.bot.archive(id, true, "console:operator");
  await shows(rig, root, "closed");
  rig.fake.as("bob").say("and the log?", { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer 2/);
  await shows(rig, root, "active");
  await settled(rig);
});

it("a process that ends during a turn leaves no session at work", async () => {
  const { rig, root } = await working();
  await shows(rig, root, "processing");
  await rig.close();
  expect(sessionOf(rig, root)?.status).toBe("active");
  const later = await rig.restart();
  await later.thread(root, /restarted/);
  await settled(later);
  expect(sessionOf(later, root)?.status).toBe("active");
});

it("a turn whose process was killed is no session at work for the next one", async () => {
  const { rig, root } = await working();
  await shows(rig, root, "processing");
  // The first process does nothing from now on, as if it were killed.
  const next = await createRig({ on: rig.fake, opened: rig.opened, bound: [] });
  await next.thread(root, /restarted/);
  await shows(next, root, "active");
});

it.each([
  ["D59 an app from before agents", LEGACY_APP],
  ["an app without any agent feature", { appKind: "plain" }],
] as const)("%s shows its work in the status line, and is asked for a session once", async (_, fake) => {
  const { rig, root } = await working({ fake });
  await vi.waitFor(
    () => expect(rig.fake.thread(root.channel, root.ts).status, rig.logged.join("\n")).not.toBe(""),
    OFTEN,
  );
  rig.fake.as("carol").react(root, "x");
  await rig.thread(root, /Stopped by/);
  rig.fake.as("bob").say("and now?", { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer 2/);
  await settled(rig);
  expect(rig.fake.calls.filter(({ method }) => method === SET)).toHaveLength(1);
  expect(rig.fake.thread(root.channel, root.ts).status).toBe("");
});
