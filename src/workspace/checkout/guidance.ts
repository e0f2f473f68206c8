/** AGENTS.md is read at the conversation's commit from the shared tree: edited checkouts have no influence. */

import type { Guidance } from "../../ports/channels.ts";
import type { Conversation } from "../../ports/conversation.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { attemptLogged } from "../run/git-trouble.ts";
import { unwatched } from "../run/shared-work.ts";
import type { CheckoutParts } from "./parts.ts";
import { readRecord } from "./record.ts";
import { readFrom } from "../run/step.ts";

const FILE = "AGENTS.md";
/** Limits in bytes: guidance that the model receives, and a file that is read. */
const MAX_TOLD = 16 * 1024;
const MAX_FILE = 1024 * 1024;
const MAX_KEPT = 100;

/** `most`: limit in bytes, if lower than the usual limit. */
export type ReadGuidance = (
  conversation: Pick<Conversation, "id">,
  most?: number,
) => Promise<Guidance | null>;

export const createGuidance = (world: CheckoutParts): ReadGuidance => {
  const kept = createLruCache<Guidance | null>(MAX_KEPT);
  return async ({ id }, most = MAX_TOLD) => {
    const told = Math.min(most, MAX_TOLD);
    const what = "checkout: repository guidance not read";
    const looked = await attemptLogged(world.log, what, { conversation: id }, async () => {
      const workspace = await readRecord(world.layout, id);
      if (workspace === null) return null;
      const name = `${workspace.key}/${workspace.commit}/${told}`;
      const known = kept.get(name);
      if (known !== undefined) return known;
      const source = await world.trees.plain(workspace, unwatched());
      const got = await readFrom(world.sandbox, { source, slot: workspace.slot }, FILE, MAX_FILE);
      const guidance = got.kind === "file" ? guidanceIn(got.bytes, told) : null;
      kept.set(name, guidance);
      return guidance;
    });
    return looked.kind === "done" ? looked.value : null;
  };
};

/** Returns whole lines up to the limit; null for an empty file. */
const guidanceIn = (bytes: Buffer, most: number): Guidance | null => {
  const whole = bytes
    .toString("utf8")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "");
  const isCut = bytes.length > most;
  const head = isCut ? bytes.subarray(0, most).toString("utf8") : whole;
  const text = isCut ? whole.slice(0, Math.max(0, Math.min(whole.length, head.lastIndexOf("\n")))) : whole;
  return text.trim() === "" ? null : { path: FILE, text: text.trimEnd(), size: bytes.length, isCut };
};
