/** A pull request that bob's thread opened from a draft, on a host whose long waits the test ends. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, vi } from "vitest";
import { systemClock } from "../../../../src/app/system-clock.ts";
import type { PromptMessage } from "../../../../src/thread/prompt.ts";
import type { Clock } from "../../../../src/ports/host.ts";
import type { Side } from "../../../fakes/side.ts";
import { createForgeScene, type ForgeScene, PROJECT, use } from "../../../e2e/forge/scene.ts";
import { onSlack, type Root, type SceneStep as Step, until } from "../../../e2e/forge/slack.ts";
import type { RigOptions, SlackRig } from "../../../adapters/slack/rig.ts";
import { scratch } from "../../../scratch.ts";
import { git } from "../../../workspace/scene.ts";
import { textAnswer } from "../../../runtime/world.ts";

/** Waits of this length and longer end only with `pass`. */
const LONG = 20_000;

/** The system's clock, except that long waits end when the test says so. */
export const windableClock = () => {
  let ahead = 0;
  const held = new Set<{ readonly due: number; readonly fire: () => void }>();
  const now = (): number => systemClock.now() + ahead;
  const clock: Clock = {
    now,
    after: (delay, fire) => {
      if (delay < LONG) return systemClock.after(delay, fire);
      const one = { due: now() + delay, fire };
      held.add(one);
      return () => void held.delete(one);
    },
  };
  return {
    clock,
    pass: (time: number): void => {
      ahead += time;
      for (const one of [...held].filter(({ due }) => due <= now())) {
        held.delete(one);
        one.fire();
      }
    },
  };
};

export const change = (from: number, to: number, path = "src/retry.js") =>
  use("patch", {
    where: "draft",
    path,
    patches: [{ operation: "replace", oldText: `ATTEMPTS = ${from}`, newText: `ATTEMPTS = ${to}` }],
  });

export const propose = (title: string, test = "true") =>
  use("propose", { title, summary: `${title}.`, test_command: test });

/** From the question to the pull request. */
const OPENED: readonly Step[] = [
  use("draft", {}),
  change(0, 2),
  propose("Try twice"),
  textAnswer("The pull request is open."),
];

export interface Stage {
  readonly scene: ForgeScene;
  readonly rig: SlackRig;
  readonly root: Root;
  readonly pass: (time: number) => void;
  readonly asked: () => readonly (readonly PromptMessage[])[];
  readonly branch: string;
  /** Commit of the branch on the forge. */
  readonly head: () => Promise<string>;
  readonly text: () => string;
}

export const press = (
  { rig, root }: Pick<Stage, "rig" | "root">,
  who: "alice" | "bob" | "carol",
  label: string,
): void => {
  const posts = rig.fake.world.thread(root.channel, root.ts);
  const card = posts.findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes(`"${label}"`));
  if (card === undefined) throw new Error(`there is no button ${label}`);
  rig.fake.as(who).click({ channel: root.channel, ts: card.ts }, label);
};

interface StageOptions extends Pick<RigOptions, "opened" | "share"> {
  /** Other settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further files of the repository. */
  readonly files?: Readonly<Record<string, string>>;
}

/** `steps`: answers of the model in turns of *Look after*. */
export const openedStage = async (
  createSide: () => Promise<Side>,
  steps: readonly Step[],
  { env = {}, files = {}, ...host }: StageOptions = {},
): Promise<Stage> => {
  const scene = await createForgeScene(createSide, { env, files });
  const { clock, pass } = windableClock();
  const { rig, asked } = await onSlack(scene, [...OPENED, ...steps], { ...host, clock, env });
  const root = rig.fake.as("bob").say("@parley please try twice", { channel: "general" });
  await until(rig, root, /\[Open a draft pull request\]/);
  press({ rig, root }, "alice", "Open a draft pull request");
  await until(
    rig,
    root,
    /is open\.[^]*\[Look after this pull request\]|\[Look after this pull request\][^]*is open\./,
  );
  const [pull] = scene.pulls();
  if (pull === undefined) throw new Error("there is no pull request");
  const branch = pull.pull.head;
  return {
    scene,
    rig,
    root,
    pass,
    asked,
    branch,
    head: () => scene.served("rev-parse", branch),
    text: () => rig.fake.threadAsText(root.channel, root.ts),
  };
};

/** Commits of the branch, the newest first, without those of the base. */
export const commitsOn = async ({ scene, branch }: Stage): Promise<readonly string[]> => {
  const listed = await scene.served("rev-list", `${scene.base}..${branch}`);
  return listed === "" ? [] : listed.split("\n");
};

export const failCheck = async (stage: Stage, log = "expected 3 tries", name = "test"): Promise<string> => {
  const commit = await stage.head();
  stage.scene.forge.failCheck(PROJECT, { name, commit, log });
  return commit;
};

/** Another person pushes a commit with these files to a branch. */
export const pushByOther = async (
  { scene }: Stage,
  branch: string,
  files: Readonly<Record<string, string>>,
): Promise<void> => {
  const bare = await scene.served("rev-parse", "--absolute-git-dir");
  const clone = scratch("other-clone");
  await git(clone, "clone", "-q", "--branch", branch, bare, "work");
  const work = join(clone, "work");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  await git(work, "add", "-A");
  await git(
    work,
    "-c",
    "user.name=eve",
    "-c",
    "user.email=eve@example.org",
    "commit",
    "-qm",
    "By another person",
  );
  await git(work, "push", "-q", "origin", `HEAD:refs/heads/${branch}`);
};

/** Lets minutes pass until the thread reads as wanted. */
export const passing = ({ rig, root, pass }: Stage, wanted: RegExp, on = rig): Promise<string> =>
  vi.waitFor(
    () => {
      const text = on.fake.threadAsText(root.channel, root.ts);
      if (wanted.test(text)) return text;
      pass(60_000);
      throw new Error(`${wanted} is not in:\n${text}\n${on.logged.join("\n")}`);
    },
    { interval: 50, timeout: 60_000 },
  );

/** Lets minutes pass until the host has asked the forge this often. */
export const asking = async ({ scene, pass }: Stage, times: number): Promise<void> => {
  const before = scene.forge.reads();
  await vi.waitFor(
    () => {
      if (scene.forge.reads() >= before + times) return;
      pass(60_000);
      throw new Error(`the forge was asked ${scene.forge.reads() - before} times`);
    },
    { interval: 50, timeout: 60_000 },
  );
};

/** Lets a person look after it, and waits for the line. */
export const lookedAfter = async (stage: Stage): Promise<void> => {
  press(stage, "alice", "Look after this pull request");
  await until(stage.rig, stage.root, /lets me look after/);
  expect(stage.text()).toContain(stage.branch);
};

/** Waits until the host asks the forge nothing more. */
export const quiet = ({ scene }: Stage): Promise<void> => {
  let before = -1;
  return vi.waitFor(
    () => {
      const now = scene.forge.reads();
      const isQuiet = now === before;
      before = now;
      if (!isQuiet) throw new Error(`${now} requests so far`);
    },
    { interval: 300, timeout: 30_000 },
  );
};
