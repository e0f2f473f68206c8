/** What people say of an answer on Slack: it is counted, told to nobody, and wakes nobody. */

import { expect, it, vi } from "vitest";
import { judged as judgedIn, OFTEN } from "../rig.ts";
import { createRig, type SlackRig } from "./rig.ts";

const people = [
  { name: "alice", role: "owner" as const },
  { name: "bob" },
  { name: "carol" },
  { name: "robot", role: "bot" as const },
];

/** Bob has asked, and is answered. */
const answered = async (options: Parameters<typeof createRig>[0] = {}) => {
  const rig = await createRig({ fake: { users: people }, ...options });
  const root = rig.fake.as("bob").say("@parley where?", { channel: "general" });
  await rig.thread(root, /Answer 1\.[^]*\[Solved\]\n\[👍\] \[👎\]/);
  const message = rig.fake.world.thread(root.channel, root.ts).findLast(({ botId }) => botId !== undefined);
  return { rig, root, at: { channel: root.channel, ts: message?.ts ?? "" } };
};

const whispers = ({ fake }: SlackRig, name: string) =>
  fake.world.ephemerals.filter((one) => one.for === fake.as(name).id);

/** What the person is told next. */
const next = async (rig: SlackRig, name: string, does: () => unknown): Promise<string> => {
  const before = whispers(rig, name).length;
  does();
  await vi.waitFor(() => expect(whispers(rig, name).length).toBeGreaterThan(before), OFTEN);
  return whispers(rig, name).at(-1)?.text ?? "";
};

const counted = (rig: SlackRig) => judgedIn(rig)[0];

it("each person has a vote, which they change, explain and take back; nothing is posted and the agent sleeps on", async () => {
  const { rig, root, at } = await answered();
  const { fake } = rig;
  const press = (name: string, label: string) => () => fake.as(name).click(at, label);
  const before = fake.world.thread(root.channel, root.ts);
  expect(await next(rig, "carol", press("carol", "👍"))).toContain("this answer helped");
  expect(await next(rig, "carol", press("carol", "👎"))).toContain("did not help");
  const asked = whispers(rig, "carol").at(-1);
  fake.as("carol").click({ channel: at.channel, ts: asked?.ts ?? "" }, "Say why");
  await vi.waitFor(() => expect(fake.as("carol").views()).toHaveLength(1), OFTEN);
  expect(
    await next(rig, "carol", () => fake.as("carol").submit({ words: "It names the wrong file." })),
  ).toContain("without your name");
  await next(rig, "bob", press("bob", "👍"));
  expect(counted(rig)).toMatchObject({ up: 1, down: 1, reasons: ["It names the wrong file."], solved: null });
  expect(await next(rig, "bob", press("bob", "👍"))).toBe("Your vote was withdrawn.");
  expect(await next(rig, "robot", press("robot", "👎"))).toContain("This account");
  expect(counted(rig)).toMatchObject({ up: 0, down: 1 });
  expect([fake.world.thread(root.channel, root.ts), rig.asked.length]).toEqual([before, 1]);
  await rig.bot.forgetPerson({
    by: "slack:UALICE",
    person: `slack:${fake.as("carol").id}`,
    names: [],
  });
  expect(counted(rig)).toBeUndefined();
  expect(fake.violations).toEqual([]);
});

it("whoever asked, or may approve, marks the question as solved, until somebody asks on", async () => {
  const { rig, root, at } = await answered();
  const press = (name: string) => () => rig.fake.as(name).click(at, "Solved");
  expect(await next(rig, "carol", press("carol"))).toContain("Only the person who asked");
  expect(counted(rig)).toBeUndefined();
  expect(await next(rig, "alice", press("alice"))).toContain("Marked as solved");
  expect(await next(rig, "bob", press("bob"))).toContain("Marked as solved");
  expect(counted(rig)?.solved).toBeGreaterThan(0);
  rig.fake.as("bob").say("@parley and then?", { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer 2\./);
  expect(counted(rig)).toBeUndefined();
  expect(rig.fake.violations).toEqual([]);
});

it("a first answer is looked into more deeply, once, by the usual model, in the name of whoever may ask", async () => {
  const { rig, root, at } = await answered({ models: ["test", "small"], first: "small" });
  expect((await rig.bot.read(rig.bot.list(1, null)[0]?.conversation.id ?? "c-"))?.state.model).toBe("small");
  expect(await next(rig, "robot", () => rig.fake.as("robot").click(at, "Look deeper"))).toContain(
    "This account",
  );
  rig.fake.as("carol").click(at, "Look deeper");
  const text = await rig.thread(root, /Answer 2\.[^]* · test/);
  expect(text.match(/Look deeper/g)).toHaveLength(1);
  expect(await next(rig, "bob", () => rig.fake.as("bob").click(at, "Look deeper"))).toContain(
    "newer messages",
  );
  const [one] = rig.bot.list(1, null);
  expect([one?.state.model, one?.state.turn.speaker?.id]).toEqual([
    "small",
    `slack:${rig.fake.as("carol").id}`,
  ]);
  expect(rig.fake.violations).toEqual([]);
});
