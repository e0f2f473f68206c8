/** Short programs of the host's own that look at or fill directories of agents: inside the sandbox, without a network. */

import type { Mount, SandboxPolicy, Sandbox } from "../../../sandbox/types.ts";
import type { Millis } from "../../machine/id.ts";
import { ended, InTheWay, gitTroubleOf } from "./git-trouble.ts";
import type { WorkspaceContext } from "../disk/ground.ts";
import { objectsMount, SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { gitEnvironment } from "./git.ts";

/** Begins in the first mount. Holds also where the kernel cannot hold Restricted. */
export const stepPolicy = (
  sandbox: Sandbox,
  mounts: readonly [Mount, ...Mount[]],
  slot: number,
): SandboxPolicy => ({
  profile: "setup",
  network: "none",
  mounts,
  cwd: sandboxPathOf(sandbox, mounts[0]),
  identity: slot,
});

/** Reads a file of a directory of agents; no link out of it is followed. */
export const readFrom = (
  sandbox: Sandbox,
  { source, slot }: { readonly source: string; readonly slot: number },
  file: string,
  most: number,
): ReturnType<Sandbox["get"]> => {
  const policy = stepPolicy(sandbox, [{ source, target: SANDBOX_PATHS.work, write: false }], slot);
  return sandbox.get(policy, `${policy.cwd}/${file}`, most);
};

export interface SandboxStep {
  readonly script: string;
  /** `$1` and on: of a mount the place where it is seen. The script begins in the first. */
  readonly given: readonly [Mount, ...(Mount | string)[]];
  /** Mounts that are not given. */
  readonly beside?: readonly Mount[];
  readonly slot: number;
  readonly shell?: readonly [string, ...string[]];
  /** Of git, which hears nothing else. */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Bytes of what it writes that are kept from each end. */
  readonly keep?: number;
  readonly timeout: Millis;
  readonly signal?: AbortSignal;
}

interface StepDone {
  /** -1 where a signal ended it. */
  readonly code: number;
  readonly text: string;
  /** Bytes that it wrote. */
  readonly total: number;
}

export const runStep = async (
  sandbox: Sandbox,
  { script, given, beside = [], slot, shell = ["/bin/sh"], config = {}, ...how }: SandboxStep,
): Promise<StepDone> => {
  const [first, ...others] = given;
  const mounts = others.filter((one) => typeof one !== "string");
  const policy = stepPolicy(sandbox, [first, ...mounts, ...beside], slot);
  const words = given.map((one) => (typeof one === "string" ? one : sandboxPathOf(sandbox, one)));
  const { env, stdin, keep = 4_096, timeout, signal } = how;
  const request = {
    policy,
    argv: [...shell, "-c", script, "step", ...words],
    env: { ...gitEnvironment("/dev/null", config), ...env },
    ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
    timeoutMs: timeout,
    keep: { head: keep, tail: keep },
  };
  const ran = ended(await sandbox.run(request, signal === undefined ? {} : { signal }), timeout, signal);
  return {
    code: ran.kind === "exited" ? ran.code : -1,
    text: ran.text,
    total: ran.total,
  };
};

/** One in a checkout: `$1` where it is seen, `$2` the mirror's objects, `$3` the conversation's commit, then what more is given. */
export const runAt = (
  { sandbox, layout }: Pick<WorkspaceContext, "sandbox" | "layout">,
  {
    key,
    generation,
    slot,
    commit,
  }: {
    readonly key: string;
    readonly generation: number;
    readonly slot: number;
    readonly commit: string;
  },
  { given: [work, ...more], ...step }: Omit<SandboxStep, "slot">,
): Promise<StepDone> => {
  const given = [work, objectsMount(layout.generation(key, generation)), commit, ...more] as const;
  return runStep(sandbox, { ...step, given, slot });
};

/** What is told of a step that wrote `text` and failed. */
export const unlessNoSpace = (text: string, reason: string): InTheWay =>
  new InTheWay(gitTroubleOf(text).kind === "noSpace" ? { kind: "noSpace" } : { kind: "host", reason });

/**
 * Shell: `fresh DIRECTORY OBJECTS COMMIT` makes `git` in the directory a git directory of our own that borrows these objects,
 * so that no hook, filter or setting of a checkout is in force. What stands in `$PWD` are its files, `index` its index.
 */
export const FRESH = String.raw`fresh() {
  export GIT_DIR="$1/git" GIT_INDEX_FILE="$1/index" GIT_WORK_TREE="$PWD"
  mkdir -p "$GIT_DIR/objects/info" "$GIT_DIR/objects/pack" "$GIT_DIR/refs" "$GIT_DIR/info"
  printf 'ref: refs/heads/none\n' > "$GIT_DIR/HEAD"
  printf '%s\n' "$2" > "$GIT_DIR/objects/info/alternates"
  case ${"${#3}"} in
    64) printf '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n' ;;
    *) printf '[core]\n\trepositoryformatversion = 0\n' ;;
  esac > "$GIT_DIR/config"
}`;
