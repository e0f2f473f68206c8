/** Whose click and whose words count, on the wire: each denial has an allowed twin. */

import { expect, test, vi } from "vitest";
import { onGitHub } from "../../../fakes/side.ts";
import { until } from "../../../e2e/forge/slack.ts";
import { textAnswer } from "../../../runtime/world.ts";
import {
  change,
  commitsOn,
  failCheck,
  lookedAfter,
  openedStage,
  passing,
  press,
  propose,
  type Stage,
} from "./stage.ts";

const MINUTE = 60_000;
const TWO_PEOPLE = { PARLEY_TWO_PERSON: "on", PARLEY_APPROVERS: "slack:members" };
const FIX = [change(2, 3), propose("Try three times"), textAnswer("Three tries now.")];

/** The newest hint that only this person sees. */
const hinted = ({ rig }: Stage, who: string, wanted: RegExp): Promise<void> =>
  vi.waitFor(() => {
    const { id } = rig.fake.as(who);
    expect(rig.fake.world.ephemerals.findLast((one) => one.for === id)?.text ?? "").toMatch(wanted);
  });

const say = ({ rig, root }: Stage, who: string, text: string): void =>
  void rig.fake.as(who).say(`@parley ${text}`, { channel: "general", thread: root.ts });

test.each([
  { rule: "on", env: TWO_PEOPLE },
  { rule: "off", env: { PARLEY_APPROVERS: "slack:members" } },
])(
  "two people: the requester's click binds only without the rule; the rule is $rule",
  async ({ rule, env }) => {
    const stage = await openedStage(onGitHub, FIX, { env });
    const first = await failCheck(stage);
    press(stage, "bob", "Look after this pull request");
    if (rule === "on") {
      await hinted(stage, "bob", /^Two people are required here, and you requested changes/);
      expect(stage.text()).not.toContain("lets me look after");
      expect(await stage.head()).toBe(first);
      press(stage, "carol", "Look after this pull request");
    }
    const text = await until(stage.rig, stage.root, /because of failed checks[^]*Three tries now/);
    expect(text).toContain(`@${rule === "on" ? "carol" : "bob"} lets me look after`);
    expect(await commitsOn(stage)).toHaveLength(2);
  },
);

test.each([{ leaves: true }, { leaves: false }])(
  "edits from before the turn leave only with a click; there are some: $leaves",
  async ({ leaves }) => {
    const drafted = [change(2, 5), textAnswer("Five tries are drafted.")];
    const edit = leaves ? change(5, 3) : change(2, 3);
    const stage = await openedStage(onGitHub, [
      ...(leaves ? drafted : [textAnswer("Nothing is drafted.")]),
      edit,
      propose("Try three times"),
      textAnswer("Three tries now."),
    ]);
    say(stage, "bob", "draft five tries");
    await until(stage.rig, stage.root, leaves ? /Five tries are drafted/ : /Nothing is drafted/);
    const first = await failCheck(stage);
    await lookedAfter(stage);
    if (leaves) {
      await until(stage.rig, stage.root, /decision of its own: The draft contained other edits before/);
      expect(await stage.head()).toBe(first);
      press(stage, "alice", "Open a draft pull request");
    }
    const text = await until(stage.rig, stage.root, /Three tries now/);
    expect(text.includes("I pushed")).toBe(!leaves);
    expect(await commitsOn(stage)).toHaveLength(2);
  },
);

test.each([{ adds: true }, { adds: false }])(
  "words that a person adds to the turn need a click of their own; there are some: $adds",
  async ({ adds }) => {
    const stage = await openedStage(
      onGitHub,
      [
        async () => {
          if (adds) {
            say(stage, "bob", "and delete the tests");
            const [{ conversation } = { conversation: { id: "c-none" as const } }] = stage.rig.bot.list(
              1,
              null,
            );
            await vi.waitFor(async () => {
              const detail = await stage.rig.bot.read(conversation.id);
              expect(detail?.state.turn.authors).toEqual(["slack:UBOB"]);
            });
          }
          return change(2, 3);
        },
        propose("Try three times"),
        textAnswer("Three tries now."),
      ],
      { env: { PARLEY_BUSY: "add" } },
    );
    const first = await failCheck(stage);
    await lookedAfter(stage);
    if (adds) {
      await until(stage.rig, stage.root, /decision of its own: A person added words to this turn/);
      expect(await stage.head()).toBe(first);
      press(stage, "alice", "Open a draft pull request");
    }
    const text = await until(stage.rig, stage.root, /Three tries now/);
    expect(text.includes("I pushed")).toBe(!adds);
    expect(await commitsOn(stage)).toHaveLength(2);
  },
);

test.each([{ stays: false }, { stays: true }])(
  "a push needs the right of the person who clicked, at that moment; it stays: $stays",
  async ({ stays }) => {
    const stage = await openedStage(onGitHub, [
      change(2, 3),
      () => {
        if (!stays) stage.rig.fake.admin.setRole("alice", "member");
        return propose("Try three times");
      },
      textAnswer("Three tries now."),
    ]);
    const first = await failCheck(stage);
    await lookedAfter(stage);
    if (stays) await passing(stage, /I pushed[^]*Three tries now/);
    else
      await passing(
        stage,
        /decision of its own: The person who let me look after it is no approver any more/,
      );
    expect((await stage.head()) === first).toBe(!stays);
  },
);

test("an approver who asks for changes of a card has the turn, and the next card is that person's request", async () => {
  const stage = await openedStage(onGitHub, [
    change(2, 3),
    propose("Try three times", "false"),
    change(3, 4),
    propose("Try four times"),
    textAnswer("Four tries now."),
  ]);
  const first = await failCheck(stage);
  await lookedAfter(stage);
  await until(stage.rig, stage.root, /decision of its own: Its test failed/);
  press(stage, "alice", "Ask for changes");
  const alice = stage.rig.fake.as("alice");
  await expect.poll(() => alice.views().length).toBe(1);
  alice.submit({ words: "Four tries, please." });
  await until(stage.rig, stage.root, /Try four times[^]*\[Open a draft pull request\]/);
  stage.pass(MINUTE);
  stage.pass(MINUTE);
  expect(await stage.head()).toBe(first);
  press(stage, "alice", "Open a draft pull request");
  const text = await until(stage.rig, stage.root, /Four tries now/);
  expect(text).not.toContain("I pushed");
  const [head = ""] = await commitsOn(stage);
  expect(await stage.scene.served("show", "-s", "--format=%B", head)).toContain(
    "Requested-by: alice <slack:UALICE>",
  );
  expect(await commitsOn(stage)).toHaveLength(2);
});
