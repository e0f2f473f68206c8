/** The two runs in the sandbox: looking through a checkout, and making one from an archive. */

import { join } from "node:path";
import type { Ground } from "../ground.ts";
import { SEEN } from "../layout.ts";
import type { Workspace } from "../checkout/record.ts";
import type { Layers } from "../copy.ts";
import { runAt, unlessNoSpace } from "../step.ts";
import { hashOf } from "./archive.ts";
import { NO_COMMIT, SURVEY, TOO_MUCH, UNFIT, UNPACK } from "./scripts.ts";

export type Surveyed =
  /** Two checkouts with the same findings are the same, but for what git ignores. */
  | { readonly kind: "found"; readonly findings: string }
  /** It is left as it is; `why` is for the operator. */
  | { readonly kind: "unfit"; readonly why: string };

interface Looked extends Layers {
  readonly drop: string;
  readonly workspace: Workspace;
  readonly packed: boolean;
}

/** With no file of a home, whatever stands there. */
const RUN = { shell: ["/bin/bash", "--noprofile", "--norc"], timeout: 10 * 60_000 } as const;
const FINDINGS = ["tree", "list", "changed", "facts"];

/** `drop`: where the findings go, and what was found where it is to be `packed`; of that user's own. */
export const survey = async (
  ground: Ground,
  { work, under, drop, workspace, packed }: Looked,
  signal: AbortSignal,
): Promise<Surveyed> => {
  const { bytes, entries } = ground.rest;
  const checkout = { source: work, target: SEEN.work, write: false, under };
  const out = { source: drop, target: SEEN.drop, write: true };
  const bounds = [String(bytes), String(entries), yesOrNo(packed)];
  const given = [checkout, out, ...bounds] as const;
  const ran = await runAt(ground, workspace, { ...RUN, script: SURVEY, given, config: UNGUARDED, signal });
  const why = UNFITNESS[ran.code] ?? (ran.code === 0 ? null : "it could not be read to its end");
  if (why !== null) return { kind: "unfit", why };
  const hashes = await Promise.all(FINDINGS.map((name) => hashOf(join(drop, name))));
  return { kind: "found", findings: hashes.join(" ") };
};

/** Names that are dangerous on other systems are harmless here: nothing is checked out by them. */
const UNGUARDED = { "core.protectHFS": "false", "core.protectNTFS": "false", "core.looseCompression": "1" };

const UNFITNESS: Readonly<Record<number, string>> = {
  [TOO_MUCH]: "there is more in it than is kept",
  [UNFIT]: "there is something in it that cannot be kept",
  [NO_COMMIT]: "its commit is not in the mirror",
};

interface Unpacking {
  readonly work: string;
  readonly archive: string;
  readonly workspace: Workspace;
  readonly lasts: boolean;
}

/** Makes the checkout in the empty directory `work` of that user's own; where it `lasts`, it is on the disk then. */
export const unpack = async (
  ground: Ground,
  { work, archive, workspace, lasts }: Unpacking,
  signal: AbortSignal,
): Promise<"made" | "gone"> => {
  const target = { source: work, target: SEEN.work, write: true };
  const source = { source: archive, target: SEEN.archive, write: false };
  const given = [target, source, yesOrNo(lasts)] as const;
  const ran = await runAt(ground, workspace, { ...RUN, script: UNPACK, given, signal });
  if (ran.code === 0) return "made";
  if (ran.code === NO_COMMIT) return "gone";
  throw unlessNoSpace(ran.text, "the checkout could not be put back");
};

const yesOrNo = (is: boolean): string => (is ? "yes" : "no");
