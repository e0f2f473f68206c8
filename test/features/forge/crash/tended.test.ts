/**
 * SIGKILL ends the real process while a turn of a looked-after pull request thinks: at a request to the model. After one
 * end, another try does the work. After two ends the thread says what to do, and a check that runs again starts the work. In
 * the end the branch has one commit for each push, with the tree that its card showed, and the bounds hold. Each commit of
 * the project chooses another forge and number of ends (`npm run crash`: all).
 */

import { expect, it, vi } from "vitest";
import { createForge, PROJECT } from "../../../crash/platforms/killed-forge.ts";
import { threadOf } from "../../../crash/platforms/person.ts";
import { createReal } from "../../../crash/real.ts";
import { onGitHub, onGitLab, repoOn } from "../../../fakes/side.ts";
import { MOST_WAIT } from "../../../patience.ts";
import { oneOfCases } from "../../../sample.ts";
import { testSeed } from "../../../seed.ts";
import { chapterOf, headOf, liveChapter, run, storyAnswer } from "./story.ts";

const IS_WHOLE = Number(process.env["CRASH_ENDS"] ?? 3) > 3;
const SEED = testSeed();
/** Requests to the model before the card that is pushed. */
const REQUESTS = 3;

const CASES = [
  { name: "GitHub, ended once", createSide: onGitHub, ends: 1 },
  { name: "GitHub, ended twice", createSide: onGitHub, ends: 2 },
  { name: "GitLab, ended twice", createSide: onGitLab, ends: 2 },
  { name: "GitLab, ended once", createSide: onGitLab, ends: 1 },
];

it.each(IS_WHOLE ? CASES : oneOfCases(CASES))(
  "each push once within the bounds: $name",
  async ({ createSide, ends }) => {
    const { forge, bare, file } = await createForge(createSide);
    const real = await createReal(
      { PARLEY_FORGES: file, PARLEY_REPOS: `${forge.host}/${PROJECT}` },
      { repo: repoOn(forge, PROJECT), forge, answer: storyAnswer },
    );
    const start = run(bare, "rev-parse", "main");
    const commits = (): readonly string[] =>
      run(bare, "rev-list", "--reverse", `${start}..${headOf(forge)}`).split("\n");
    const first = await real.start();
    const root = await liveChapter(
      {
        ...chapterOf("card"),
        begin: ({ slack }) => {
          const { ts } = slack.as("bob").say("@parley please fix the attempts", { channel: "general" });
          return { root: ts, since: ts, asker: "bob" };
        },
      },
      { forge, slack: real.slack, bare, root: "" },
    );
    await first.stop("SIGTERM");

    // The check runs again later, when the test has counted the commits.
    const { revive: _, ...red } = chapterOf("red check");
    const lived = liveChapter(red, { forge, slack: real.slack, bare, root });
    const over = lived.then(
      () => undefined,
      () => undefined,
    );
    for (let end = 0; end < ends; end += 1) {
      const no = 1 + ((SEED + end) % REQUESTS);
      expect(await real.endAt({ kind: "a request to the model", no }, over)).toBe(true);
    }
    expect(commits()).toHaveLength(1);
    const again = await real.start();
    if (ends > 1) {
      await vi.waitFor(() => expect(threadOf(real.slack, root)).toMatch(/broke off twice/), {
        interval: 100,
        timeout: MOST_WAIT,
      });
      expect(commits()).toHaveLength(1);
      await again.stop("SIGTERM");
      forge.failCheck(PROJECT, { name: "test", commit: run(bare, "rev-parse", headOf(forge)), log: "again" });
    }
    const last = ends > 1 ? await real.start() : again;
    await lived;
    await last.stop("SIGTERM");
    const thread = threadOf(real.slack, root);
    expect(thread.match(/I pushed [0-9a-f]{9} to /g)).toHaveLength(1);
    expect(thread).toMatch(/Pushes left: 4\./);
    expect((thread.match(/broke off twice/g) ?? []).length).toBe(ends > 1 ? 1 : 0);
    const made = commits();
    expect(made).toHaveLength(2);
    for (const commit of made)
      expect(thread).toContain(`tree \`${run(bare, "rev-parse", `${commit}^{tree}`).slice(0, 9)}\``);
    expect([...forge.violations, ...real.slack.violations, ...real.model.violations]).toEqual([]);
  },
);
