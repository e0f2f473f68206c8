/**
 * A git directory of our own that borrows the objects of all generations of a mirror, so that also commits are there which no
 * branch reaches any more. Git compares in it, in the sandbox, without a network.
 */

import { join } from "node:path";
import { makeAsideFor } from "../aside.ts";
import { SEEN, seenAt } from "../layout.ts";
import { gitEnvironment } from "../mirror/git.ts";
import { generationsOf } from "../mirror/pins.ts";
import type { WorkspaceParts } from "../parts.ts";
import { repositorySlot } from "../slots.ts";
import { ended, FRESH, stepPolicy, unlessNoSpace } from "../step.ts";

const TIMEOUT = 2 * 60_000;
/** Bytes of what one script writes that are kept from each end. */
const KEEP = 4 * 2 ** 20;

export interface Room extends AsyncDisposable {
  /** What a shell script writes. `$1` and on are `given`. */
  ask(script: string, given: readonly string[], stdin: string): Promise<string>;
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
  const own = { source: aside.path, target: SEEN.drop, write: true };
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
      const request = {
        policy,
        argv: ["/bin/sh", "-c", `set -eu\n${make}${script}`, "sh", ...given],
        env,
        stdin: Buffer.from(stdin),
        timeoutMs: TIMEOUT,
        keep: { head: KEEP, tail: KEEP },
      };
      const ran = ended(await sandbox.run(request, { signal }), TIMEOUT, signal);
      if (ran.kind === "exited" && ran.code === 0 && ran.total <= 2 * KEEP) return ran.text;
      throw unlessNoSpace(ran.text.slice(-4_096), "git could not compare commits");
    },
    [Symbol.asyncDispose]: () => aside[Symbol.asyncDispose](),
  };
};
