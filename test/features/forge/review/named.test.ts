/** People name the pull request of a review by link, by number, or as the pull request of the thread. */

import { expect, test } from "vitest";
import { told } from "../../../adapters/rig.ts";
import { createForgeScene, use } from "../../../e2e/forge/scene.ts";
import { onSlack, until } from "../../../e2e/forge/slack.ts";
import { onGitHub, onGitLab } from "../../../fakes/side.ts";
import { textAnswer } from "../../../runtime/world.ts";
import { openedStage } from "../tend/stage.ts";

test.each([
  {
    name: "GitHub",
    createSide: onGitHub,
    texts: [
      ["<https://github.com/acme/api/pull/2>", "pull request #2"],
      ["<https://github.com/acme/api/pull/2/files?diff=split&amp;w=1>", "pull request #2"],
      ["#2", "#2"],
      ["acme/api#2", "#2"],
    ],
  },
  {
    name: "GitLab",
    createSide: onGitLab,
    texts: [
      ["<https://gitlab.example.org/acme/api/-/merge_requests/2/diffs?view=inline>", "pull request !2"],
      ["!2", "pull request !2"],
      ["acme/api!2", "pull request !2"],
    ],
  },
])("$name: the model learns which pull request the message names", async ({ createSide, texts }) => {
  const scene = await createForgeScene(createSide);
  const { rig, asked } = await onSlack(
    scene,
    texts.map((_, no) => textAnswer(`Read ${no}.`)),
  );
  for (const [no, [text, named]] of texts.entries()) {
    const root = rig.fake.as("bob").say(`@parley review ${text}`, { channel: "general" });
    await until(rig, root, new RegExp(`Read ${no}\\.`));
    expect(told(asked()[no])).toContain(
      `[Parley] Named here, of this conversation's repository: ${named}. read_issue`,
    );
  }
});

test.each([
  { name: "GitHub", createSide: onGitHub },
  { name: "GitLab", createSide: onGitLab },
])("$name: this pull request is the one that the thread opened", async ({ createSide }) => {
  const stage = await openedStage(createSide, [
    (messages) => {
      const [, number] = /acme\/api[#!](\d+)/.exec(JSON.stringify(messages)) ?? [];
      return use("post_review", {
        number: Number(number),
        summary: "Two tries are right.",
        comments: [{ path: "src/retry.js", line: 1, body: "The comment could name the unit." }],
      });
    },
  ]);
  const { rig, root } = stage;
  rig.fake.as("bob").say("@parley review this pull request", { channel: "general", thread: root.ts });
  const text = await until(rig, root, /Post a review\?[^]*\[Post the review\]/);
  expect(text).toMatch(/Title of [#!]1/);
});
