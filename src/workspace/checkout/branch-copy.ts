/** Prepares a continued conversation's checkout. The record is written last, so that a crash cannot lead to a second copy. */

import type { ConversationId } from "../../machine/id.ts";
import { ownerOf } from "../../ports/conversation.ts";
import { makeAsideFor, putInPlace } from "../disk/staging.ts";
import { copyCheckoutTree } from "../run/copy.ts";
import { attemptGit, BrokenOff } from "../run/git-trouble.ts";
import { bareOf } from "../mirror/generation.ts";
import { isPlainId } from "../disk/layout.ts";
import type { CheckoutParts } from "./parts.ts";
import { readDraft } from "./draft-record.ts";
import { workOf } from "./policy.ts";
import { readRecord, writeRecord } from "./record.ts";
import { claimSlot } from "../disk/slots.ts";

const TIMEOUT = 120_000;

type Carriage =
  /** The other conversation had no private checkout, so the commit is enough (`same`). */
  | { readonly kind: "same" | "copied" }
  /** `why` completes a sentence that ends in "because". */
  | { readonly kind: "left"; readonly why: string };

export const carryCheckout = async (
  world: CheckoutParts,
  { from, to }: { readonly from: ConversationId; readonly to: ConversationId },
  signal: AbortSignal,
): Promise<Carriage> => {
  const { layout, pins, generations, trees } = world;
  if (!isPlainId(from) || !isPlainId(to)) throw new Error("an id cannot name a directory");
  const parent = await readRecord(layout, from);
  if (parent === null) return SAME;
  const source = await trees.existing(from);
  if ((await readRecord(layout, to)) !== null) {
    // Result of an earlier process.
    if (source === null) return SAME;
    return (await trees.existing(to)) === null ? FAILED : COPIED;
  }
  const { key, generation, commit } = parent;
  using _ = pins.hold(key, generation);
  await pins.add(key, generation, to);
  await generations.keep(bareOf(layout, parent), to, commit);
  const copied = source === null ? SAME : await copyOf(world, source, { to, slot: parent.slot }, signal);
  if (signal.aborted) throw new BrokenOff();
  // Copied files keep their user; a draft is copied after this, and needs the same user.
  const isTheirs = copied === COPIED || (await readDraft(layout, from)) !== null;
  const slot = isTheirs ? parent.slot : await claimSlot(layout.slots, ownerOf(to));
  await writeRecord(layout, { ...parent, id: to, slot });
  return copied;
};

const SAME: Carriage = { kind: "same" };
const COPIED: Carriage = { kind: "copied" };
const FAILED: Carriage = { kind: "left", why: "it could not be copied" };

const copyOf = async (
  { sandbox, layout, trees, maxCarryBytes }: CheckoutParts,
  source: string,
  { to, slot }: { readonly to: ConversationId; readonly slot: number },
  signal: AbortSignal,
): Promise<Carriage> => {
  if ((await trees.existing(to)) !== null) return COPIED;
  await using aside = await makeAsideFor(sandbox, layout, "carry", slot);
  const from = { work: source, under: [] };
  const limits = { bytes: maxCarryBytes, entries: Number.MAX_SAFE_INTEGER };
  const ran = await attemptGit(() =>
    copyCheckoutTree(sandbox, { from, to: aside.path, slot, limits, timeout: TIMEOUT, signal }),
  );
  if (ran.kind === "done") {
    await putInPlace(aside, workOf(layout.thread(to)));
    return COPIED;
  }
  if (ran.kind === "aborted") return FAILED;
  if (ran.trouble.kind === "slow") return { kind: "left", why: "copying it took too long" };
  return ran.trouble.kind === "noCopy" ? { kind: "left", why: ran.trouble.why } : FAILED;
};
