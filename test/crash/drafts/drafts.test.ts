/**
 * The real process ended by SIGKILL while it rehearses scripted changes, shows them, applies or publishes them, at commits,
 * calls to Slack and requests to the forge. At every end, what exists or is published is a tree that a card has shown; in
 * the end it is the tree that the script makes, or, where the draft was changed behind its card, the one that was shown
 * next. A few changes by default; `npm run crash -- drafts` makes 500.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../app/cli/host.ts";
import { onGitHub, onGitLab, repoOn } from "../../fakes/side.ts";
import { testSeed } from "../../seed.ts";
import { createForge, PROJECT } from "../platforms/killed-forge.ts";
import { CHANNEL, live, threadOf } from "../platforms/person.ts";
import { createReal, type Point } from "../real.ts";
import { answerTo } from "./answers.ts";
import { type Change, changeable, scripted } from "./changes.ts";
import { createTrees } from "./trees.ts";

const CHANGES = Number(process.env["CRASH_CHANGES"] ?? 3);
const SEED = testSeed();
/** Of those that one process works on at a time. */
const TOGETHER = CHANGES < 50 ? 2 : 10;
/** Ends for each change; where many are made together, each of them lives through several. */
const ENDS = CHANGES < 50 ? 1 : 0.3;
/** Hosts beside each other. */
const SIDES = CHANGES < 50 ? [[onGitHub, onGitLab][SEED % 2] ?? onGitHub] : [onGitHub, onGitLab, onGitHub];

const KINDS: readonly (readonly [Point["kind"], points: number])[] = [
  ["a commit", 90],
  ["before a call to Slack", 24],
  ["after a request to the forge", 10],
  ["after a call to Slack", 24],
  ["before a request to the forge", 10],
];

/** Each kind's points one after the other, so that many ends meet them all. */
const pointOf = (index: number): Point => {
  const [kind, points] = KINDS[index % KINDS.length] ?? (["a commit", 1] as const);
  return { kind, no: 1 + ((SEED + Math.floor(index / KINDS.length) * 7) % points) };
};

const NEVER: Point = { kind: "a commit", no: Number.POSITIVE_INFINITY };

interface Told {
  readonly points: ReadonlySet<string>;
  readonly ends: number;
  readonly refused: number;
}

/** Makes the changes in front of one forge; `first`: the point of the first end. */
const endWhileChanging = async (
  side: typeof onGitHub,
  changes: readonly Change[],
  first: number,
): Promise<Told> => {
  const source = changeable();
  const { forge, bare, file } = await createForge(side, source);
  const real = await createReal(
    { PARLEY_FORGES: file, PARLEY_REPOS: `${forge.host}/${PROJECT}` },
    { repo: repoOn(forge, PROJECT), forge, answer: answerTo(changes) },
  );
  const trees = createTrees(source);
  const threads = join(real.data, "threads");
  const settled = new Set<string>();
  const voided = new Set<string>();
  const refs = (format: string): readonly string[] =>
    trees
      .git(bare, "for-each-ref", `--format=${format}`, "refs/heads/parley/")
      .split("\n")
      .filter((one) => one !== "");

  const conversationOf = ({ no }: Change): string => {
    const found = readdirSync(threads).find((id) => {
      const sealed = join(threads, id, "sealed.json");
      return (
        !settled.has(id) && existsSync(sealed) && readFileSync(sealed, "utf8").includes(`"change-${no}.txt"`)
      );
    });
    if (found === undefined) throw new Error(`nothing was proposed of change ${no}`);
    return found;
  };

  const expectOnlyShown = (): void => {
    const said = JSON.stringify(real.slack.world.messages(CHANNEL));
    const shown = (tree: string): boolean =>
      !voided.has(tree) && said.includes(`tree \`${tree.slice(0, 9)}\``);
    for (const tree of refs("%(tree)")) expect(shown(tree), `${tree} was published`).toBe(true);
    for (const id of existsSync(threads) ? readdirSync(threads) : []) {
      const work = join(threads, id, "work");
      if (settled.has(id) || !existsSync(work)) continue;
      const stands = trees.of(work);
      expect(shown(stands), `${stands} stands in ${id}`).toBe(true);
      expect(trees.git(work, "rev-parse", "HEAD^{tree}")).toBe(stands);
    }
  };

  const points = new Set<string>();
  let ends = 0;
  let tries = first;
  let refused = 0;
  const wanted = new Map<number, string>();
  const makeReal = async (change: Change): Promise<void> => {
    const { no, choice, mutation } = change;
    const first = trees.after(change.script);
    wanted.set(no, first);
    const before = (): void => {
      if (mutation === null) return;
      voided.add(first);
      wanted.set(no, trees.spoil(join(threads, conversationOf(change), "draft/work"), mutation));
    };
    const ask = async (): Promise<string> =>
      threadOf(real.slack, await live(real.slack, { choice, tasks: [`change ${no}`], before }));
    let text = await ask();
    // A clone that a busy machine was too slow for: nothing was begun.
    while (/could not be reached\. Nothing was changed/.test(text)) text = await ask();
    const shown = [...text.matchAll(/on top of `[0-9a-f]{9}`, tree `([0-9a-f]{9})`/g)].map(
      ([, tree]) => tree,
    );
    const last = wanted.get(no) ?? "";
    expect([...new Set(shown)], text).toEqual([...new Set([first, last])].map((tree) => tree.slice(0, 9)));
    const id = conversationOf(change);
    if (mutation !== null) {
      expect(text).toMatch(/draft has changed since it was shown/i);
      refused += 1;
    }
    if (choice === "Apply") {
      expect(trees.of(join(threads, id, "work"))).toBe(last);
      expect(refs("%(refname)")).not.toContain(`refs/heads/parley/${id}`);
    } else {
      expect(existsSync(join(threads, id, "work"))).toBe(false);
      expect(trees.git(bare, "rev-parse", `parley/${id}^{tree}`)).toBe(last);
    }
    settled.add(id);
  };

  for (let from = 0; from < changes.length; from += TOGETHER) {
    const some = changes.slice(from, from + TOGETHER);
    const lived = Promise.all(some.map(makeReal));
    const over = lived.then(
      () => undefined,
      () => undefined,
    );
    for (;;) {
      const point = ends < (from + some.length) * ENDS ? pointOf(tries) : NEVER;
      tries += 1;
      if (!(await real.endAt(point, over))) break;
      points.add(`${point.kind} ${point.no}`);
      ends += 1;
      expectOnlyShown();
    }
    await lived;
    console.log(`${forge.host}: ${settled.size} changes, killed ${ends} times, ${refused} refused`);
  }
  const audit = execFileSync(process.execPath, ["bin/parley.js", "audit"], {
    cwd: root,
    env: { PARLEY_DATA: real.data },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  for (const tree of wanted.values()) expect(audit).toContain(`full tree ${tree} on `);
  const published = changes.filter(({ choice }) => choice !== "Apply");
  expect(forge.posts(PROJECT).filter(({ pull }) => pull !== null)).toHaveLength(published.length);
  expect([...forge.violations, ...real.slack.violations, ...real.model.violations]).toEqual([]);
  return { points, ends, refused };
};

it("what exists or is published is a tree that was shown, wherever the process ends", {
  timeout: 7_200_000,
}, async () => {
  const began = Date.now();
  const changes = scripted(CHANGES, SEED);
  const told = await Promise.all(
    SIDES.map((side, index) =>
      endWhileChanging(
        side,
        changes.filter(({ no }) => Math.floor(no / 6) % SIDES.length === index),
        index * 2,
      ),
    ),
  );
  const points = new Set(told.flatMap((one) => [...one.points]));
  const [ends, refused] = [
    told.reduce((sum, one) => sum + one.ends, 0),
    told.reduce((sum, one) => sum + one.refused, 0),
  ];
  console.log(
    `drafts of seed ${SEED}: ${CHANGES} changes, killed ${ends} times at ${points.size} points, each the tree that was shown; ${refused} changed after their card, all refused; ${Math.round((Date.now() - began) / 1_000)} s`,
  );
  expect(refused).toBe(changes.filter(({ mutation }) => mutation !== null).length);
});
