/**
 * The whole story of a change, with the real process ended by SIGKILL at sampled points of each chapter: an alert, its
 * diagnosis, a card with diff and green test, a draft pull request in bob's name, a red check that is fixed under a click of
 * alice, an answered comment, and a merge after another click. The story ends with one branch with one commit for each
 * push, one pull request, one reply and one merge, and each tree is one that a card showed. The sample has one end, and the
 * commit of the project chooses the forge. `TEST_WHOLE=1` and `npm run crash` have twelve ends on each forge.
 */

import { expect, it } from "vitest";
import { onGitHub, onGitLab, repoOn, type StorySide } from "../../../fakes/side.ts";
import { createForge, PROJECT } from "../../../crash/platforms/killed-forge.ts";
import { threadOf } from "../../../crash/platforms/person.ts";
import { createReal, type Point } from "../../../crash/real.ts";
import { MOST_WAIT } from "../../../patience.ts";
import { isAll } from "../../../sample.ts";
import { testSeed } from "../../../seed.ts";
import {
  BOB,
  chapters,
  connectable,
  headOf,
  liveChapter,
  onPublicEmulator,
  prepareStory,
  repliesIn,
  run,
  storyAnswer,
} from "./story.ts";

const IS_WHOLE = isAll || Number(process.env["CRASH_ENDS"] ?? 3) > 3;
const SEED = testSeed();
const SIDES: readonly {
  readonly name: string;
  readonly createSide: () => Promise<StorySide>;
  readonly merge: string;
}[] = [
  { name: "GitHub", createSide: onGitHub, merge: "pulls/merge" },
  { name: "GitLab", createSide: onGitLab, merge: "accept merge request" },
  { name: "GitHub of the npm package emulate", createSide: onPublicEmulator, merge: "pulls/merge" },
].filter((_, index) => IS_WHOLE || index === SEED % 3);

/** Every point is reached in each chapter with work on the forge. */
const KINDS: readonly (readonly [Point["kind"], points: number])[] = [
  ["after a request to the forge", 8],
  ["a commit", 25],
  ["before a request to the forge", 8],
];
const NEVER: Point = { kind: "a commit", no: Number.POSITIVE_INFINITY };

/** Ends of each chapter; the suite's sample has one end of one chapter. */
const WHOLE: readonly number[] = [2, 3, 3, 2, 2];

const endsIn = (chapter: number): number =>
  IS_WHOLE ? (WHOLE[chapter] ?? 0) : Number(chapter === Math.floor(SEED / 3) % chapters.length);

const pointsOf = (chapter: number): readonly Point[] =>
  Array.from({ length: endsIn(chapter) }, (_, end) => {
    const index = SEED + chapter * 3 + end;
    // Nothing is asked of the forge before the card.
    const [kind, points] =
      (chapter === 0 ? null : KINDS[index % KINDS.length]) ?? (["a commit", 12] as const);
    return { kind, no: 1 + ((index * 7) % points) };
  });

it.each(SIDES)(
  "one branch, one pull request, each push, reply and merge once, of what the cards showed: $name",
  async ({ createSide, merge }) => {
    const { forge, bare, file } = await createForge(() => connectable(createSide));
    forge.setMergeRules(PROJECT, { reviews: 1 });
    const real = await createReal(
      { PARLEY_FORGES: file, PARLEY_REPOS: `${forge.host}/${PROJECT}` },
      { repo: repoOn(forge, PROJECT), forge, answer: storyAnswer },
    );
    const start = run(bare, "rev-parse", "main");
    let points: readonly Point[] = [];
    const next = (): Point => {
      const [point = NEVER, ...rest] = points;
      points = rest;
      return point;
    };
    let root = "";
    const tell = async (): Promise<void> => {
      await expect.poll(() => real.slack.sockets.open.length, { timeout: MOST_WAIT }).toBeGreaterThan(0);
      await prepareStory({ slack: real.slack, forge });
      for (const [no, chapter] of chapters.entries()) {
        points = pointsOf(no);
        real.aim(next());
        root = await liveChapter(chapter, { forge, slack: real.slack, bare, root });
      }
    };
    const told = tell();
    const over = told.then(
      () => undefined,
      () => undefined,
    );
    let ends = 0;
    while (await real.endAt(next(), over)) ends += 1;
    await told;
    console.log(`killed ${ends} times before ${forge.host}, seed ${SEED}`);
    const thread = threadOf(real.slack, root);
    const head = headOf(forge);
    const tree = run(bare, "rev-parse", `${head}^{tree}`);
    const commits = run(bare, "rev-list", "--reverse", `${start}..${head}`).split("\n");
    expect(commits).toHaveLength(2);
    for (const commit of commits) {
      const shown = run(bare, "rev-parse", `${commit}^{tree}`).slice(0, 9);
      expect(thread).toContain(`tree \`${shown}\``);
    }
    expect(thread.match(/I pushed [0-9a-f]{9} to /g)).toHaveLength(1);
    expect(thread).toContain(`at \`${run(bare, "rev-parse", head).slice(0, 9)}\``);
    expect(
      run(bare, "for-each-ref", "--format=%(refname:short)", "refs/heads/").split("\n").toSorted(),
    ).toEqual(["main", head].toSorted());
    expect(run(bare, "rev-list", "--count", "--first-parent", `${start}..main`)).toBe("1");
    expect(run(bare, "rev-parse", "main^{tree}")).toBe(tree);
    expect(run(bare, "log", "-1", "--format=%P", "main")).toBe(`${start} ${run(bare, "rev-parse", head)}`);
    expect(forge.posts(PROJECT).map(({ author }) => author)).toEqual([BOB.login]);
    expect(run(bare, "log", "-1", "--format=%an", commits[0] ?? "")).toBe(BOB.name);
    const asked = forge.remarks(PROJECT, 1).findLastIndex(({ text }) => text === "Why four?");
    expect(repliesIn(forge)).toMatchObject([{ to: asked, text: expect.stringContaining("expects four") }]);
    expect(forge.writes().filter((name) => name === merge).length).toBeLessThanOrEqual(endsIn(4) + 1);
    expect([...forge.violations, ...real.slack.violations, ...real.model.violations]).toEqual([]);
  },
);
