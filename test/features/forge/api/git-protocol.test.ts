/** What a remote reports of a push, in the words of git and of GitHub, as one sentence of ours. */

import { expect, it } from "vitest";
import { reportOf } from "../../../../src/features/forge/api/git-protocol.ts";

const BRANCH = "parley/c-1";

const report = (...lines: readonly string[]): Uint8Array =>
  Buffer.from(
    `${lines.map((line) => `${(line.length + 5).toString(16).padStart(4, "0")}${line}\n`).join("")}0000`,
  );

it("says nothing of a branch that was taken", () => {
  expect(reportOf(report("unpack ok", `ok refs/heads/${BRANCH}`), BRANCH)).toBeNull();
});

it.each([
  [
    "protected branch hook declined",
    /^a rule of the repository protects it \(protected branch hook declined\)/,
  ],
  ["push declined due to repository rule violations", /^a rule of the repository protects it/],
  ["pre-receive hook declined", /^a rule of the repository protects it/],
  ["fetch first", /^somebody else has pushed to it meanwhile; nothing was pushed over it\.$/],
  ["failed to update ref", /^somebody else has pushed to it meanwhile/],
  ["cannot lock ref 'refs/heads/parley/c-1': reference already exists", /^somebody else has pushed/],
  ["shallow update not allowed", /^shallow update not allowed\.$/],
  ["", /^no reason was given\.$/],
])("“%s” is told in a sentence", (reason, wanted) => {
  expect(reportOf(report("unpack ok", `ng refs/heads/${BRANCH} ${reason}`), BRANCH)).toMatch(wanted);
});

it("says that the commit could not be read, and that there was no report", () => {
  expect(reportOf(report("unpack index-pack abnormal exit"), BRANCH)).toMatch(/could not read the commit/);
  expect(reportOf(Buffer.from("<html>"), BRANCH)).toBe("it gave no report.");
});
