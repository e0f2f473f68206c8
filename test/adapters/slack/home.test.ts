/** The Home tab: what waits for a person, what runs in their channels, and clicks that obey the rules of the thread. */

import { describe, expect, it, vi } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { askIntent } from "../../threads/asking.ts";
import { OFTEN } from "../rig.ts";
import { createRig, type RigOptions, type SlackRig } from "./rig.ts";

const asksForUpgrade = (messages: readonly PromptMessage[]): ModelOutcome => {
  const last = messages.at(-1)?.content ?? [];
  const result = last.find((block) => block.kind === "toolResult");
  if (result === undefined)
    return toolAnswer({ name: "request_mode_upgrade", input: { reason: "to fix the test" } });
  return textAnswer(result.isError ? "Then I leave it." : "Fixed.");
};

const asking = async (options: RigOptions = {}, channel = "general", card = /\[Approve\] \[Deny\]/) => {
  const rig = await createRig({ answer: asksForUpgrade, ...options });
  const root = rig.fake.as("bob").say("@parley fix it", { channel });
  await rig.thread(root, card);
  return { rig, root };
};

const home = (rig: SlackRig, name: string, wanted: RegExp): Promise<string> =>
  vi.waitFor(() => {
    const text = rig.fake.as(name).home();
    expect(text).toMatch(wanted);
    return text;
  }, OFTEN);

/** Opens the tab, and waits for the page. */
const open = async (rig: SlackRig, name: string, wanted = /How to ask/): Promise<string> => {
  rig.fake.as(name).openHome();
  return home(rig, name, wanted);
};

const settled = async (rig: SlackRig): Promise<void> => {
  await rig.fake.settled();
  expect(rig.fake.violations).toEqual([]);
};

describe("what waits", () => {
  it("an approver reads the card as in the thread, with its buttons; a member reads none", async () => {
    const { rig } = await asking();
    const text = await open(rig, "alice");
    expect(text).toMatch(
      /Waiting for your decision\n\*Write access for this thread\?\*[^]*to fix the test[^]*Requested by @bob[^]*\[Approve\] \[Deny\] \[Deny, and say why\]/,
    );
    expect(text).toContain("|Open the thread>");
    expect(text).not.toContain("[Steps]");
    const other = await open(rig, "carol");
    expect(other).toContain("Nothing waits for your decision.");
    expect(other).not.toMatch(/Approve|fix the test/);
    await settled(rig);
  });

  it("D53 the agent's question waits for the requester alone, who answers it here", async () => {
    const question = { question: "Which cache?", choices: ["In memory", "Redis"] };
    const { rig, root } = await asking(
      {
        tools: { intent: askIntent },
        answer: (messages) =>
          JSON.stringify(messages).includes("chooses answer 2")
            ? textAnswer("Then Redis.")
            : toolAnswer({ name: "ask_person", input: question }),
      },
      "general",
      /\[Redis\]/,
    );
    const text = await open(rig, "bob", /Which cache\?/);
    expect(text).toMatch(/\*A question for @bob\*[^]*\[In memory\] \[Redis\] \[Other …\]/);
    expect(await open(rig, "alice")).toContain("Nothing waits for your decision.");
    rig.fake.as("bob").pressHome("Redis");
    await rig.thread(root, /Answered\* by @bob[^]*Then Redis\./);
    await home(rig, "bob", /Nothing waits for your decision/);
    await settled(rig);
  });

  it("a private channel's card is shown to its members alone", async () => {
    const users = [
      { name: "alice", role: "owner" as const },
      { name: "dora", role: "admin" as const },
      { name: "bob" },
    ];
    const channels = [{ name: "general" }, { name: "secret", isPrivate: true, members: ["dora", "bob"] }];
    const { rig } = await asking({ bound: ["GSECRET"], fake: { users, channels } }, "secret");
    expect(await open(rig, "dora")).toContain("[Approve]");
    const outside = await open(rig, "alice");
    expect(outside).not.toMatch(/\[Approve\]|fix|acme/);
    await settled(rig);
  });

  it("a channel that Slack does not tell of counts as private", async () => {
    const { rig } = await asking();
    rig.fake.fault(
      { kind: "error", error: "internal_error" },
      { times: 20, match: { method: "users.conversations" } },
    );
    rig.fake.fault(
      { kind: "error", error: "internal_error" },
      { times: 20, match: { method: "conversations.info" } },
    );
    expect(await open(rig, "alice")).toContain("Nothing waits for your decision.");
  });

  it("a guest reads why there is nothing", async () => {
    const users = [
      { name: "alice", role: "owner" as const },
      { name: "bob" },
      { name: "gus", role: "guest" as const },
    ];
    const { rig } = await asking({ fake: { users } });
    const text = await open(rig, "gus", /Guests cannot start work here/);
    expect(text).not.toMatch(/Approve|How to ask/);
    await settled(rig);
  });

  it("an open tab follows a decision in the thread", async () => {
    const { rig, root } = await asking();
    await open(rig, "alice", /\[Approve\]/);
    const card = rig.fake.world
      .thread(root.channel, root.ts)
      .find((one) => JSON.stringify(one.blocks ?? []).includes("parley_approve"));
    rig.fake.as("alice").click({ channel: root.channel, ts: card?.ts ?? "" }, "Deny");
    await home(rig, "alice", /Nothing waits for your decision\./);
    await settled(rig);
  });
});

describe("a click", () => {
  it("approves, and the card leaves the tab", async () => {
    const { rig, root } = await asking();
    await open(rig, "alice", /\[Approve\]/);
    rig.fake.as("alice").pressHome("Approve");
    await rig.thread(root, /approved\* by @alice[^]*Fixed\./);
    await home(rig, "alice", /Nothing waits for your decision\./);
    await settled(rig);
  });

  it("denies with a reason", async () => {
    const { rig, root } = await asking();
    await open(rig, "alice", /\[Approve\]/);
    rig.fake.as("alice").pressHome("Deny, and say why");
    await vi.waitFor(() => expect(rig.fake.as("alice").views()).toHaveLength(1), OFTEN);
    rig.fake.as("alice").submit({ words: "not on a Friday" });
    await rig.thread(root, /denied\* by @alice[^]*not on a Friday[^]*Then I leave it\./);
    await settled(rig);
  });

  it("of a person who lost the right changes nothing, and the tab says why", async () => {
    const { rig, root } = await asking();
    await open(rig, "alice", /\[Approve\]/);
    rig.fake.admin.setRole("alice", "member");
    rig.fake.as("alice").pressHome("Approve");
    const text = await home(rig, "alice", /You can't decide this/);
    expect(text).not.toContain("[Approve]");
    expect(rig.fake.threadAsText(root.channel, root.ts)).toContain("[Approve] [Deny]");
    await settled(rig);
  });

  it("D2 two persons: the requester reads no card and cannot approve from the tab, another approver can", async () => {
    const env = { PARLEY_TWO_PERSON: "on", PARLEY_APPROVERS: "slack:members" };
    const { rig, root } = await asking({ env });
    expect(await open(rig, "bob")).toContain("Nothing waits for your decision.");
    await open(rig, "carol", /\[Approve\]/);
    const view = rig.fake.homes.get(rig.fake.as("carol").id);
    if (view !== undefined) rig.fake.showHome({ ...view, user: rig.fake.as("bob").id });
    rig.fake.as("bob").pressHome("Approve");
    await home(rig, "bob", /Another approver has to decide/);
    expect(rig.fake.threadAsText(root.channel, root.ts)).toContain("[Approve] [Deny]");
    rig.fake.as("carol").pressHome("Approve");
    await rig.thread(root, /Fixed\./);
    await settled(rig);
  });

  it("D2 two persons: a question of a direct message is decided by its person", async () => {
    const env = { PARLEY_TWO_PERSON: "on", PARLEY_APPROVERS: "slack:members" };
    const rig = await createRig({ answer: asksForUpgrade, env, bound: ["DBOB"] });
    const root = rig.fake.as("bob").say("fix it");
    await rig.thread(root, /\[Approve\]/);
    expect(await open(rig, "carol")).not.toContain("[Approve]");
    await open(rig, "bob", /\[Approve\]/);
    rig.fake.as("bob").pressHome("Approve");
    await rig.thread(root, /Fixed\./);
    await settled(rig);
  });

  it("on a card that was decided meanwhile says who decided", async () => {
    const users = [
      { name: "alice", role: "owner" as const },
      { name: "dora", role: "admin" as const },
      { name: "bob" },
    ];
    const { rig, root } = await asking({ fake: { users } });
    await open(rig, "alice", /\[Approve\]/);
    const old = rig.fake.homes.get(rig.fake.as("alice").id);
    await open(rig, "dora", /\[Approve\]/);
    rig.fake.as("dora").pressHome("Approve");
    await rig.thread(root, /Fixed\./);
    await home(rig, "alice", /Nothing waits/);
    if (old !== undefined) rig.fake.showHome(old);
    rig.fake.as("alice").pressHome("Deny");
    await home(rig, "alice", /Already approved by @dora/);
    await settled(rig);
  });
});

describe("what runs", () => {
  it("is listed for people of the channel, with a link", async () => {
    const started = Promise.withResolvers<void>();
    const channels = [{ name: "general", members: ["alice", "bob"] }];
    const rig = await createRig({
      fake: { channels },
      answer: async (_messages, _no, signal) => {
        started.resolve();
        return new Promise<ModelOutcome>((resolve) => {
          signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
        });
      },
    });
    rig.fake.as("bob").say("@parley why is the *cache* slow?", { channel: "general" });
    await started.promise;
    expect(await open(rig, "alice")).toMatch(
      /Running in your channels\n• <https:\S+\|[^>]*cache[^>]*>: Thinking\./,
    );
    expect(await open(rig, "carol")).toContain("Nothing runs at the moment.");
    await settled(rig);
  });
});

it("without a Home tab in the manifest Slack is asked once", async () => {
  const rig = await createRig({ fake: { hasHome: false } });
  rig.fake.as("bob").openHome();
  await vi.waitFor(() => expect(rig.logged.join("\n")).toContain("no Home tab"), OFTEN);
  rig.fake.as("carol").openHome();
  await vi.waitFor(() => expect(rig.chat.unhandled("slack")).toEqual([]), OFTEN);
  await rig.fake.settled();
  expect(rig.fake.calls.filter(({ method }) => method === "views.publish")).toHaveLength(1);
});
