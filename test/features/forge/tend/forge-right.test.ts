/** An approver who is connected to the forge must be able to push there at each push: each loss ends the click, and says so. */

import { expect, test, vi } from "vitest";
import { onGitHub, onGitLab, type Side } from "../../../fakes/side.ts";
import { until } from "../../../e2e/forge/slack.ts";
import { textAnswer } from "../../../runtime/world.ts";
import {
  change,
  commitsOn,
  failCheck,
  lookedAfter,
  openedStage,
  press,
  propose,
  type Stage,
} from "./stage.ts";

const ALICE = { login: "alice-acme", id: 7, name: "Alice", commitEmail: "alice@noreply.example" };

/** A forge whose people can connect, soon after they typed a code. */
const connectable = async (createSide: () => Promise<Side>): Promise<Side> => {
  const side = await createSide();
  side.letConnect("Iv23liParleyClient");
  side.signIn.lasts.interval = 1;
  return side;
};

const hinted = ({ rig }: Stage, wanted: RegExp): Promise<string> =>
  vi.waitFor(() => {
    const { id } = rig.fake.as("alice");
    const text = rig.fake.world.ephemerals.findLast((one) => one.for === id)?.text ?? "";
    expect(text).toMatch(wanted);
    return text;
  });

const command = ({ rig }: Stage, words: string): void => {
  rig.fake.as("alice").command("/parley", words, "general");
};

const LOST_CONNECTION =
  /I no longer look after [^]*The person who clicked is no longer connected to the forge/;

const LOSSES = {
  nothing: { lose: () => Promise.resolve(), told: /I pushed[^]*Three tries now/ },
  "the right to push": {
    lose: ({ scene }: Stage) => Promise.resolve(scene.forge.lessen(ALICE.login)),
    told: /I no longer look after [^]*The forge no longer lets the person who clicked push[^]*Another approver can press/,
  },
  "the connection": {
    lose: async (stage: Stage) => {
      command(stage, "disconnect");
      await hinted(stage, /Disconnected from/);
    },
    told: LOST_CONNECTION,
  },
  "the token": {
    lose: ({ scene }: Stage) => Promise.resolve(scene.forge.signIn.revoke(ALICE.login)),
    told: LOST_CONNECTION,
  },
} as const;

test.each([
  ["GitHub", "nothing", onGitHub],
  ["GitHub", "the right to push", onGitHub],
  ["GitHub", "the connection", onGitHub],
  ["GitHub", "the token", onGitHub],
  ["GitLab", "nothing", onGitLab],
  ["GitLab", "the right to push", onGitLab],
  ["GitLab", "the token", onGitLab],
] as const)("%s: before the push, the approver loses %s", async (name, lost, createSide) => {
  const { lose, told } = LOSSES[lost];
  const stage = await openedStage(
    () => connectable(createSide),
    [
      change(2, 3),
      async () => {
        await lose(stage);
        return propose("Try three times");
      },
      textAnswer("Three tries now."),
    ],
  );
  command(stage, `connect ${name.toLowerCase()}`);
  const code = /`([0-9A-Z]{4}-?[0-9A-Z]{4})`/.exec(await hinted(stage, /enter the code/))?.[1] ?? "";
  stage.scene.forge.signIn.answer(code, ALICE);
  await hinted(stage, /You are connected to .* as alice-acme\./);
  const first = await failCheck(stage);
  await lookedAfter(stage);
  await until(stage.rig, stage.root, told);
  const pushed = lost === "nothing" ? 1 : 0;
  expect(await commitsOn(stage)).toHaveLength(1 + pushed);
  expect((await stage.head()) === first).toBe(pushed === 0);
});

test("an approver whose account may not push cannot let the pull request be looked after", async () => {
  const stage = await openedStage(() => connectable(onGitHub), []);
  command(stage, "connect github");
  const code = /`([0-9A-Z]{4}-?[0-9A-Z]{4})`/.exec(await hinted(stage, /enter the code/))?.[1] ?? "";
  stage.scene.forge.signIn.answer(code, ALICE);
  await hinted(stage, /You are connected to .* as alice-acme\./);
  stage.scene.forge.lessen(ALICE.login);
  press(stage, "alice", "Look after this pull request");
  await hinted(stage, /The forge does not let your account push/);
  expect(stage.text()).not.toContain("lets me look after");
});
