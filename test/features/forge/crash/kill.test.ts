/**
 * The real process ended by SIGKILL while it clones, proposes, pushes and opens a pull request, at requests to the forge
 * and at commits: each thread has one draft of one commit in the end, and reads as if nothing had happened.
 * Which requests it ends at is another sample with each commit, and so is the forge: GitHub with one, GitLab with the next
 * (`npm run crash`: both).
 */

import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { onGitHub, onGitLab, repoOn } from "../../../fakes/side.ts";
import { testSeed } from "../../../seed.ts";
import { createForge, PROJECT } from "../../../crash/platforms/killed-forge.ts";
import { live, threadOf } from "../../../crash/platforms/person.ts";
import { plainly } from "../../../crash/plainly.ts";
import { createReal, type Point } from "../../../crash/real.ts";

/** `npm run crash` ends it more often. */
const ENDS = Number(process.env["CRASH_ENDS"] ?? 3);
const SEED = testSeed();
const SIDES = [
  { name: "GitHub", createSide: onGitHub },
  { name: "GitLab", createSide: onGitLab },
].filter((_, index) => ENDS > 3 || index === SEED % 2);
const alice = { choice: "Approve", tasks: ["propose"] } as const;

const kinds: readonly Point["kind"][] = [
  "after a request to the forge",
  "before a request to the forge",
  "a commit",
];

/** A turn makes about twenty requests and forty commits. */
const pointOf = (index: number, seed: number): Point => {
  if (index >= ENDS) return { kind: "a commit", no: Number.POSITIVE_INFINITY };
  const kind = kinds[index % kinds.length] ?? "a commit";
  const rotated = (seed + index * 7) % 97;
  return { kind, no: kind === "a commit" ? 8 + (rotated % 30) : 1 + (rotated % 12) };
};

it.each(SIDES)(
  "each thread has one draft of one commit, and reads as if nothing had happened: $name",
  async ({ createSide }) => {
    const { forge, bare, file } = await createForge(createSide);
    const real = await createReal(
      { PARLEY_FORGES: file, PARLEY_REPOS: `${forge.host}/${PROJECT}` },
      { repo: repoOn(forge, PROJECT), forge },
    );
    const numbered = (root: string): string =>
      plainly(threadOf(real.slack, root))
        .replaceAll(/acme\/api([#!]|\/pull\/|\/-\/merge_requests\/)\d+/g, "acme/api$1N")
        .replaceAll(/parley\/c-[a-z0-9]+/g, "parley/c-ID");
    const host = await real.start();
    const whole = numbered(await live(real.slack, alice));
    expect(await host.stop("SIGTERM")).toBe(0);

    let ends = 0;
    let threads = 1;
    while (ends < ENDS) {
      const lived = live(real.slack, alice);
      const over = lived.then(
        () => undefined,
        () => undefined,
      );
      while (await real.endAt(pointOf(ends, SEED), over)) ends += 1;
      expect(numbered(await lived)).toBe(whole);
      threads += 1;
    }
    console.log(
      `killed ${ends} times before ${forge.host}, seed ${SEED}: ${threads} threads, one draft each`,
    );
    const heads = forge.posts(PROJECT).map(({ pull }) => pull?.head);
    expect(heads).toHaveLength(threads);
    expect(new Set(heads).size).toBe(threads);
    const git = (...args: readonly string[]): string =>
      execFileSync("git", args, { cwd: bare, encoding: "utf8" }).trim();
    for (const head of heads) expect(git("rev-list", "--count", `main..${head}`)).toBe("1");
    expect([...forge.violations, ...real.slack.violations, ...real.model.violations]).toEqual([]);
  },
);
