/**
 * Answers of a whole history looked at again after every push, and held to what `git diff` says of the lines that they cite: 500
 * commits, 2,000 answers. The real store, sandbox, mirror and git; the pushes are refs that move in the repository. Before every
 * look an answer is asked for as if it were to be given again, so that none can slip through in between.
 */

import { join } from "node:path";
import { locateLauncher } from "../../../sandbox/locate.ts";
import { createSandbox } from "../../../sandbox/server.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { Answer } from "../../../src/ports/answers.ts";
import { createCitationTracker } from "../../../src/features/answers/citations/lines.ts";
import { createStalenessChecks } from "../../../src/features/answers/staleness-checks.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { openStore } from "../../store/open-store.ts";
import type { Citation } from "../../../src/text/citation.ts";
import { createWorkspaces } from "../../../src/workspace/workspaces.ts";
import {
  type Cited,
  diffOracle,
  gitIn,
  type History,
  makeHistory,
  type Random,
  randomOf,
} from "./citations/history.ts";
import type { Bench } from "../../bench/bench.ts";
import { atMost, type Figure, measured, skipped } from "../../bench/figure.ts";
import { git } from "../../bench/repository.ts";
import { type Temporary, temporary } from "../../bench/temporary.ts";
import { postAnswer } from "../../store/posted-answer.ts";

interface Size {
  readonly commits: number;
  readonly files: number;
  readonly answers: number;
  /** Pushes between two times that all marks are compared. */
  readonly compared: number;
}

export const staleBench: Bench = {
  name: "stale",
  what: "answers looked at again after each push of a history",
  run: async (scale, note) => {
    const size: Size =
      scale === "tiny"
        ? { commits: 6, files: 6, answers: 20, compared: 3 }
        : { commits: 500, files: 60, answers: 2_000, compared: 50 };
    await using place = await temporary();
    const located = await locateLauncher(join(place.path, "bin"));
    if (located.kind === "failed") return [skipped("stale", located.reason)];
    const sandbox = await createSandbox({ launcher: located.path });
    try {
      return await measureAll(sandbox, place, size, note);
    } finally {
      await sandbox.close();
    }
  },
};

const measureAll = async (
  sandbox: Sandbox,
  { path: root }: Temporary,
  size: Size,
  note: (line: string) => void,
): Promise<readonly Figure[]> => {
  const random = randomOf(22);
  const path = join(root, "source");
  await git(root, "init", "--quiet", "--initial-branch", "main", path);
  note(`making ${size.commits} commits`);
  const history = await makeHistory(path, random, size);
  const opened = openStore(join(root, "data"));
  if (opened.kind === "failed") throw new Error(opened.message);
  const deps = { directory: join(root, "data"), sandbox, clock: systemClock, log: silentLog };
  const lines = createCitationTracker(createWorkspaces(deps).commits);
  const repo = { kind: "path", location: path } as const;
  const looks = createStalenessChecks({
    answers: opened.answers,
    lines,
    knowledge: { stands: () => [] },
    nameOf: () => "source",
    readThread: () => Promise.resolve(null),
    shown: () => undefined,
    clock: systemClock,
    log: silentLog,
    days: 90,
  });
  const says = oraclesOn(path);
  const took: number[] = [];
  const perPush = Math.ceil(size.answers / size.commits);
  const counts: Counts = { marks: 0, wrong: 0, given: 0, stale: 0 };
  let posted = 0;
  for (const [index, tip] of history.commits.entries()) {
    await gitIn(path, "update-ref", "refs/heads/main", tip);
    const some = opened.answers.answersPage(0, null, 10_000);
    const asked = some[random(Math.max(1, some.length))];
    if (asked !== undefined && index % 5 === 0) {
      // One that lives on the freshness of a minute would not see the push: it is asked for a minute later.
      const held = await looks.holding(asked, systemClock.now());
      await giveAgain(counts, held, tip, says);
    }
    const from = performance.now();
    await looks.pushed("source");
    took.push(performance.now() - from);
    for (let no = 0; no < perPush && posted < size.answers; no += 1) {
      posted += 1;
      const citations = citedAt(history, index, random);
      await postAnswer(opened, { no: posted, repo, commit: tip, at: systemClock.now(), citations });
    }
    const isCompared = (index + 1) % size.compared === 0 || index === history.commits.length - 1;
    if (!isCompared) continue;
    note(`${index + 1} pushes, ${posted} answers: comparing`);
    await looks.pushed("source");
    for (const answer of opened.answers.answersPage(0, null, 10_000))
      await compare(counts, answer, tip, says);
  }
  await looks.close();
  await opened.store.close();
  return [
    measured("a push, looked at again", "ms", took, atMost(2_000, "p99")),
    measured("marks compared with git diff", "", [counts.marks]),
    measured("marks that differ", "", [counts.wrong], atMost(0)),
    measured("answers that could be given again", "", [counts.given]),
    measured("of them stale", "", [counts.stale], atMost(0)),
  ];
};

interface Counts {
  marks: number;
  wrong: number;
  given: number;
  stale: number;
}

type Says = (from: string, to: string, cited: Cited) => Promise<Cited | "changed">;

const oraclesOn = (path: string): Says => {
  let known = new Map<string, ReturnType<typeof diffOracle>>();
  let of = "";
  return async (from, to, cited) => {
    if (to !== of) known = new Map();
    of = to;
    const found = known.get(from) ?? diffOracle(path, from, to);
    known.set(from, found);
    return (await found)(cited);
  };
};

const citedAt = ({ files }: History, index: number, random: Random): readonly Citation[] =>
  Array.from({ length: 1 + random(3) }, () => {
    const named = [...(files[index] ?? [])].filter(([, lines]) => lines > 0);
    const [file = "", lines = 1] = named[random(named.length)] ?? [];
    const from = 1 + random(lines);
    return { path: file, from, to: Math.min(lines, from + random(8)), status: "found", file };
  });

const placeOf = ({ file, from, to }: Citation): Cited => ({ file: file ?? "", from, to });

const compare = async (counts: Counts, answer: Answer, tip: string, says: Says): Promise<void> => {
  let isStale = false;
  for (const one of answer.citations) {
    const said = await says(answer.base.commit, tip, placeOf(one));
    const { now } = one;
    const told: Cited | "changed" =
      now === undefined
        ? placeOf(one)
        : now.kind === "changed"
          ? "changed"
          : { file: now.file, from: now.from, to: now.to };
    counts.marks += 1;
    if (JSON.stringify(told) !== JSON.stringify(said)) counts.wrong += 1;
    isStale ||= said === "changed";
  }
  if (answer.standing === "changed" || answer.looked[0] !== tip) return;
  counts.given += 1;
  if (isStale) counts.stale += 1;
};

const giveAgain = async (counts: Counts, held: Answer | null, tip: string, says: Says): Promise<void> => {
  if (held === null) return;
  counts.given += 1;
  for (const one of held.citations) {
    if ((await says(held.base.commit, tip, placeOf(one))) !== "changed") continue;
    counts.stale += 1;
    return;
  }
};
