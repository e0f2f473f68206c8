/** Short scripts of the host that read or fill agents' directories: inside the sandbox, without a network. */

import type { Mount, SandboxPolicy, Sandbox } from "../../../sandbox/types.ts";
import type { Millis } from "../../machine/id.ts";
import { ended, InTheWay, gitTroubleOf } from "./git-trouble.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import { objectsMount, SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { gitEnvironment } from "./git.ts";

/** Starts in the first mount. Works even if the kernel cannot enforce Restricted. */
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

/** Follows no link out of the directory. */
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
  /** Arguments from `$1` on; for a mount, its visible path. The script starts in the first mount. */
  readonly given: readonly [Mount, ...(Mount | string)[]];
  /** Further mounts, which are not arguments. */
  readonly beside?: readonly Mount[];
  readonly slot: number;
  readonly shell?: readonly [string, ...string[]];
  /** The only configuration that git reads. */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Bytes of output from each end. */
  readonly keep?: number;
  readonly timeout: Millis;
  readonly signal?: AbortSignal;
}

interface StepDone {
  /** -1 if a signal ended the script. */
  readonly code: number;
  readonly text: string;
  /** Bytes of output. */
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

/** `$1` checkout, `$2` mirror's objects, `$3` the conversation's commit, then further arguments. */
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

export const unlessNoSpace = (text: string, reason: string): InTheWay =>
  new InTheWay(gitTroubleOf(text).kind === "noSpace" ? { kind: "noSpace" } : { kind: "host", reason });

/** `fresh DIRECTORY OBJECTS COMMIT` makes a git directory with the work tree `$PWD`: no setting of a checkout applies. */
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
