/**
 * A git directory of our own that borrows the objects of all generations of a mirror, so that also commits are there which no
 * branch reaches any more. Git compares in it, in the sandbox, without a network.
 */

import { join } from "node:path";
import { makeAsideFor } from "../disk/aside.ts";
import { SEEN, seenAt } from "../disk/layout.ts";
import { generationsOf } from "../mirror/pins.ts";
import type { Ground } from "../disk/ground.ts";
import { repositorySlot } from "../disk/slots.ts";
import { FRESH, runStep, unlessNoSpace } from "../run/step.ts";

const TIMEOUT = 2 * 60_000;
/** Bytes of what one script writes that are kept from each end. */
const KEEP = 4 * 2 ** 20;

export type Room = Awaited<ReturnType<typeof openRoom>>;

/** `commit`: of the kind that the repository names its objects by. */
export const openRoom = async (
  { sandbox, layout }: Pick<Ground, "sandbox" | "layout">,
  key: string,
  commit: string,
  signal: AbortSignal,
) => {
  const slot = repositorySlot(key);
  const aside = await makeAsideFor(sandbox, layout, "lines", slot);
  const own = { source: aside.path, target: SEEN.drop, write: true };
  const mirrors = { source: layout.repository(key), target: SEEN.mirror, write: false };
  const generations = (await generationsOf(layout, key)).toReversed();
  const [newest = "", ...older] = generations.map((one) =>
    join(seenAt(sandbox, mirrors), `${one}.git`, "objects"),
  );
  const env = {
    GIT_DIR: `${seenAt(sandbox, own)}/git`,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: older.join(":"),
  };
  let isMade = false;
  return {
    /** What a shell script writes. */
    ask: async (question: string, stdin: string): Promise<string> => {
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
