/**
 * Threads with *Merge* at the message of a pull request, on each platform and each forge. An approver asks, and the card shows
 * the commits. Where two people are required, another approver decides. `npx vitest run test/features/forge/merge-click.test.ts -u`
 * records the threads anew; read them line by line.
 */

import { describe, expect, it } from "vitest";
import { createForgeScene, PROJECT, use } from "../../e2e/forge/scene.ts";
import { onGitHub, onGitLab, type Side } from "../../fakes/side.ts";
import { pushCommit } from "../../fakes/shared/merge.ts";
import { textAnswer } from "../../runtime/world.ts";
import { inTurn } from "../../threads/scenarios.ts";
import { discordStage, slackStage } from "../../threads/stage.ts";

const MERGES: readonly string[] = ["pulls/merge", "accept merge request"];
const PATCH = {
  where: "draft",
  path: "src/retry.js",
  patches: [{ operation: "replace", oldText: "ATTEMPTS = 0", newText: "ATTEMPTS = 3" }],
};

/** A thread of bob whose pull request an approver has opened. */
const opened = async (
  open: typeof slackStage,
  side: () => Promise<Side>,
  env: Readonly<Record<string, string>> = {},
) => {
  const { forge, tools, workspaces, drafts, read, served, pulls } = await createForgeScene(side);
  const stage = await open({
    tools,
    workspaces,
    drafts,
    ready: read,
    env,
    answer: inTurn(
      use("draft", {}),
      use("patch", PATCH),
      use("propose", { title: "Send at all", summary: "ATTEMPTS was 0.", test_command: "true" }),
      textAnswer("The pull request is open."),
      use("merge_pull_request", {}),
      textAnswer("The merge is settled."),
    ),
  });
  stage.say("bob", "@parley please try three times");
  await stage.until(/\[Open a draft pull request\]/);
  await stage.click(stage.approver, "Open a draft pull request");
  await stage.until(/is open\.[^]*\[Merge\]|\[Merge\][^]*is open\./);
  const merges = (): number => forge.writes().filter((name) => MERGES.includes(name)).length;
  const [pull] = pulls();
  if (pull === undefined) throw new Error("there is no pull request");
  return { forge, stage, served, merges, branch: pull.pull.head };
};

describe.each([
  ["slack", slackStage],
  ["discord", discordStage],
] as const)("on %s", (platform, open) => {
  /** On Discord, maria is the only approver of the stand-in. */
  const other = platform === "slack" ? "bob" : null;
  const TWO = {
    PARLEY_TWO_PERSON: "on",
    ...(other === null ? {} : { PARLEY_APPROVERS: "slack:UALICE,slack:UBOB" }),
  };

  it.each([
    ["github", onGitHub],
    ["gitlab", onGitLab],
  ] as const)("one approver asks on %s, and another one decides", async (name, side) => {
    const { stage, served, merges, branch } = await opened(open, side, TWO);
    const tree = await served("rev-parse", `${branch}^{tree}`);
    await stage.click(stage.approver, "Merge");
    await stage.until(/Propose the merge of [^]*Merge the pull request\?/);
    await stage.click(stage.approver, "Approve");
    await stage.until(/You can't approve your own request here/);
    expect(merges()).toBe(0);
    if (other !== null) {
      await stage.click(other, "Approve");
      await stage.until(/The merge is settled\./);
      expect(merges()).toBe(1);
      expect(await served("rev-parse", "main^{tree}")).toBe(tree);
    }
    await expect(await stage.story()).toMatchFileSnapshot(`threads/merge-${name}.${platform}.txt`);
  });

  it("only an approver asks", async () => {
    const { stage, merges } = await opened(open, onGitHub);
    await stage.click("bob", "Merge");
    await stage.until(/Only approvers can ask for a merge with this button/);
    await stage.click(stage.approver, "Merge");
    await stage.until(/Merge the pull request\?/);
    expect(merges()).toBe(0);
  });

  it("a failed check is named to the person who clicks, and nobody is asked; a green one is merged", async () => {
    const { forge, stage, served, merges, branch } = await opened(open, onGitHub);
    const commit = await served("rev-parse", branch);
    forge.setCheck(PROJECT, { name: "test", commit, state: "failure" });
    await stage.click(stage.approver, "Merge");
    await stage.until(/cannot be merged now: These checks failed: "test"/);
    forge.setCheck(PROJECT, { name: "test", commit, state: "success" });
    await stage.click(stage.approver, "Merge");
    await stage.until(/Merge the pull request\?/);
    await stage.click(stage.approver, "Approve");
    await stage.until(/The merge is settled\./);
    expect(merges()).toBe(1);
  });

  it("a push after the card voids the click on it", async () => {
    const { stage, served, merges, branch } = await opened(open, onGitHub);
    await stage.click(stage.approver, "Merge");
    await stage.until(/Merge the pull request\?/);
    pushCommit(await served("rev-parse", "--absolute-git-dir"), branch, "late.js", "late\n");
    await stage.click(stage.approver, "Approve");
    await stage.until(/has changed since this card[^]*The merge is settled\./);
    expect(merges()).toBe(0);
  });
});
