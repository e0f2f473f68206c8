/** The four events of the mode draft in the trace (D17), and what is stored before anybody hears of a change (row 67). */

import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const upgrade = { name: "request_mode_upgrade", input: { reason: "to patch" } };
const touch = { name: "bash", input: { command: "touch x" } };

const labelled = (world: World, id: ConversationId): readonly string[] =>
  [...(world.bot.trace(id) ?? [])].flatMap(({ labels }) => labels);

/** In the middle of a turn that waits for Approve or Deny, with one more call behind the question. */
const asked = async () => {
  const world = createWorld();
  const id = await world.begin();
  await world.say(id, "change it");
  (await world.nextModel()).answer(toolAnswer(upgrade, touch));
  await expect.poll(async () => (await world.bot.read(id))?.question?.type).toBe("upgrade");
  const question = (await world.bot.read(id))?.question?.wire ?? "";
  const decide = (choice: "approve" | "deny") =>
    world.bot.act(id, { kind: "decide", question, choice, by: operator, comment: null });
  return { world, id, decide, labels: () => labelled(world, id) };
};

describe("row 66: the trace has", () => {
  it("ModeUpgradeRequested where the agent asks, and nothing else yet", async () => {
    const { labels } = await asked();
    expect(labels()).toEqual(["ModeUpgradeRequested"]);
  });

  it("UserApproveUpgrade where a person approves", async () => {
    const { decide, labels } = await asked();
    await decide("approve");
    expect(labels()).toEqual(["ModeUpgradeRequested", "UserApproveUpgrade"]);
  });

  it("UserDenyUpgrade where a person denies", async () => {
    const { decide, labels } = await asked();
    await decide("deny");
    expect(labels()).toEqual(["ModeUpgradeRequested", "UserDenyUpgrade"]);
  });

  it("UserRequestDowngrade where a person tightens", async () => {
    const { world, id, decide, labels } = await asked();
    await decide("approve");
    await world.bot.act(id, { kind: "restrict", by: operator.id });
    expect(labels()).toEqual(["ModeUpgradeRequested", "UserApproveUpgrade", "UserRequestDowngrade"]);
  });

  it("C7: UserDenyUpgrade and then the cancel where a person stops the question; each call has its result", async () => {
    const { world, id, labels } = await asked();
    await world.bot.act(id, { kind: "stop", by: operator.id });
    expect(labels()).toEqual(["ModeUpgradeRequested", "UserDenyUpgrade", "UserCancel"]);
    expect((await world.bot.read(id))?.state).toMatchObject({
      phase: { kind: "idle" },
      permission: "restricted",
    });
    await world.say(id, "and now?");
    const told = JSON.stringify((await world.nextModel()).request.messages);
    expect(told.match(/Denied by user: the conversation stays|Skipped due to cancellation/g)).toEqual([
      "Denied by user: the conversation stays",
      "Skipped due to cancellation",
    ]);
  });
});

describe("row 67: a change of the permission is stored before", () => {
  it.each([
    ["approve", "UserApproveUpgrade"],
    ["deny", "UserDenyUpgrade"],
  ] as const)("%s is told to anybody, runs anything or reaches the model", async (choice, label) => {
    const { world, id, decide, labels } = await asked();
    const heard: boolean[] = [];
    world.bot.subscribe(id, () => heard.push(labels().includes(label)));
    const tool = world.nextTool().then((call) => ({ call, stored: labels().includes(label) }));
    await decide(choice);
    const { call, stored } = await tool;
    expect(stored).toBe(true);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard).not.toContain(false);
    call.answer(toolResult("done"));
    const next = await world.nextModel();
    expect(JSON.stringify(next.request.messages).includes("now in Unrestricted mode: a person")).toBe(
      choice === "approve",
    );
  });

  it("a downgrade is told to anybody or to the model", async () => {
    const { world, id, decide, labels } = await asked();
    await decide("approve");
    (await world.nextTool()).answer(toolResult("done"));
    (await world.nextModel()).answer(textAnswer("done"));
    await expect.poll(async () => (await world.bot.read(id))?.state.phase.kind).toBe("idle");
    const heard: boolean[] = [];
    world.bot.subscribe(id, () => heard.push(labels().includes("UserRequestDowngrade")));
    await world.bot.act(id, { kind: "restrict", by: operator.id });
    expect(heard.length).toBeGreaterThan(0);
    expect(heard).not.toContain(false);
    await world.say(id, "go on");
    expect(JSON.stringify((await world.nextModel()).request.messages)).toContain("now in Restricted mode");
  });
});
