/**
 * An issue and an alert that begin by themselves, up to the draft pull request whose check fails (how the thread reads: begins.txt).
 * See scene.ts for what is real.
 */

import { expect, test, vi } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import { textAnswer } from "../../runtime/world.ts";
import { createForgeScene, plainly, PROJECT, use } from "../../e2e/forge/scene.ts";
import { onSlack, until } from "../../e2e/forge/slack.ts";
import { command, first, PAGE, press, repository, roots, unnamed, webhooks } from "./forge-events.ts";

const TEST = "grep -q 'ATTEMPTS = 3' src/retry.js";

const CHANGE: readonly ModelOutcome[] = [
  use("draft", {}),
  use("patch", {
    where: "draft",
    path: "src/retry.js",
    patches: [{ operation: "replace", oldText: "ATTEMPTS = 0", newText: "ATTEMPTS = 3" }],
  }),
  use("propose", { title: "Try uploads three times", summary: "ATTEMPTS was 0.", test_command: TEST }),
];

const STEPS: readonly (ModelOutcome | (() => ModelOutcome))[] = [
  // By itself.
  use("read_issue", { number: 1 }),
  use("bash", { command: "grep -rn ATTEMPTS src" }),
  use("label_issue", { number: 1, add: ["bug"] }),
  textAnswer("Uploads are never tried: `ATTEMPTS` is 0 in src/retry.js:1. It is labelled now."),
  // Asked for the fix.
  ...CHANGE,
  textAnswer("The change is proposed as a draft pull request."),
  // Asked to look into the check.
  use("read_checks", {}),
  textAnswer("The linter wants a comment above src/retry.js:1; the change itself works."),
];

test("an issue opened on the forge is triaged in a thread with a label that a person clicks on, fixed when asked, and the check of its pull request that fails is told and looked into", async () => {
  const scene = await createForgeScene();
  const { forge } = scene;
  forge.addIssue(PROJECT, {
    title: "Uploads are never sent",
    author: "ana",
    text: "Since the last release.",
  });
  const { rig, asked } = await onSlack(
    scene,
    STEPS.with(8, () => use("read_checks", { ref: scene.pulls()[0]?.pull.head })),
  );
  const send = webhooks(rig);
  await command(rig, "watch github issues: Say what it is about, and propose a label");
  const opened = { action: "opened", issue: issue(1, "Uploads are never sent"), repository };
  expect(await send("issues", opened)).toBe("stored");
  expect(await send("issues", opened)).toBe("known");

  const root = await first(rig);
  await until(rig, root, /Change labels\?[^]*\[Approve\]/);
  expect(scene.posts()[0]?.labels).toEqual([]);
  press(rig, root, "alice", "Approve");
  await until(rig, root, /It is labelled now\.[^]*tricted[^·\n]* · [[`<]/);
  expect(scene.posts()[0]?.labels).toEqual(["bug"]);

  rig.fake.as("bob").say("@parley please fix it", { channel: "general", thread: root.ts });
  await until(rig, root, /\[Open a draft pull request\]/);
  expect(scene.pulls()).toEqual([]);
  press(rig, root, "alice", "Open a draft pull request");
  await until(rig, root, /proposed as a draft pull request\.[^]*tricted[^·\n]* · [[`<]/);
  const [pull] = scene.pulls();
  if (pull === undefined) throw new Error("there is no pull request");
  const { head } = pull.pull;
  const commit = await scene.served("rev-parse", head);

  forge.failCheck(PROJECT, { name: "lint", commit, log: "src/retry.js:1 wants a comment" });
  // In two forms, as GitHub sends it, and one of them once more.
  const run = checkRun(head, commit, 2);
  const answers = [];
  for (const [name, event, delivery] of [
    ["check_run", run, "c1"],
    ["check_suite", checkSuite(head, commit, 2), "c2"],
    ["check_run", run, "c1"],
  ] as const)
    answers.push(await send(name, event, delivery));
  expect(answers).toEqual(["stored", "known", "known"]);
  await until(rig, root, /acme\/api#2 failed its checks\.[^]*lint failed\.[^]*\[Look into it\]/);
  press(rig, root, "bob", "Look into it");
  await until(rig, root, /The linter wants a comment[^]*tricted[^·\n]* · [[`<]/);
  press(rig, root, "alice", "Look into it");
  await vi.waitFor(() => expect(rig.fake.storyAsText(root.channel, root.ts)).toContain("already been asked"));

  expect(await send("pull_request", merged(head, 2), "m1")).toBe("stored");
  expect(await send("pull_request", merged(head, 2), "m2")).toBe("known");
  await until(rig, root, /acme\/api#2 was merged\./);
  expect(roots(rig)).toHaveLength(1);
  const thread = rig.fake.storyAsText(root.channel, root.ts);
  expect(thread.match(/failed its checks/g)).toHaveLength(1);
  expect(JSON.stringify(asked().at(-1))).toContain("src/retry.js:1 wants a comment");
  await expect(unnamed(plainly(thread, scene))).toMatchFileSnapshot("begins.txt");
});

test("where the channel follows, the agent looks into what failed by itself and for nobody, once; only a person's word brings a card", async () => {
  const scene = await createForgeScene();
  const upgrade = use("request_mode_upgrade", { reason: "To mend it." });
  const { rig } = await onSlack(scene, [
    ...CHANGE,
    textAnswer("The change is proposed as a draft pull request."),
    upgrade,
    textAnswer("The linter wants a comment."),
    upgrade,
  ]);
  const send = webhooks(rig);
  await command(rig, "watch github follow");
  const root = rig.fake.as("bob").say("@parley try uploads three times", { channel: "general" });
  await until(rig, root, /\[Open a draft pull request\]/);
  press(rig, root, "alice", "Open a draft pull request");
  await until(rig, root, /proposed as a draft pull request\.[^]*tricted[^·\n]* · [[`<]/);
  const head = scene.pulls()[0]?.pull.head ?? "";
  expect(await send("check_run", checkRun(head, "abc", 9), "c0")).toBe("stored");
  expect(await send("check_run", checkRun(head, "def", 1), "c1")).toBe("stored");
  expect(await send("check_suite", checkSuite(head, "def", 1), "c2")).toBe("known");
  const text = await until(rig, root, /I look into the event on my own\.[^]*The linter wants a comment\./);
  expect(text).not.toMatch(/#9|\[Approve\]|\[Look into it\]/);
  rig.fake.as("bob").say("@parley then add it", { channel: "general", thread: root.ts });
  await until(rig, root, /Write access[^]*\[Approve\]/);
});

test("an alert that an app posts 40 times is one thread below the first post, with what the code says of it", async () => {
  const scene = await createForgeScene();
  const { rig } = await onSlack(scene, [
    use("bash", { command: "grep -rn ATTEMPTS src" }),
    textAnswer("`ATTEMPTS` is 0 in src/retry.js:1, so nothing is ever sent."),
  ]);
  await command(rig, "watch app A0SENTRY: Find the cause");
  const sentry = rig.fake.app("sentry");
  const root = sentry.post(alert);
  for (let no = 1; no < 40; no += 1) sentry.post(alert);
  await until(rig, root, /This event arrived 40 times\.[^]*nothing is ever sent[^]*tricted[^·\n]* · [[`<]/);
  expect(rig.bot.list(10, null)).toHaveLength(1);
  expect(roots(rig)).toHaveLength(40);
  const thread = rig.fake.storyAsText(root.channel, root.ts);
  await expect(unnamed(plainly(thread, scene))).toMatchFileSnapshot("alert.txt");
});

const alert = {
  attachments: [
    {
      color: "#E03E2F",
      fallback: "[api] UploadError",
      blocks: [
        {
          type: "section",
          text: { type: "mrkdwn", text: "<https://acme.sentry.io/issues/7/?referrer=slack|*UploadError*>" },
        },
        { type: "section", text: { type: "mrkdwn", text: "no answer in src/retry.js" } },
      ],
    },
  ],
};

const issue = (number: number, title: string) => ({
  number,
  title,
  body: "Since the last release.",
  html_url: `${PAGE}/issues/${number}`,
  user: { login: "ana" },
  labels: [],
});

const named = (number: number) => [{ number, head: { repo: { id: 1 } }, base: { repo: { id: 1 } } }];

const checkRun = (branch: string, commit: string, pull: number) => ({
  action: "completed",
  check_run: {
    name: "lint",
    conclusion: "failure",
    html_url: `${PAGE}/runs/1`,
    head_sha: commit,
    check_suite: { head_branch: branch },
    pull_requests: named(pull),
  },
  repository,
});

const checkSuite = (branch: string, commit: string, pull: number) => ({
  action: "completed",
  check_suite: {
    conclusion: "failure",
    head_branch: branch,
    head_sha: commit,
    app: { name: "GitHub Actions" },
    pull_requests: named(pull),
  },
  repository,
});

const merged = (branch: string, number: number) => ({
  action: "closed",
  pull_request: {
    number,
    title: "Try uploads three times",
    html_url: `${PAGE}/pull/${number}`,
    merged: true,
    head: { ref: branch, repo: { full_name: PROJECT } },
  },
  repository,
});
