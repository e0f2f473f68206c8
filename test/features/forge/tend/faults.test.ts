/** Lost answers, limits, a revoked token and the end of the process: each push and each answer once, or later. */

import { expect, test } from "vitest";
import { told } from "../../../adapters/rig.ts";
import { onGitHub, onGitLab } from "../../../fakes/side.ts";
import { PROJECT, use } from "../../../e2e/forge/scene.ts";
import { until } from "../../../e2e/forge/slack.ts";
import { textAnswer } from "../../../runtime/world.ts";
import { asking, change, commitsOn, failCheck, lookedAfter, openedStage, passing, propose } from "./stage.ts";

/** True for the first call of each of the operations. */
const firstOf = (...operations: readonly string[]): ((operation: string) => boolean) => {
  const left = new Set(operations);
  return (operation) => left.delete(operation);
};

test.each([
  { name: "GitHub", createSide: onGitHub, lost: ["git/push", "pulls/create-reply-for-review-comment"] },
  { name: "GitLab", createSide: onGitLab, lost: ["git/push", "new discussion note"] },
])(
  "a push and an answer whose responses are lost stand there once: $name",
  async ({ createSide, lost }) => {
    const stage = await openedStage(createSide, [
      change(2, 3),
      propose("Try three times"),
      (messages) => {
        const [, comment] = /comment ([a-z]\d+) on/.exec(told(messages)) ?? [];
        return use("answer_review", { comment, text: "Done." });
      },
      textAnswer("All is done."),
    ]);
    const { forge } = stage.scene;
    forge.letWrite(PROJECT, "ana");
    forge.remark(PROJECT, 1, { author: "ana", text: "Three, please." });
    const calm = forge.spoil("a lost acknowledgement", firstOf(...lost));
    await lookedAfter(stage);
    const text = await until(stage.rig, stage.root, /because of comments[^]*All is done/);
    calm();
    expect(text.match(/I pushed/g)).toHaveLength(1);
    expect(await commitsOn(stage)).toHaveLength(2);
    expect(forge.remarks(PROJECT, 1)).toMatchObject([
      { author: "ana" },
      { text: expect.stringContaining("Done."), to: 0 },
    ]);
  },
  120_000,
);

test("a limit delays it, a revoked token stops every push, and a new process continues the card", async () => {
  const stage = await openedStage(onGitHub, [
    change(2, 3),
    () => {
      stage.scene.forge.setToken(false);
      return propose("Try three times");
    },
    textAnswer("Three tries now."),
  ]);
  const { forge } = stage.scene;
  const first = await failCheck(stage);
  const calm = forge.spoil("a used-up allowance", (operation) => operation.startsWith("checks/"));
  await lookedAfter(stage);
  await asking(stage, 3);
  expect(stage.text()).not.toContain("I look into");
  calm();
  // The forge names most of an hour.
  await passing(stage, /Checks of acme\/api#1 failed[^]*\[Open a draft pull request\]/);
  await asking(stage, 2);
  expect(await stage.head()).toBe(first);
  const rig = await stage.rig.restart();
  expect(await stage.head()).toBe(first);
  forge.setToken(true);
  await passing(stage, /because of failed checks[^]*Three tries now/, rig);
  expect(await commitsOn(stage)).toHaveLength(2);
}, 120_000);
