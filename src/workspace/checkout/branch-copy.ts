/**
 * The working directory of a conversation that goes on from another one: the same commit, and where the other has a
 * checkout of its own a copy of that, with its commits and with what was not committed. Copied inside the sandbox, as
 * the user whose files they are, bounded; once, whatever crashes: the record is written last.
 */

import type { Sandbox } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../machine/id.ts";
import { ownerOf } from "../../ports/conversation.ts";
import { makeAsideFor, putInPlace } from "../aside.ts";
import { copyTree } from "../copy.ts";
import { attempt, BrokenOff } from "../git-trouble.ts";
import { bareOf, type Generations } from "../mirror/generation.ts";
import { isPlainId, type Layout } from "../layout.ts";
import type { Pins } from "../mirror/pins.ts";
import { readDraft } from "../drafts/record.ts";
import { workOf } from "./policy.ts";
import { readRecord, writeRecord } from "./record.ts";
import { claimSlot } from "../slots.ts";
import type { Trees } from "./trees.ts";

const TIMEOUT = 120_000;
export type Carriage =
  /** There was no checkout of its own: the commit is all. */
  | { readonly kind: "same" | "copied" }
  /** `why` goes on after "because". */
  | { readonly kind: "left"; readonly why: string };

interface CarryDeps {
  readonly sandbox: Sandbox;
  readonly layout: Layout;
  readonly pins: Pins;
  readonly generations: Generations;
  readonly trees: Trees;
  /** What is larger stays where it is. */
  readonly maxBytes: number;
}

export type Carry = (from: ConversationId, to: ConversationId, signal: AbortSignal) => Promise<Carriage>;

export const createCarry =
  (deps: CarryDeps): Carry =>
  async (from, to, signal) => {
    const { layout, pins, generations, trees } = deps;
    if (!isPlainId(from) || !isPlainId(to)) throw new Error("an id cannot name a directory");
    const parent = await readRecord(layout, from);
    if (parent === null) return { kind: "same" };
    const source = await trees.existing(from);
    if ((await readRecord(layout, to)) !== null) {
      // What an earlier process came to.
      const isCopied = source !== null && (await trees.existing(to)) !== null;
      return carriage(source === null ? null : isCopied ? COPIED : FAILED);
    }
    const { key, generation, commit } = parent;
    using _ = pins.hold(key, generation);
    await pins.add(key, generation, to);
    await generations.keep(bareOf(layout, parent), to, commit);
    const copied = source === null ? null : await copyOf(deps, source, to, parent.slot, signal);
    if (signal.aborted) throw new BrokenOff();
    // Whose files they are is who goes on with them; a draft goes along once this is done.
    const isTheirs = copied === COPIED || (await readDraft(layout, from)) !== null;
    const slot = isTheirs ? parent.slot : await claimSlot(layout.slots, ownerOf(to));
    await writeRecord(layout, to, { ...parent, slot });
    return carriage(copied);
  };

/** `copied`: why it could not be; null where there was nothing to copy. */
const carriage = (copied: string | null): Carriage =>
  copied === null ? { kind: "same" } : copied === COPIED ? { kind: "copied" } : { kind: "left", why: copied };

const COPIED = "";
const FAILED = "it could not be copied";

/** Why it could not be copied; COPIED where it could. */
const copyOf = async (
  { sandbox, layout, trees, maxBytes }: CarryDeps,
  source: string,
  to: ConversationId,
  slot: number,
  signal: AbortSignal,
): Promise<string> => {
  if ((await trees.existing(to)) !== null) return COPIED;
  await using aside = await makeAsideFor(sandbox, layout, "carry", slot);
  const from = { work: source, under: [] };
  const limits = { bytes: maxBytes, entries: Number.MAX_SAFE_INTEGER };
  const ran = await attempt(() =>
    copyTree(sandbox, { from, to: aside.path, slot, limits, timeout: TIMEOUT, signal }),
  );
  if (ran.kind === "done") {
    await putInPlace(aside, workOf(layout.thread(to)));
    return COPIED;
  }
  if (ran.kind === "aborted") return FAILED;
  if (ran.trouble.kind === "slow") return "copying it took too long";
  return ran.trouble.kind === "noCopy" ? ran.trouble.why : FAILED;
};
