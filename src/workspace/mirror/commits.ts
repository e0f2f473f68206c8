import { join } from "node:path";
import type { Commits, ComparisonRepo, Tip } from "../../ports/commits.ts";
import { makeAsideFor } from "../disk/staging.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { repositorySlot } from "../disk/slots.ts";
import { attemptGit, type AttemptResult } from "../run/git-trouble.ts";
import { unwatched } from "../run/shared-work.ts";
import { FRESH, runStep, unlessNoSpace } from "../run/step.ts";
import { bareOf, type Generations } from "./generation.ts";
import type { Refresh } from "./mirror.ts";
import { generationsOf } from "./pins.ts";
import { readSource } from "./source.ts";

interface CommitsDeps extends Pick<WorkspaceContext, "sandbox" | "layout" | "log"> {
  readonly refresh: Refresh;
  readonly generations: Generations;
  readonly swept: () => Promise<void>;
}

export const createCommits = (deps: CommitsDeps): Commits => {
  /** Last trouble of each repository, so that the log reports a repeated one once. */
  const known = new Map<string, string>();
  const told = (answer: Exclude<AttemptResult<unknown>, { readonly kind: "done" }>, name: string) => {
    if (answer.kind === "aborted") return FAILED;
    const { trouble } = answer;
    if (known.get(name) !== trouble.kind)
      deps.log.warn("mirror: cited lines not rechecked", {
        repository: name,
        trouble: trouble.kind,
      });
    known.set(name, trouble.kind);
    return FAILED;
  };
  return {
    tip: async (repo, since, signal) => {
      const read = readSource(repo);
      if (read.kind === "refused") return FAILED;
      const { source } = read;
      const answer = await attemptGit(async () => {
        const { swept, refresh, generations, layout } = deps;
        await swept();
        const { key, generation, tip } = await refresh(source, unwatched(signal), since);
        const { commit } = await generations.chosen(bareOf(layout, { key, generation }), repo.ref, tip);
        return { commit, mirror: key };
      });
      if (answer.kind !== "done") return told(answer, source.name);
      known.delete(source.name);
      return { kind: "tip", tip: answer.value };
    },
    within: async (tip, signal, work) => {
      const answer = await attemptGit(async () => {
        await using repo = await openComparisonRepo(deps, tip, signal);
        return await work(repo);
      });
      return answer.kind === "done" ? answer : told(answer, "the repository");
    },
  };
};

const FAILED = { kind: "failed" } as const;

const TIMEOUT = 2 * 60_000;
/** Bytes of a script's output that are kept from each end. */
const KEEP = 4 * 2 ** 20;

/** Borrows the objects of all generations, and so also has commits that no branch reaches any more. */
const openComparisonRepo = async (
  { sandbox, layout }: Pick<WorkspaceContext, "sandbox" | "layout">,
  { mirror: key, commit }: Tip,
  signal: AbortSignal,
): Promise<ComparisonRepo & AsyncDisposable> => {
  const slot = repositorySlot(key);
  const aside = await makeAsideFor(sandbox, layout, "lines", slot);
  const own = { source: aside.path, target: SANDBOX_PATHS.drop, write: true };
  const mirrors = { source: layout.repository(key), target: SANDBOX_PATHS.mirror, write: false };
  const generations = (await generationsOf(layout, key)).toReversed();
  const [newest = "", ...older] = generations.map((one) =>
    join(sandboxPathOf(sandbox, mirrors), `${one}.git`, "objects"),
  );
  const env = {
    GIT_DIR: `${sandboxPathOf(sandbox, own)}/git`,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: older.join(":"),
  };
  let isMade = false;
  return {
    signal,
    ask: async (question, stdin) => {
      const make = isMade ? "" : `${FRESH}\nfresh "$1" '${newest}' ${commit}\n`;
      isMade = true;
      const script = `set -eu\n${make}${question}`;
      const how = { env, stdin, keep: KEEP, timeout: TIMEOUT, signal };
      const ran = await runStep(sandbox, { script, given: [own], beside: [mirrors], slot, ...how });
      if (ran.code === 0 && ran.total <= 2 * KEEP) return ran.text;
      throw unlessNoSpace(ran.text.slice(-4_096), "git could not compare commits");
    },
    [Symbol.asyncDispose]: () => aside[Symbol.asyncDispose](),
  };
};
