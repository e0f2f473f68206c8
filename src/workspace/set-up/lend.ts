/** What a set-up left, for one conversation: hard links in a tree that nobody writes, a copy in what is its own. */

import { mkdir, mkdtemp, rename, rm, chmod } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Policy, Sandbox } from "../../../sandbox/types.ts";
import type { Answer } from "../mirror/generation.ts";
import { seenAt } from "../mirror/git.ts";
import { type Layout, SEEN } from "../layout.ts";
import { troubleOf } from "../trouble.ts";
import { layOver } from "./link.ts";
import type { Prepared } from "./shelf.ts";

const COPY_TIMEOUT = 10 * 60_000;

/** Makes `to`, a tree with the files of `plain` and beside them what the set-up left; aside first, then in place. */
export const linkTree = async (
  layout: Layout,
  plain: string,
  prepared: Prepared,
  to: string,
): Promise<void> => {
  await mkdir(layout.staging, { recursive: true });
  const aside = await mkdtemp(join(layout.staging, "prepared-"));
  try {
    await chmod(aside, 0o755);
    await layOver(plain, aside);
    await layOver(prepared.work, aside);
    await mkdir(dirname(to), { recursive: true });
    await rename(aside, to);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
};

/** Copies all of `from` into `to`, which belongs to the user of `slot`: no file is shared with anybody afterwards. */
export const copyInto = async (
  sandbox: Sandbox,
  from: string,
  to: string,
  slot: number,
): Promise<Answer<null>> => {
  const source = { source: from, target: SEEN.source, write: false };
  const target = { source: to, target: SEEN.work, write: true };
  const cwd = seenAt(sandbox, target);
  const policy: Policy = { profile: "setup", network: "none", mounts: [target, source], cwd, identity: slot };
  const ran = await sandbox.run({
    policy,
    argv: [
      "/bin/cp",
      "-dR",
      "--preserve=mode,timestamps,links",
      "--reflink=auto",
      "--",
      `${seenAt(sandbox, source)}/.`,
      `${cwd}/`,
    ],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" },
    timeoutMs: COPY_TIMEOUT,
    keep: { head: 4_096, tail: 4_096 },
  });
  if (ran.kind === "exited" && ran.code === 0) return { kind: "done", value: null };
  if (ran.kind === "killed") return { kind: "aborted" };
  if (ran.kind === "failed") return { kind: "trouble", trouble: { kind: "sandbox", reason: ran.reason } };
  if (ran.kind === "timedOut")
    return { kind: "trouble", trouble: { kind: "slow", minutes: COPY_TIMEOUT / 60_000 } };
  const found = troubleOf(Buffer.concat([ran.head, ran.tail]).toString("utf8"));
  return found.kind === "noSpace"
    ? { kind: "trouble", trouble: found }
    : { kind: "trouble", trouble: { kind: "host", reason: "what the set-up left could not be copied" } };
};
