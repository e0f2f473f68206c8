/** Reads the forge's state of a pull request that is looked after. Every text is untrusted. */

import type { ForgeResult } from "../../../ports/forge.ts";
import type { Repo } from "../../../ports/conversation.ts";
import { ownersOf, parseCodeOwners } from "../../../text/code-owners.ts";
import type { WritableForges, WritableProject, ForgeWriter } from "../ports/forge-writer.ts";
import { hasParleyMark } from "../api/idempotent.ts";
import type { CheckReading, CheckRun, OwnersFile, Remark } from "../ports/project.ts";
import type { PullFacts, TendedPull } from "./bounds.ts";

export interface TendProject {
  readonly project: WritableProject;
  readonly desk: ForgeWriter;
}

export interface ForgeFacts
  extends Pick<PullFacts, "state" | "head" | "checks" | "failing" | "remarks" | "ignored"> {
  readonly failed: readonly CheckRun[];
  readonly texts: readonly Remark[];
  readonly base: string;
}

/** Null if the host has no credential for the repository. */
export const tendProject = (forges: WritableForges, repo: Repo): TendProject | null => {
  const found = forges.at(repo);
  if (found.kind === "none" || found.project.desk === null) return null;
  return { project: found.project, desk: found.project.desk };
};

export const readForgeFacts = async (
  { project, desk }: TendProject,
  pull: Pick<TendedPull, "number" | "branch" | "seen">,
  signal: AbortSignal,
  reading: CheckReading,
): Promise<ForgeResult<ForgeFacts>> => {
  const [branches, read] = await Promise.all([desk.branches(signal), project.pull(pull.number, signal)]);
  // Only answers of the API say how long to wait, and git's do not.
  if (read.kind === "trouble") return read;
  if (branches.kind === "trouble") return branches;
  const head = branches.value.get(pull.branch) ?? null;
  const { state, base } = read.value;
  const known = { state, base, head };
  if (head === null || state === "closed" || state === "merged")
    return found({
      ...known,
      checks: "pending",
      failing: [],
      failed: [],
      remarks: [],
      ignored: [],
      texts: [],
    });
  const [checks, remarks] = await Promise.all([
    project.checks(head, signal, reading),
    project.remarks(pull.number, signal),
  ]);
  if (checks.kind === "trouble") return checks;
  if (remarks.kind === "trouble") return remarks;
  const failed = checks.value.runs.filter((run) => run.failed);
  const isPending = checks.value.runs.some(({ state: now }) => PENDING.has(now));
  const sorted = await sortRemarks(project, pull, remarks.value, signal);
  if (sorted.kind === "trouble") return sorted;
  return found({
    ...known,
    ...sorted.value,
    failed,
    failing: failed.map(({ id }) => id),
    checks: isPending ? "pending" : failed.length > 0 ? "failed" : "passed",
  });
};

const found = <T>(value: T): ForgeResult<T> => ({ kind: "found", value });

/** Names of unfinished checks on both forges. */
const PENDING: ReadonlySet<string> = new Set([
  "queued",
  "in progress",
  "pending",
  "waiting",
  "requested",
  "running",
  "created",
  "preparing",
  "waiting for resource",
  "scheduled",
]);

/** Maximum number of remarks of one turn; the others follow in the next turn. */
const MAX_REMARKS = 10;

/** Only people who may push to the repository can start a turn. Parley's own answers start none. */
const sortRemarks = async (
  project: WritableProject,
  { seen }: Pick<TendedPull, "seen">,
  all: readonly Remark[],
  signal: AbortSignal,
): Promise<ForgeResult<Pick<ForgeFacts, "remarks" | "ignored" | "texts">>> => {
  const rights = new Map<string, boolean>();
  const texts: Remark[] = [];
  const ignored: string[] = [];
  for (const remark of all.filter(({ id }) => !seen.includes(id))) {
    if (remark.isBot || hasParleyMark(remark.text)) {
      ignored.push(remark.id);
      continue;
    }
    if (texts.length === MAX_REMARKS) break;
    let may = rights.get(remark.author);
    if (may === undefined) {
      const read = await project.mayWrite(remark.author, signal);
      if (read.kind === "trouble") return read;
      may = read.value;
      rights.set(remark.author, may);
    }
    if (may) texts.push(remark);
    else ignored.push(remark.id);
  }
  return found({ remarks: texts.map(({ id }) => id), ignored, texts });
};

/** Steps for the comparison of paths with owners. */
const WORK = 30_000_000;

/** Paths with owners by the CODEOWNERS of the base branch. All paths if the file cannot be read, or says too much. */
export const ownedPaths = (file: OwnersFile, paths: readonly string[]): readonly string[] => {
  if (file.kind === "none") return [];
  if (file.kind === "unreadable") return paths;
  const rules = parseCodeOwners(file.text);
  const work = { left: WORK };
  return paths.filter((path) => {
    const sets = ownersOf(rules, path, work);
    return sets === null || sets.length > 0;
  });
};
