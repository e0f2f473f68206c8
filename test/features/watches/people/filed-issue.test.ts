/**
 * *File an issue* below a look, from the click to the forge's answer, on each platform and each forge: the repository's template,
 * the search for similar issues, the card, and who may approve the card.
 */

import { describe, expect, it } from "vitest";
import type { ModelOutcome } from "../../../../src/ports/model.ts";
import { createForgeScene, PROJECT, use } from "../../../e2e/forge/scene.ts";
import { onGitHub, onGitLab, repoOn, type Side } from "../../../fakes/side.ts";
import { textAnswer } from "../../../runtime/world.ts";
import { told } from "../../../adapters/rig.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";
import { lookScene, PEOPLE_SOURCE } from "./scene.ts";

const CITED = "The cart has no rows, see src/cart.ts:3.";
const END = /\[Ask a maintainer\]/;
const TITLE = "The cart crashes when it is empty";
const CARD = /File an issue\?[^]*\[Approve\]/;

interface Kind {
  readonly side: () => Promise<Side>;
  readonly path: string;
  readonly template: string;
  /** The answers of the template. */
  readonly filled: object;
}

const KINDS: Readonly<Record<"GitHub" | "GitLab", Kind>> = {
  GitHub: {
    side: onGitHub,
    path: ".github/ISSUE_TEMPLATE/bug.md",
    template: "## What happens\n",
    filled: { template: "bug.md", body: "## What happens\n\nAn empty cart crashes.\n" },
  },
  GitLab: {
    side: onGitLab,
    path: ".gitlab/issue_templates/Bug.md",
    template: "## What happens\n",
    filled: { template: "Bug.md", body: "## What happens\n\nAn empty cart crashes.\n" },
  },
};

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  const begun = async ({ side, path, template }: Kind, steps: readonly ModelOutcome[]) => {
    const { forge, tools, workspaces } = await createForgeScene(side);
    forge.putFile(PROJECT, path, template);
    forge.addIssue(PROJECT, { title: "The empty cart crashes", author: "ana", text: "On my phone." });
    const answers = [textAnswer(CITED), ...steps][Symbol.iterator]();
    const scene = await lookScene(platform, PEOPLE_SOURCE, {
      tools,
      workspaces,
      repo: repoOn(forge, PROJECT),
      env: { PARLEY_REPOS: `${forge.host}/${PROJECT}` },
      answer: (messages, no) =>
        lookIn(messages) === null
          ? (answers.next().value ?? textAnswer("Nothing more."))
          : deciding(crashes)(messages, no),
    });
    const root = scene.post("bob", TITLE);
    await scene.reads(root, END);
    return { forge, scene, root };
  };

  it.each(["GitHub", "GitLab"] as const)(
    "%s: the template is filled, similar issues are read first, and only an approver's click files, once",
    async (name) => {
      const kind = KINDS[name];
      const draft = { title: TITLE, ...kind.filled };
      const { forge, scene, root } = await begun(kind, [
        use("file_issue", { title: TITLE, body: "An empty cart crashes." }),
        use("file_issue", draft),
        use("read_issue", { number: 1 }),
        use("file_issue", { ...draft, notDuplicateOf: [1] }),
        textAnswer("The issue is filed."),
      ]);
      scene.click(root, "bob", "File an issue");
      const card = await scene.reads(root, CARD);
      expect(card).toContain("The empty cart crashes");
      const asked = scene.asked.map(told).join("\n");
      expect(JSON.stringify(scene.asked)).toMatch(/the repository has templates[^]*similar issues exist/);
      expect(asked).toContain("File an issue on the forge of this repository");
      for (const who of ["bob", "carol"]) {
        scene.click(root, who, "Approve");
        await expect.poll(() => scene.whispered(who)).toContain("You can't decide this");
      }
      expect(forge.writes()).toEqual([]);
      scene.click(root, "alice", "Approve");
      const text = await scene.reads(root, /The issue is filed\./);
      expect(text).toMatch(/Filed the issue/);
      scene.click(root, "carol", "File an issue");
      await expect.poll(() => scene.whispered("carol")).toContain("already been asked");
      const posts = forge.posts(PROJECT);
      expect(posts).toHaveLength(2);
      expect(posts[1]).toMatchObject({
        title: TITLE,
        text: expect.stringMatching(/## What happens\s+An empty cart crashes\./),
      });
      expect(scene.violations()).toEqual([]);
    },
  );

  it("a passer-by's click asks in the name of the passer-by; a denied card files nothing", async () => {
    const kind = KINDS.GitHub;
    const { forge, scene, root } = await begun(kind, [
      use("file_issue", { title: TITLE, ...kind.filled, notDuplicateOf: [1] }),
      textAnswer("Nothing is filed."),
    ]);
    scene.click(root, "carol", "File an issue");
    await scene.reads(root, CARD);
    const [one] = scene.bot.list(10, null);
    const speaker =
      one === undefined ? null : (await scene.bot.read(one.conversation.id))?.state.turn.speaker;
    expect(speaker?.name).toMatch(/carol/i);
    expect(speaker?.mayApprove).toBe(false);
    scene.click(root, "alice", "Deny");
    await scene.reads(root, /Nothing is filed\./);
    expect(forge.writes()).toEqual([]);
    expect(forge.posts(PROJECT)).toHaveLength(1);
  });
});
