/** The three runs in the sandbox: looking through a checkout, packing what was found, and making one from an archive. */

import { chmod, mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { Mount, Policy, RunResult, Sandbox } from "../../../sandbox/types.ts";
import type { Answer } from "../mirror/generation.ts";
import { gitEnvironment, seenAt } from "../mirror/git.ts";
import { type Layout, objectsMount, SEEN } from "../layout.ts";
import { handOver } from "../checkout/owner.ts";
import type { Workspace } from "../checkout/record.ts";
import { troubleOf } from "../trouble.ts";
import { hashOf } from "./archive.ts";
import { NO_COMMIT, PACK, SURVEY, TOO_MUCH, UNFIT, UNPACK } from "./scripts.ts";

export interface SurveyDeps {
  readonly sandbox: Sandbox;
  readonly layout: Layout;
  /** What is kept of one checkout, before it is packed. */
  readonly limits: { readonly bytes: number; readonly entries: number };
}

/** Two checkouts with the same are the same, but for what git ignores. */
export interface Findings {
  readonly tree: string;
  readonly list: string;
  readonly changed: string;
  readonly facts: string;
}

export type Surveyed =
  | { readonly kind: "found"; readonly findings: Findings }
  /** It is left as it is; `why` is for the operator. */
  | { readonly kind: "unfit"; readonly why: string };

const TIMEOUT = 10 * 60_000;

/** A new directory below staging that belongs to the user of `slot`. */
export const makeAside = async (
  { sandbox, layout }: SurveyDeps,
  name: string,
  slot: number,
): Promise<string> => {
  await mkdir(layout.staging, { recursive: true });
  const aside = await mkdtemp(join(layout.staging, `${name}-`));
  await chmod(aside, 0o755);
  await handOver(sandbox, aside, slot);
  return aside;
};

/** `drop`: where the findings go, of that user's own. */
export const survey = async (
  deps: SurveyDeps,
  { work, drop, workspace }: { readonly work: string; readonly drop: string; readonly workspace: Workspace },
  signal: AbortSignal,
): Promise<Answer<Surveyed>> => {
  const { bytes, entries } = deps.limits;
  const checkout = { source: work, target: SEEN.work, write: false };
  const out = { source: drop, target: SEEN.drop, write: true };
  const at = seenAt(deps.sandbox, out);
  const ran = await runIn(deps, workspace, [checkout, out], signal, ({ seen, objects }) => ({
    script: SURVEY,
    args: [seen(checkout), objects, workspace.commit, at, String(bytes), String(entries)],
    env: {
      ...gitEnvironment(`${at}/git`, UNGUARDED),
      GIT_WORK_TREE: seen(checkout),
      GIT_INDEX_FILE: `${at}/index`,
    },
  }));
  if (ran.kind !== "done") return ran;
  const why = UNFITNESS[ran.value.code] ?? (ran.value.code === 0 ? null : "it could not be read to its end");
  if (why !== null) return { kind: "done", value: { kind: "unfit", why } };
  const [list, changed, facts] = await Promise.all([
    hashOf(join(drop, "list")),
    hashOf(join(drop, "changed")),
    hashOf(join(drop, "facts")),
  ]);
  const tree = await hashOf(join(drop, "tree"));
  return { kind: "done", value: { kind: "found", findings: { tree, list, changed, facts } } };
};

/** Names that are dangerous on other systems are harmless here: nothing is checked out by them. */
const UNGUARDED = { "core.protectHFS": "false", "core.protectNTFS": "false", "core.looseCompression": "1" };

const UNFITNESS: Readonly<Record<number, string>> = {
  [TOO_MUCH]: "there is more in it than is kept",
  [UNFIT]: "there is something in it that cannot be kept",
  [NO_COMMIT]: "its commit is not in the mirror",
};

/** Packs what was found into `work.tar.gz` beside the findings. */
export const pack = async (
  deps: SurveyDeps,
  { work, drop, workspace }: { readonly work: string; readonly drop: string; readonly workspace: Workspace },
  signal: AbortSignal,
): Promise<Answer<boolean>> => {
  const checkout = { source: work, target: SEEN.work, write: false };
  const out = { source: drop, target: SEEN.drop, write: true };
  const ran = await runIn(deps, workspace, [checkout, out], signal, ({ seen }) => ({
    script: PACK,
    args: [seen(checkout), seen(out)],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" },
  }));
  return ran.kind === "done" ? { kind: "done", value: ran.value.code === 0 } : ran;
};

/** Makes the checkout in the empty directory `work` of that user's own; where it `lasts`, it is on the disk then. */
export const unpack = async (
  deps: SurveyDeps,
  {
    work,
    archive,
    workspace,
    lasts,
  }: {
    readonly work: string;
    readonly archive: string;
    readonly workspace: Workspace;
    readonly lasts: boolean;
  },
  signal: AbortSignal,
): Promise<Answer<"made" | "gone">> => {
  const target = { source: work, target: SEEN.work, write: true };
  const source = { source: archive, target: SEEN.archive, write: false };
  const ran = await runIn(deps, workspace, [target, source], signal, ({ seen, objects }) => ({
    script: UNPACK,
    args: [seen(target), objects, workspace.commit, seen(source), lasts ? "yes" : "no"],
    env: gitEnvironment("/dev/null", {}),
  }));
  if (ran.kind !== "done") return ran;
  if (ran.value.code === 0) return { kind: "done", value: "made" };
  if (ran.value.code === NO_COMMIT) return { kind: "done", value: "gone" };
  const found = troubleOf(ran.value.text);
  return found.kind === "noSpace"
    ? { kind: "trouble", trouble: found }
    : { kind: "trouble", trouble: { kind: "host", reason: "the checkout could not be put back" } };
};

interface Work {
  readonly script: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const runIn = async (
  { sandbox, layout }: SurveyDeps,
  { key, generation, slot }: Workspace,
  [first, ...more]: readonly [Mount, ...Mount[]],
  signal: AbortSignal,
  work: (place: { readonly seen: (mount: Mount) => string; readonly objects: string }) => Work,
): Promise<Answer<{ readonly code: number; readonly text: string }>> => {
  const seen = (mount: Mount): string => seenAt(sandbox, mount);
  const objects = objectsMount(layout.generation(key, generation));
  const policy: Policy = {
    profile: "setup",
    network: "none",
    mounts: [first, ...more, objects],
    cwd: seen(first),
    identity: slot,
  };
  const { script, args, env } = work({ seen, objects: seen(objects) });
  const ran = await sandbox.run(
    {
      policy,
      argv: ["/bin/bash", "--noprofile", "--norc", "-c", script, "bash", ...args],
      env,
      timeoutMs: TIMEOUT,
      keep: { head: 4_096, tail: 4_096 },
    },
    { signal },
  );
  return signal.aborted ? { kind: "aborted" } : answerOf(ran);
};

const answerOf = (ran: RunResult): Answer<{ readonly code: number; readonly text: string }> => {
  switch (ran.kind) {
    case "killed":
      return { kind: "aborted" };
    case "failed":
      return { kind: "trouble", trouble: { kind: "sandbox", reason: ran.reason } };
    case "timedOut":
      return { kind: "trouble", trouble: { kind: "slow", minutes: TIMEOUT / 60_000 } };
    case "signalled":
      return { kind: "done", value: { code: -1, text: textOf(ran) } };
    case "exited":
      return { kind: "done", value: { code: ran.code, text: textOf(ran) } };
  }
};

const textOf = ({ head, tail }: { readonly head: Buffer; readonly tail: Buffer }): string =>
  Buffer.concat([head, tail]).toString("utf8");
