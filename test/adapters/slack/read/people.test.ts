/** Who may what in one thread, with two people in each: rights stay with whoever wrote, decisions with whoever may. */

import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ModelOutcome } from "../../../../src/ports/model.ts";
import type { PromptMessage } from "../../../../src/thread/prompt.ts";
import { textAnswer, toolAnswer } from "../../../runtime/world.ts";
import { OFTEN, told } from "../../rig.ts";
import { createRig, type SlackRig } from "../rig.ts";

/** Asks for write access at the first request of a turn, and goes on as the results say. */
const asksForUpgrade = (messages: readonly PromptMessage[]): ModelOutcome => {
  const result = messages.at(-1)?.content.find((block) => block.kind === "toolResult");
  if (result === undefined)
    return toolAnswer({ name: "request_mode_upgrade", input: { reason: "to fix the test" } });
  return textAnswer(result.isError ? "Then I leave it." : "Fixed.");
};

const FAILED: ModelOutcome = {
  kind: "failed",
  failure: { kind: "auth", message: "The key is refused.", retryAfter: null },
};

const find = ({ fake }: SlackRig, root: { channel: string; ts: string }, text: string) => {
  const message = fake.world
    .thread(root.channel, root.ts)
    .findLast((one) => JSON.stringify(one.blocks ?? one.text).includes(text));
  if (message === undefined) throw new Error(`no message shows ${text}`);
  return { channel: root.channel, ts: message.ts };
};

const hears = ({ fake }: SlackRig, name: string, text: string): Promise<void> =>
  vi.waitFor(() => {
    const told = fake.world.ephemerals.filter((one) => one.for === fake.as(name).id);
    expect(told.map((one) => one.text).join("\n")).toContain(text);
  }, OFTEN);

const settled = async (rig: SlackRig): Promise<void> => {
  await rig.fake.settled();
  expect(rig.fake.violations).toEqual([]);
};

describe("Try again", () => {
  it("by somebody else leaves the turn with who began it: that person may not decide, the other may", async () => {
    const rig = await createRig({
      answer: (messages, no) => (no === 1 ? FAILED : asksForUpgrade(messages)),
      env: { PARLEY_TWO_PERSON: "on", PARLEY_APPROVERS: "slack:members" },
    });
    const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
    await rig.thread(root, /\[Try again\]/);
    rig.fake.as("carol").click(find(rig, root, "parley_retry"), "Try again");
    await rig.thread(root, /Requested by @bob[^]*\[Approve\]/);
    const card = find(rig, root, "parley_approve");
    rig.fake.as("bob").click(card, "Approve");
    await hears(rig, "bob", "Another approver has to decide");
    rig.fake.as("carol").click(card, "Approve");
    await rig.thread(root, /Fixed\./);
    await settled(rig);
  });
});

/** Three denied questions of bob's, and a fourth that is held back. */
const paused = async () => {
  const rig = await createRig({ answer: asksForUpgrade });
  const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
  for (const no of [1, 2, 3]) {
    if (no > 1) rig.fake.as("bob").say("@parley fix it", { channel: "general", thread: root.ts });
    await rig.thread(root, /\[Approve\]/);
    rig.fake.as("alice").click(find(rig, root, "parley_approve"), "Deny");
    await rig.thread(
      root,
      new RegExp(`^(?![^]*\\[Approve\\])([^]*?Then I leave it[^]*?tricted[^·\\n]* · [[\`<]){${no}}`),
    );
  }
  rig.fake.as("bob").say("@parley fix it", { channel: "general", thread: root.ts });
  await rig.thread(
    root,
    /I will not ask again until tomorrow[^]*\[Ask again\][^]*Then I leave it\.[^]*tricted[^·\n]* · [[`<]/,
  );
  return { rig, root };
};

describe("the pause after three denials", () => {
  it("ends with Ask again of somebody who may approve, and of nobody else", async () => {
    const { rig, root } = await paused();
    const notice = find(rig, root, "parley_ask_again");
    rig.fake.as("bob").click(notice, "Ask again");
    await hears(rig, "bob", "You can't decide this");
    rig.fake.as("alice").click(notice, "Ask again");
    const text = await rig.thread(root, /I ask again from now on\.[^]*Requested by @bob[^]*\[Approve\]/);
    expect(text).not.toContain("[Ask again]");
    rig.fake.as("alice").click(find(rig, root, "parley_approve"), "Approve");
    await rig.thread(root, /Fixed\./);
    await settled(rig);
  });

  it("ends with the next message of somebody who may approve", async () => {
    const { rig, root } = await paused();
    rig.fake.as("alice").say("@parley do ask me", { channel: "general", thread: root.ts });
    const text = await rig.thread(root, /I ask again from now on\.[^]*Requested by @alice[^]*\[Approve\]/);
    expect(text).not.toContain("[Ask again]");
    await settled(rig);
  });
});

describe("a question of last week (row 81d)", () => {
  it("is decided at the first click, by who may, after a restart; the other is told that it is decided", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const rig = await createRig({ answer: asksForUpgrade });
    const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
    await rig.thread(root, /\[Approve\]/);
    const old = find(rig, root, "parley_approve");
    await rig.close();
    vi.useFakeTimers({ now: Date.now() + 7 * 86_400_000, toFake: ["Date"] });
    const later = await rig.restart();
    later.fake.as("bob").click(old, "Approve");
    await hears(later, "bob", "You can't decide this");
    later.fake.as("alice").click(old, "Approve");
    await later.thread(root, /approved\* by @alice[^]*Fixed\./);
    await settled(later);
  });
});

describe("two persons in direct messages", () => {
  it.each(["on", "everywhere"])("with PARLEY_TWO_PERSON=%s", async (twoPerson) => {
    const rig = await createRig({
      answer: asksForUpgrade,
      bound: ["DALICE", "DBOB"],
      env: { PARLEY_TWO_PERSON: twoPerson, PARLEY_APPROVERS: "slack:members" },
    });
    for (const name of ["alice", "bob"]) {
      const root = rig.fake.as(name).say("fix it");
      await rig.thread(root, /\[Approve\]/);
      rig.fake.as(name).click(find(rig, root, "parley_approve"), "Approve");
      if (twoPerson === "on") await rig.thread(root, /Fixed\./);
      else await hears(rig, name, "The operator has to decide, in the console");
    }
    await settled(rig);
  });
});

describe("mode restricted and mode unrestricted (row 45)", () => {
  it("the second asks those who may approve, with the tool's card; the first takes the right back at once", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
    const at = { channel: "general", thread: root.ts };
    await rig.thread(root, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say("@parley mode unrestricted", at);
    await rig.thread(
      root,
      /Write access for this thread[^]*Requested by @bob[^]*asks separately before it uses the network[^]*\[Approve\]/,
    );
    const card = find(rig, root, "parley_approve");
    rig.fake.as("bob").click(card, "Approve");
    await hears(rig, "bob", "You can't decide this");
    rig.fake.as("alice").click(card, "Approve");
    await rig.thread(root, /approved\* by @alice/);
    rig.fake.as("bob").say("@parley mode unrestricted", at);
    await hears(rig, "bob", "already Unrestricted");
    rig.fake.as("bob").say("@parley and now?", at);
    await rig.thread(root, /Answer 2\.[^]*Unrestricted · [[`<]/);
    expect(told(rig.asked[1])).toContain("now in Unrestricted mode");
    rig.fake.as("bob").say("@parley mode restricted", at);
    await rig.thread(root, /back to Restricted/);
    await settled(rig);
  });

  it("two persons: whoever asked so may not decide it, somebody else may", async () => {
    const env = { PARLEY_TWO_PERSON: "on", PARLEY_APPROVERS: "slack:members" };
    const rig = await createRig({ env });
    const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
    await rig.thread(root, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("carol").say("@parley mode unrestricted", { channel: "general", thread: root.ts });
    await rig.thread(root, /Requested by @carol[^]*\[Approve\]/);
    const card = find(rig, root, "parley_approve");
    rig.fake.as("carol").click(card, "Approve");
    await hears(rig, "carol", "Another approver has to decide");
    rig.fake.as("bob").click(card, "Approve");
    await rig.thread(root, /approved\* by @bob/);
    await settled(rig);
  });

  it("denied or stopped, the conversation takes messages as before", async () => {
    const rig = await createRig();
    const root = rig.fake.as("bob").say("@parley hello", { channel: "general" });
    const at = { channel: "general", thread: root.ts };
    await rig.thread(root, /Answer 1\.[^]*tricted[^·\n]* · [[`<]/);
    rig.fake.as("bob").say("@parley mode unrestricted", at);
    await rig.thread(root, /\[Approve\]/);
    rig.fake.as("alice").click(find(rig, root, "parley_approve"), "Deny");
    await rig.thread(root, /denied\* by @alice/);
    rig.fake.as("bob").say("@parley mode unrestricted", at);
    await rig.thread(root, /\[Approve\]/);
    rig.fake.as("bob").say("@parley stop", at);
    await rig.thread(root, /stopped the turn/);
    rig.fake.as("bob").say("@parley so?", at);
    expect(await rig.thread(root, /Answer 2\.[^]*\bRestricted · [[`<]/)).not.toContain("[Approve]");
    await settled(rig);
  });

  it("outside of a thread the command says where to say it", async () => {
    const rig = await createRig();
    rig.fake.as("bob").command("/parley", "mode unrestricted", "general");
    await hears(rig, "bob", "Use this command in the thread that you mean: `@parley mode unrestricted`");
    await settled(rig);
  });
});

describe("a host that refuses Unrestricted commands (row 39)", () => {
  const refused = "This host refuses Unrestricted commands. Its operator can start Parley as root.";

  it("asks nobody: the model, people and whoever says mode unrestricted are told what the operator can do", async () => {
    const rig = await createRig({ answer: asksForUpgrade, offer: { refused, network: false } });
    const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
    const text = await rig.thread(
      root,
      /Then I leave it\.\nI did not ask for write access[^]*start Parley as root[^]*tricted[^·\n]* · [[`<]/,
    );
    expect(text).not.toContain("[Approve]");
    expect(JSON.stringify(rig.asked.at(-1))).toContain(refused);
    rig.fake.as("alice").say("@parley mode unrestricted", { channel: "general", thread: root.ts });
    await hears(rig, "alice", "This host refuses Unrestricted commands");
    await settled(rig);
  });

  it("a card from before offers no approval and says why; the click that was under way is refused", async () => {
    const rig = await createRig({ answer: asksForUpgrade });
    const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
    await rig.thread(root, /\[Approve\]/);
    const card = find(rig, root, "parley_approve");
    const later = await rig.restart({ offer: { refused, network: false } });
    later.fake.as("alice").click(card, "Approve");
    await hears(later, "alice", "This host refuses Unrestricted commands");
    const text = await later.thread(root, /Approving this request would have no effect\.[^]*\[Deny\]/);
    expect(text).not.toContain("[Approve]");
    later.fake.as("alice").click(find(later, root, "parley_deny"), "Deny");
    await later.thread(root, /Then I leave it\./);
    await settled(later);
  });

  it.each([
    [{ refused: null, network: false }, "without a network"],
    [{ refused: null, network: true }, "asks separately before it uses the network"],
  ])("a card promises no network that the host does not give: %o", async (offer, words) => {
    const rig = await createRig({ answer: asksForUpgrade, offer });
    const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
    expect(await rig.thread(root, /\[Approve\]/)).toContain(words);
    await settled(rig);
  });
});

const asked = async (role: "partner" | "sibling") => {
  const rig = await createRig({
    answer: asksForUpgrade,
    env: { PARLEY_APPROVERS: "slack:members" },
    fake: {
      users: [{ name: "alice", role: "owner" }, { name: "bob" }, { name: "eve", role }],
    },
  });
  const root = rig.fake.as("bob").say("@parley fix it", { channel: "general" });
  await rig.thread(root, /\[Approve\]/);
  const card = find(rig, root, "parley_approve");
  rig.fake.as("eve").click(card, "Approve");
  return { rig, root, card };
};

describe("WS2 a click on a card, where every member may approve", () => {
  it("does not count from a partner's organization, whatever the Grid there; a member's does", async () => {
    const { rig, root, card } = await asked("partner");
    await hears(rig, "eve", "Only members");
    expect(rig.fake.threadAsText(root.channel, root.ts)).toContain("[Approve]");
    rig.fake.as("bob").click(card, "Approve");
    await rig.thread(root, /Fixed\./);
    await settled(rig);
  });

  it("counts from another workspace of our own Grid", async () => {
    const { rig, root } = await asked("sibling");
    await rig.thread(root, /Fixed\./);
    await settled(rig);
  });
});
