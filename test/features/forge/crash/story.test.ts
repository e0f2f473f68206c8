/**
 * The whole story of a change, with the real process ended by SIGKILL at sampled points of each chapter: a card with diff
 * and green test, a draft pull request, and a merge after alice's click. In the end there is one branch with one commit,
 * one pull request and one merge, and the trees are the one that the card showed. Another forge with each commit of the
 * project (`npm run crash`: both, with more ends).
 */

import { expect, it } from "vitest";
import { onGitHub, onGitLab, repoOn } from "../../../fakes/side.ts";
import { createForge, PROJECT } from "../../../crash/platforms/killed-forge.ts";
import { threadOf } from "../../../crash/platforms/person.ts";
import { createReal, type Point } from "../../../crash/real.ts";
import { testSeed } from "../../../seed.ts";
import { chapters, headOf, liveChapter, run, storyAnswer } from "./story.ts";

/** Ends of each chapter. */
const ENDS = Number(process.env["CRASH_ENDS"] ?? 3) > 3 ? 6 : 2;
const SEED = testSeed();
const SIDES = [
  { name: "GitHub", createSide: onGitHub, merge: "pulls/merge" },
  { name: "GitLab", createSide: onGitLab, merge: "accept merge request" },
].filter((_, index) => ENDS > 2 || index === SEED % 2);

const KINDS: readonly (readonly [Point["kind"], points: number])[] = [
  ["after a request to the forge", 20],
  ["a commit", 40],
  ["before a request to the forge", 20],
];
const NEVER: Point = { kind: "a commit", no: Number.POSITIVE_INFINITY };

const pointOf = (chapter: number, end: number): Point => {
  if (end >= ENDS) return NEVER;
  const index = SEED + chapter * ENDS + end;
  const [kind, points] = KINDS[index % KINDS.length] ?? (["a commit", 1] as const);
  return { kind, no: 1 + ((index * 7) % points) };
};

it.each(SIDES)(
  "one branch, one pull request and one merge of what the card showed: $name",
  async ({ createSide, merge }) => {
    const { forge, bare, file } = await createForge(createSide);
    forge.setMergeRules(PROJECT, { reviews: 1 });
    const real = await createReal(
      { PARLEY_FORGES: file, PARLEY_REPOS: `${forge.host}/${PROJECT}` },
      { repo: repoOn(forge, PROJECT), forge, answer: storyAnswer },
    );
    const start = run(bare, "rev-parse", "main");
    let root: string | null = null;
    let ends = 0;
    for (const [no, chapter] of chapters.entries()) {
      const lived: Promise<string> = liveChapter(chapter, { forge, slack: real.slack, bare, root });
      const over = lived.then(
        () => undefined,
        () => undefined,
      );
      for (let end = 0; await real.endAt(pointOf(no, end), over); end += 1) ends += 1;
      root = await lived;
    }
    console.log(`killed ${ends} times before ${forge.host}, seed ${SEED}`);
    const thread = threadOf(real.slack, root ?? "");
    const head = headOf(forge);
    const tree = run(bare, "rev-parse", `${head}^{tree}`);
    expect(thread).toContain(`tree \`${tree.slice(0, 9)}\``);
    expect(thread).toContain(`at \`${run(bare, "rev-parse", head).slice(0, 9)}\``);
    expect(
      run(bare, "for-each-ref", "--format=%(refname:short)", "refs/heads/").split("\n").toSorted(),
    ).toEqual(["main", head].toSorted());
    expect(run(bare, "rev-list", "--count", `${start}..${head}`)).toBe("1");
    expect(run(bare, "rev-list", "--count", "--first-parent", `${start}..main`)).toBe("1");
    expect(run(bare, "rev-parse", "main^{tree}")).toBe(tree);
    expect(run(bare, "log", "-1", "--format=%P", "main")).toBe(`${start} ${run(bare, "rev-parse", head)}`);
    expect(forge.posts(PROJECT)).toHaveLength(1);
    expect(forge.writes().filter((name) => name === merge).length).toBeLessThanOrEqual(ENDS + 1);
    expect([...forge.violations, ...real.slack.violations, ...real.model.violations]).toEqual([]);
  },
);
