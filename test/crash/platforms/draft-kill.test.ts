/**
 * The real process ended by SIGKILL while it rehearses a change, shows it, applies it or publishes it, at commits, calls to
 * Slack and requests to the forge: the tree that exists or is published is the tree that the card showed, and each thread
 * comes to exactly one. Where it ends is another sample with each commit; `npm run crash` ends it more often.
 */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../cli/host.ts";
import { onGitHub, repoOn } from "../../forge/side.ts";
import { testSeed } from "../../seed.ts";
import { createReal, type Point } from "../real.ts";
import { createForge, PROJECT } from "./killed-forge.ts";
import { type Alice, live, threadOf } from "./person.ts";

const ENDS = Number(process.env["CRASH_ENDS"] ?? 4);
const SEED = testSeed();

const people: readonly Alice[] = [
  { choice: "Apply", tasks: ["rehearse"] },
  { choice: "Open a draft pull request", tasks: ["rehearse"] },
];

const kinds: readonly Point["kind"][] = [
  "a commit",
  "before a call to Slack",
  "after a request to the forge",
  "after a call to Slack",
  "before a request to the forge",
];

/** Two threads side by side make about a hundred commits, thirty calls and twenty requests. */
const pointOf = (index: number): Point => {
  if (index >= ENDS) return { kind: "a commit", no: Number.POSITIVE_INFINITY };
  const kind = kinds[index % kinds.length] ?? "a commit";
  const rotated = (SEED + index * 7) % 97;
  return { kind, no: kind === "a commit" ? 8 + (rotated % 60) : 1 + (rotated % 12) };
};

/** Checkouts belong to users of their own; their objects are partly in the mirror, which is not needed here. */
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "safe.directory=*", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

it("what exists or is published is the tree that was shown", { timeout: 900_000 }, async () => {
  const { forge, bare, file } = await createForge(onGitHub);
  const real = await createReal(
    { PARLEY_FORGES: file, PARLEY_REPOS: `${forge.host}/${PROJECT}` },
    { repo: repoOn(forge, PROJECT), forge },
  );
  /** The trees of what a thread came to: as its last card has it, and as it is. */
  const treesOf = (thread: string): readonly [shown: string | undefined, real: string] => {
    const text = threadOf(real.slack, thread);
    const shown = [...text.matchAll(/tree `([0-9a-f]{9})`/g)].at(-1)?.[1];
    const branch = /Applied, on the branch `parley\/(c-[a-z0-9]+)`/.exec(text)?.[1];
    if (branch !== undefined) {
      const work = join(real.data, "threads", branch, "work");
      expect(git(work, "status", "--porcelain")).toBe("");
      return [shown, git(work, "rev-parse", "HEAD^{tree}")];
    }
    const [, number] = /Draft pull request [^|]*\|acme\/api#(\d+)>/.exec(text) ?? [];
    const pull = forge.posts(PROJECT).find(({ name }) => name === `#${number}`)?.pull;
    return [shown, git(bare, "rev-parse", `${pull?.head}^{tree}`)];
  };

  let ends = 0;
  let threads = 0;
  const trees = new Set<string>();
  while (ends < ENDS) {
    const lived = Promise.all(people.map((one) => live(real.slack, one)));
    const over = lived.then(
      () => undefined,
      () => undefined,
    );
    while (await real.endAt(pointOf(ends), over)) ends += 1;
    for (const thread of await lived) {
      const [shown, stands] = treesOf(thread);
      expect(stands.slice(0, 9)).toBe(shown);
      trees.add(stands);
      threads += 1;
    }
  }
  console.log(`killed ${ends} times, seed ${SEED}: ${threads} threads, each the tree that its card showed`);
  const audit = execFileSync(process.execPath, ["bin/parley.js", "audit"], {
    cwd: root,
    env: { PARLEY_DATA: real.data },
    encoding: "utf8",
  });
  for (const tree of trees) expect(audit).toContain(`full tree ${tree} on `);
  expect(forge.posts(PROJECT)).toHaveLength(threads / people.length);
  expect([...forge.violations, ...real.slack.violations, ...real.model.violations]).toEqual([]);
});
