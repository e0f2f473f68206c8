/** Changes that are rehearsed, shown and made real. */

import { onTestFinished } from "vitest";
import type { ModelOutcome } from "../../src/ports/model.ts";
import type { ProposedWrite } from "../../src/ports/tools.ts";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { createForgeScene, type ForgeScene, use } from "../e2e/forge/scene.ts";
import { textAnswer } from "../runtime/world.ts";
import type { StageOptions } from "./stage.ts";

const diffOf = (tries: number): string =>
  [
    "diff --git a/src/retry.js b/src/retry.js",
    "--- a/src/retry.js",
    "+++ b/src/retry.js",
    "@@ -1,1 +1,1 @@",
    "-export const ATTEMPTS = 0;",
    `+export const ATTEMPTS = ${tries};`,
    "",
  ].join("\n");

export const resultOf = (no: number): ProposedWrite & { readonly kind: "result" } => {
  const isGreen = no > 1;
  const tree = (isGreen ? "beef" : "dead").repeat(10);
  return {
    kind: "result",
    title: "Try uploads three times",
    summary: isGreen ? "Three tries, and the test passes." : "Two tries.",
    project: "acme/api",
    fingerprint: tree,
    result: {
      tree,
      base: "abc1234567".repeat(4),
      files: [
        { path: ".github/workflows/test.yml", change: "mode", added: 0, removed: 0 },
        { path: "logo.png", change: "binary", added: null, removed: null },
        { path: "src/retry.js", change: "changed", added: 1, removed: 1 },
        { path: "test/retry.test.js", change: "added", added: 9, removed: 0 },
      ],
      filesInAll: 4,
      added: 10,
      removed: 1,
      diff: diffOf(isGreen ? 3 : 2),
      isDiffCut: false,
      delicate: [
        { why: "workflow", path: ".github/workflows/test.yml" },
        { why: "binary", path: "logo.png" },
      ],
      test: {
        command: "npm test",
        status: isGreen ? 0 : 1,
        tail: isGreen ? "3 passed" : "2 passed, 1 failed\n  expected 3 tries, but there were 2",
        seconds: 4.2,
      },
      commits: [{ title: "Try uploads three times", tree }],
    },
  };
};

/** How the forge's project is tested. */
const TEST = "grep -q 'ATTEMPTS = 3' src/retry.js && echo '1 passed' || { echo '1 failed'; exit 1; }";
const TITLE = "Try uploads three times";

export const change = (from: number, to: number) =>
  use("patch", {
    where: "draft",
    path: "src/retry.js",
    patches: [{ operation: "replace", oldText: `ATTEMPTS = ${from}`, newText: `ATTEMPTS = ${to}` }],
  });
const run = use("bash", { where: "draft", command: TEST });
export const propose = (summary: string) => use("propose", { title: TITLE, summary, test_command: TEST });

/** Tested red, shown, sent back, tested green, shown again. */
export const sentBack: readonly ModelOutcome[] = [
  use("draft", {}),
  change(0, 2),
  run,
  propose("Two tries. The test fails, and I do not know why."),
  change(2, 3),
  run,
  propose("Three tries, and the test passes."),
  textAnswer("The change is tested and proposed as a draft."),
];

/** As it should be at once. */
export const shownOnce: readonly ModelOutcome[] = [
  use("draft", {}),
  change(0, 3),
  run,
  propose("Three tries, and the test passes."),
  textAnswer("Uploads are tried three times now."),
];

const keep = (title: string) =>
  use("bash", {
    where: "draft",
    command: `git -c user.name=p -c user.email=p@host.test commit -qam '${title}'`,
  });

/** In two commits and what stands beyond them. */
export const inCommits: readonly ModelOutcome[] = [
  use("draft", {}),
  change(0, 2),
  keep("Try twice"),
  change(2, 3),
  keep("Try three times"),
  change(3, 4),
  propose("Four tries; whoever likes takes fewer."),
  textAnswer("Taken as far as you wanted."),
];

/**
 * Everything is real but the model's words. `published`: what is done with the forge's pull requests in the end; each tree is
 * what the last card showed.
 */
export const rehearsing = async (
  answers: readonly ModelOutcome[],
  ends: (scene: ForgeScene, shown: readonly string[]) => Promise<void>,
): Promise<StageOptions> => {
  const scene = await createForgeScene();
  const { writes } = scene.tools;
  if (writes === undefined) throw new Error("nothing can be written");
  const shown: string[] = [];
  onTestFinished(() => ends(scene, shown));
  return {
    drafts: scene.drafts,
    blobs: scene.blobs,
    workspaces: scene.workspaces,
    tools: {
      ...scene.tools,
      writes: {
        ...writes,
        propose: async (...given) => {
          const proposed = await writes.propose(...given);
          if (proposed.kind === "result") shown.push(proposed.result.tree);
          return proposed;
        },
      },
    },
    answer: (_messages: readonly PromptMessage[], no: number) =>
      answers[no - 1] ?? textAnswer("Nothing more."),
  };
};
