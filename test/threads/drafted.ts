/** A change that is rehearsed, sent back, rehearsed again and opened as a draft pull request; what the host reads of it is scripted. */

import type { ModelOutcome } from "../../src/ports/model.ts";
import type { Proposed } from "../../src/ports/tools.ts";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { textAnswer, toolAnswer, toolResult } from "../runtime/world.ts";
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

export const resultOf = (no: number): Proposed & { readonly kind: "result" } => {
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

const DRAFT = { name: "draft", input: {} };
const TRY = { name: "bash", input: { command: "npm test", where: "draft" } };
const PROPOSE = {
  name: "propose",
  input: { title: "Try uploads three times", summary: "Three tries.", test_command: "npm test" },
};

const steps: readonly ModelOutcome[] = [
  toolAnswer(DRAFT),
  toolAnswer(TRY),
  toolAnswer(PROPOSE),
  toolAnswer(TRY),
  toolAnswer(PROPOSE),
  textAnswer("The change is tested and proposed as a draft."),
];

/** One draft that is as it should be at once. */
export const applied = (): StageOptions => {
  const options = drafted();
  const [draft, run, propose] = steps;
  return {
    ...options,
    tools: {
      ...options.tools,
      writes: {
        propose: ({ name }) => Promise.resolve(name === "propose" ? small(resultOf(2)) : { kind: "none" }),
        write: () =>
          Promise.resolve({
            outcome: toolResult("Done, as a person approved it: the branch parley/c-1"),
            wrote: { kind: "done", name: "parley/c-1" },
          }),
      },
    },
    answer: (_messages, no) =>
      [draft, run, propose][no - 1] ?? textAnswer("Uploads are tried three times now; `npm test` passes."),
  };
};

const small = (proposed: Proposed & { readonly kind: "result" }): Proposed => ({
  ...proposed,
  result: {
    ...proposed.result,
    files: proposed.result.files.slice(2, 3),
    filesInAll: 1,
    added: 1,
    delicate: [],
  },
});

export const drafted = (): StageOptions => {
  let proposals = 0;
  return {
    tools: {
      run: ({ name }) =>
        Promise.resolve({ ...toolResult(name === "draft" ? "A draft is open." : "done"), exit: 0 }),
      writes: {
        propose: ({ name }) => {
          if (name !== "propose") return Promise.resolve({ kind: "none" });
          proposals += 1;
          return Promise.resolve(resultOf(proposals));
        },
        write: () =>
          Promise.resolve({
            outcome: toolResult("Done, as a person approved it: acme/api#2"),
            wrote: { kind: "done", name: "acme/api#2", url: "https://forge.example/acme/api/pull/2" },
          }),
      },
    },
    answer: (_messages: readonly PromptMessage[], no: number) => steps[no - 1] ?? textAnswer("Nothing more."),
  };
};
