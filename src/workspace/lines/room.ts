/**
 * A git directory of our own that borrows the objects of all generations of a mirror, so that also commits are there which no
 * branch reaches any more. Git compares in it, in the sandbox, without a network; it goes again with `close`.
 */

import { join } from "node:path";
import { makeAsideFor, removeTree } from "../aside.ts";
import { SEEN } from "../layout.ts";
import type { Answer } from "../mirror/generation.ts";
import { gitEnvironment, seenAt } from "../mirror/git.ts";
import { generationsOf } from "../mirror/pins.ts";
import type { WorkspaceParts } from "../parts.ts";
import { repositorySlot } from "../slots.ts";
import { FRESH, stepPolicy, unlessNoSpace } from "../step.ts";

const TIMEOUT = 2 * 60_000;
/** Bytes of what one script writes that are kept from each end. */
const KEEP = 4 * 2 ** 20;

export interface Room {
  /** What a shell script writes. `$1` and on are `given`. */
  ask(script: string, given: readonly string[], stdin: string): Promise<Answer<string>>;
  close(): Promise<void>;
}

/** `commit`: of the kind that the repository names its objects by. */
export const openRoom = async (
  { sandbox, layout }: Pick<WorkspaceParts, "sandbox" | "layout">,
  key: string,
  commit: string,
  signal: AbortSignal,
): Promise<Room> => {
  const slot = repositorySlot(key);
  const aside = await makeAsideFor(sandbox, layout, "lines", slot);
  const own = { source: aside, target: SEEN.drop, write: true };
  const mirrors = { source: layout.repository(key), target: SEEN.mirror, write: false };
  const generations = (await generationsOf(layout, key)).toReversed();
  const [newest = "", ...older] = generations.map((one) =>
    join(seenAt(sandbox, mirrors), `${one}.git`, "objects"),
  );
  const policy = stepPolicy(sandbox, [own, mirrors], slot);
  const env = {
    ...gitEnvironment(`${seenAt(sandbox, own)}/git`, {}),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: older.join(":"),
  };
  let isMade = false;
  return {
    ask: async (script, given, stdin) => {
      const make = isMade ? "" : `${FRESH}\nfresh '${newest}' ${commit}\n`;
      isMade = true;
      const ran = await sandbox.run(
        {
          policy,
          argv: ["/bin/sh", "-c", `set -eu\n${make}${script}`, "sh", ...given],
          env,
          stdin: Buffer.from(stdin),
          timeoutMs: TIMEOUT,
          keep: { head: KEEP, tail: KEEP },
        },
        { signal },
      );
      if (signal.aborted || ran.kind === "killed") return { kind: "aborted" };
      if (ran.kind === "failed") return { kind: "trouble", trouble: { kind: "sandbox", reason: ran.reason } };
      if (ran.kind === "timedOut")
        return { kind: "trouble", trouble: { kind: "slow", minutes: TIMEOUT / 60_000 } };
      const text = Buffer.concat([ran.head, ran.tail]).toString("utf8");
      if (ran.kind === "exited" && ran.code === 0 && ran.total <= 2 * KEEP)
        return { kind: "done", value: text };
      return unlessNoSpace(text.slice(-4_096), "git could not compare commits");
    },
    close: () => removeTree(aside),
  };
};
