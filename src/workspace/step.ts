/** Short programs of the host's own that look at or fill directories of agents: inside the sandbox, without a network. */

import type { Mount, Policy, RunResult, Sandbox } from "../../sandbox/types.ts";
import type { Millis } from "../machine/id.ts";
import { BrokenOff, InTheWay, troubleOf } from "./git-trouble.ts";
import { SEEN, seenAt } from "./layout.ts";

type Mounts = readonly [Mount, ...Mount[]];

/** Begins in the first mount. Holds also where the kernel cannot hold Restricted. */
export const stepPolicy = (sandbox: Sandbox, mounts: Mounts, slot: number): Policy => ({
  profile: "setup",
  network: "none",
  mounts,
  cwd: seenAt(sandbox, mounts[0]),
  identity: slot,
});

/** Reads a file of a directory of agents; no link out of it is followed. */
export const readFrom = (
  sandbox: Sandbox,
  { source, slot }: { readonly source: string; readonly slot: number },
  file: string,
  most: number,
): ReturnType<Sandbox["get"]> => {
  const policy = stepPolicy(sandbox, [{ source, target: SEEN.work, write: false }], slot);
  return sandbox.get(policy, `${policy.cwd}/${file}`, most);
};

export interface Step {
  readonly mounts: Mounts;
  readonly slot: number;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout: Millis;
  readonly signal?: AbortSignal;
}

/** What was run, once it has come to an end of its own; throws where it has not. */
export const ended = (ran: RunResult, timeout: Millis, signal?: AbortSignal) => {
  if (signal?.aborted === true || ran.kind === "killed") throw new BrokenOff();
  if (ran.kind === "failed") throw new InTheWay({ kind: "sandbox", reason: ran.reason });
  if (ran.kind === "timedOut") throw new InTheWay({ kind: "slow", minutes: Math.round(timeout / 60_000) });
  return { ...ran, text: Buffer.concat([ran.head, ran.tail]).toString("utf8") };
};

/** `code` is -1 where a signal ended it. */
export const runStep = async (
  sandbox: Sandbox,
  { mounts, slot, argv, env = PLAIN, timeout, signal }: Step,
): Promise<{ readonly code: number; readonly text: string }> => {
  const policy = stepPolicy(sandbox, mounts, slot);
  const keep = { head: 4_096, tail: 4_096 };
  const request = { policy, argv, env, timeoutMs: timeout, keep };
  const ran = await sandbox.run(request, signal === undefined ? {} : { signal });
  const whole = ended(ran, timeout, signal);
  return { code: whole.kind === "exited" ? whole.code : -1, text: whole.text };
};

/** What is told of a step that wrote `text` and failed. */
export const unlessNoSpace = (text: string, reason: string): InTheWay =>
  new InTheWay(troubleOf(text).kind === "noSpace" ? { kind: "noSpace" } : { kind: "host", reason });

const PLAIN = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };

/**
 * Shell: `fresh OBJECTS COMMIT` makes a git directory of our own at `$GIT_DIR` that borrows these objects, so that no
 * hook, filter or setting of a checkout is in force.
 */
export const FRESH = String.raw`fresh() {
  mkdir -p "$GIT_DIR/objects/info" "$GIT_DIR/objects/pack" "$GIT_DIR/refs" "$GIT_DIR/info"
  printf 'ref: refs/heads/none\n' > "$GIT_DIR/HEAD"
  printf '%s\n' "$1" > "$GIT_DIR/objects/info/alternates"
  case ${"${#2}"} in
    64) printf '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n' ;;
    *) printf '[core]\n\trepositoryformatversion = 0\n' ;;
  esac > "$GIT_DIR/config"
}`;
