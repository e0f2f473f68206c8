/**
 * What a repository's set-up adds to the conversations after it (9: at most 10 s).
 *
 * The script makes 30,000 files and 300 MB that do not compress, about what a web application's node_modules holds; the
 * "tests" read two hundred of them. A conversation's time is from opening it until its tests have ended, and what is told
 * is how much longer that takes than in a repository of the same files without a set-up, whose command reads nothing.
 * The second conversation is on the first one's commit, or on a later one with the same lock files; Unrestricted, it
 * first copies everything into a checkout of its own.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { locateLauncher } from "../../sandbox/locate.ts";
import { createSandbox } from "../../sandbox/server.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { systemClock } from "../../src/app/system-clock.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { Permission } from "../../src/machine/vocabulary.ts";
import type { Clock } from "../../src/ports/host.ts";
import type { Workspaces } from "../../src/ports/workspaces.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import type { CommandPlaces } from "../../src/workspace/checkout/policy.ts";
import { createWorkspaces } from "../../src/workspace/workspaces.ts";
import { conversationOf } from "../store/plain.ts";
import type { Bench } from "./bench.ts";
import { atMost, type Figure, measured, skipped } from "./figure.ts";
import { git, smallRepository } from "./repository.ts";
import { temporary } from "./temporary.ts";

const MOST_ADDED = 10_000;

export const setUpBench: Bench = {
  name: "set-up",
  what: "conversations on a repository whose dependencies are installed",
  run: async (scale, note) => {
    const size = scale === "tiny" ? { files: 200, rounds: 1 } : { files: 30_000, rounds: 3 };
    await using place = await temporary();
    const located = await locateLauncher(join(place.path, "bin"));
    if (located.kind === "failed") return [skipped("set-ups", located.reason)];
    const sandbox = await createSandbox({ launcher: located.path, acceptOpen: true });
    try {
      if (sandbox.probe.refusal !== null) return [skipped("set-ups", sandbox.probe.refusal)];
      // Minutes ahead whenever the benchmark says so: a repository is asked at most once in one.
      let ahead = 0;
      const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
      const deps = { directory: join(place.path, "data"), sandbox, clock, log: silentLog };
      const later = (): void => void (ahead += 60_000);
      const stage = { sandbox, workspaces: createWorkspaces(deps), later, note };
      return await measureAll(stage, size, place.path);
    } finally {
      await sandbox.close();
    }
  },
};

interface Stage {
  readonly sandbox: Sandbox;
  readonly workspaces: Workspaces & CommandPlaces;
  readonly later: () => void;
  readonly note: (line: string) => void;
}

const measureAll = async (
  stage: Stage,
  { files, rounds }: { readonly files: number; readonly rounds: number },
  directory: string,
): Promise<readonly Figure[]> => {
  const repo = await smallRepository(join(directory, "repo"));
  const bare = await smallRepository(join(directory, "bare"));
  await writeFile(join(repo, ".gitignore"), "node_modules/\n");
  await mkdir(join(repo, ".parley"));
  await writeFile(join(repo, ".parley/setup.sh"), installing(files));
  await next(stage, repo);
  stage.note(`the set-up: ${files} files`);
  const first = await begin(stage, "c-first", repo);
  await begin(stage, "c-plain", bare);
  const same: number[] = [];
  const later: number[] = [];
  const own: number[] = [];
  for (let n = 0; n < rounds; n++) {
    stage.note(`conversations, round ${n + 1} of ${rounds}`);
    const plain = await use(stage, `c-plain-${n}`, bare, "restricted", "true");
    same.push((await use(stage, `c-same-${n}`, repo, "restricted", TEST)) - plain);
    const ownPlain = await use(stage, `c-plain-own-${n}`, bare, "unrestricted", "true");
    own.push((await use(stage, `c-own-${n}`, repo, "unrestricted", TEST)) - ownPlain);
    await writeFile(join(repo, "README.md"), `Round ${n}.\n`);
    await writeFile(join(bare, "README.md"), `Round ${n}.\n`);
    await next(stage, repo);
    await next(stage, bare);
    const anew = await use(stage, `c-plain-later-${n}`, bare, "restricted", "true");
    later.push((await use(stage, `c-later-${n}`, repo, "restricted", TEST)) - anew);
  }
  return [
    measured("the set-up itself, with its freezing", "ms", [first]),
    measured("added to tests, the first commit, Restricted", "ms", same, atMost(MOST_ADDED)),
    measured("added to tests, a later commit, Restricted", "ms", later, atMost(MOST_ADDED)),
    measured("added to tests, Unrestricted", "ms", own, atMost(MOST_ADDED)),
  ];
};

/** Packages of a hundred files each, 10 KB a file. */
const installing = (files: number): string => `
head -c 10240000 /dev/urandom > ~/noise
for p in $(seq 1 ${Math.ceil(files / 100)}); do
  mkdir -p node_modules/p$p/lib
  dd if=~/noise bs=10240 skip=$((p % 900)) count=100 status=none | split -b 10240 -a 3 - node_modules/p$p/lib/f
done
rm ~/noise
`;

const TEST = "cat node_modules/p1/lib/* node_modules/p2/lib/* | wc -c | grep -q '^[1-9][0-9]*$'";

const next = async (stage: Stage, repo: string): Promise<void> => {
  await git(repo, "add", "--all");
  await git(repo, "commit", "--quiet", "--message", "next");
  stage.later();
};

/** Milliseconds until the conversation was told of the set-up's end, 0 where there is none. */
const begin = async (stage: Stage, id: ConversationId, repo: string): Promise<number> => {
  const from = performance.now();
  const ended = Promise.withResolvers<void>();
  let began = false;
  await open(stage, id, repo, (setUp) => {
    if (setUp.kind === "failed") ended.reject(new Error(setUp.why));
    if (setUp.kind === "began") began = true;
    else ended.resolve();
  });
  if (!began) return 0;
  await ended.promise;
  return performance.now() - from;
};

type OnSetUp = NonNullable<Parameters<Workspaces["open"]>[1]["onSetUp"]>;

const open = async (
  { workspaces }: Stage,
  id: ConversationId,
  repo: string,
  onSetUp: OnSetUp,
): Promise<void> => {
  const opened = await workspaces.open(conversationOf(id, { repo: { kind: "path", location: repo } }), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onSetUp,
  });
  if (opened.kind !== "ready") throw new Error(`not opened: ${JSON.stringify(opened)}`);
};

/** Milliseconds from opening the conversation to the end of its tests. */
const use = async (
  stage: Stage,
  id: ConversationId,
  repo: string,
  permission: Permission,
  script: string,
): Promise<number> => {
  const from = performance.now();
  await open(stage, id, repo, (setUp) => {
    throw new Error(`the set-up ran again: ${setUp.kind}`);
  });
  const place = await stage.workspaces.policy(id, permission);
  if (place.kind === "failed") throw new Error(place.message);
  const ran = await stage.sandbox.run({
    policy: { ...place.policy, network: "none" },
    argv: ["/bin/bash", "--noprofile", "--norc", "-c", script],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: place.home, ...place.extraEnv },
    timeoutMs: 60_000,
    keep: { head: 4096, tail: 4096 },
  });
  if (ran.kind !== "exited" || ran.code !== 0) throw new Error(`the tests ended as ${JSON.stringify(ran)}`);
  return performance.now() - from;
};
