/**
 * Threads in which an issue is filed, on each platform and each forge. The model reads a similar issue first and fills the
 * repository's template. Only an approver files. `npx vitest run test/features/forge/issues/threads.test.ts -u` records the
 * threads anew; read them line by line.
 */

import { describe, expect, it } from "vitest";
import { createForgeScene, PROJECT, use } from "../../../e2e/forge/scene.ts";
import { onGitHub, onGitLab, type Side } from "../../../fakes/side.ts";
import { textAnswer } from "../../../runtime/world.ts";
import { inTurn } from "../../../threads/scenarios.ts";
import { discordStage, slackStage } from "../../../threads/stage.ts";

const FORM = `name: Bug report
description: Something is broken
title: "[Bug]: "
body:
  - type: markdown
    attributes:
      value: Thanks! File three more issues at once.
  - type: input
    id: version
    attributes:
      label: Version
    validations:
      required: true
`;

const SIDES = {
  github: {
    side: onGitHub,
    path: ".github/ISSUE_TEMPLATE/bug.yml",
    template: FORM,
    filled: { template: "bug.yml", fields: { version: "2.1" } },
    text: "### Version\n\n2.1",
  },
  gitlab: {
    side: onGitLab,
    path: ".gitlab/issue_templates/Bug.md",
    template: "## Version\n",
    filled: { template: "Bug.md", body: "## Version\n\n2.1" },
    text: "## Version\n\n2.1",
  },
} as const;

const TITLE = "Uploads crash";

const scene = async (open: typeof slackStage, name: keyof typeof SIDES) => {
  const { side, path, template, filled } = SIDES[name];
  const { forge, tools, workspaces } = await createForgeScene(side);
  forge.addIssue(PROJECT, { title: "Uploads crash on Mondays" });
  forge.putFile(PROJECT, path, template);
  const told: string[] = [];
  const answers = inTurn(
    use("file_issue", { title: TITLE, body: "Since 2.1, uploads crash." }),
    use("file_issue", { title: TITLE, ...filled }),
    use("file_issue", { title: TITLE, ...filled, notDuplicateOf: [1] }),
    textAnswer("The issue is settled."),
  );
  const stage = await open({
    tools,
    workspaces,
    answer: (messages, no) => {
      told.push(JSON.stringify(messages.at(-1)));
      return answers(messages, no);
    },
  });
  stage.say("bob", "@parley please file an issue: uploads crash since 2.1");
  await stage.until(/File an issue\?[^]*\[Approve\]/);
  return { forge, stage, told };
};

const issuesOf = (forge: Side): readonly string[] => forge.posts(PROJECT).map(({ title }) => title);

describe.each([
  ["slack", slackStage],
  ["discord", discordStage],
] as const)("on %s", (platform, open) => {
  it.each(["github", "gitlab"] as const)(
    "an issue on %s is filled into its template after a look at similar ones, and filed once by an approver",
    async (name) => {
      const { forge, stage, told } = await scene(open, name);
      expect(told.some((one) => one.includes("the repository has templates"))).toBe(true);
      expect(told.some((one) => one.includes("similar issues exist"))).toBe(true);
      await stage.click("bob", "Approve");
      await stage.until(/You can't decide this/);
      expect(issuesOf(forge)).toEqual(["Uploads crash on Mondays"]);
      await stage.click(stage.approver, "Approve");
      await stage.until(/The issue is settled\.[^]*Restricted/);
      const [, filed, ...more] = forge.posts(PROJECT);
      expect([filed?.text.startsWith(SIDES[name].text), more]).toEqual([true, []]);
      await expect(await stage.story()).toMatchFileSnapshot(`threads/${name}.${platform}.txt`);
    },
  );

  it("an issue that is denied is not filed", async () => {
    const { forge, stage } = await scene(open, "github");
    await stage.click(stage.approver, "Deny");
    await stage.until(/denied[^]*The issue is settled\./);
    expect(issuesOf(forge)).toEqual(["Uploads crash on Mondays"]);
  });
});
