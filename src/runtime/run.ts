/**
 * One tool use: waits for a slot, asks safe mode, then runs under the stricter of the stamped and the current
 * permission (D12). What a person allowed is bound to the call's input by its fingerprint.
 */

import { createHash } from "node:crypto";
import { canonical } from "../core/canonical.ts";
import type { Effect } from "../core/effect.ts";
import type { MessageId } from "../core/id.ts";
import type { DangerWords } from "../core/prompt.ts";
import { CANCELLED } from "../core/round.ts";
import { effectivePermission } from "../core/state.ts";
import type { Call, Category, Permission } from "../core/words.ts";
import type { Live } from "./conversation.ts";
import { type Delivery, outcome } from "./delivery.ts";
import type { History } from "./history.ts";
import type { RandomId } from "./ports.ts";
import type { ToolOutcome, ToolRun, Tools } from "./ports-tools.ts";
import type { Slots } from "./slots.ts";

export interface RunDeps {
  readonly tools: Tools;
  readonly toolSlots: Slots;
  readonly randomId: RandomId;
}

export const run = async (
  deps: RunDeps,
  live: Live,
  history: History,
  effect: Effect & { kind: "run" },
  signal: AbortSignal,
): Promise<void> => {
  const release = await deps.toolSlots.take(signal);
  const tried =
    release === null ? done(hostResult(CANCELLED)) : await use(deps, live, history, effect, signal);
  release?.();
  live.post(tried.kind === "done" ? ranEvent(deps, effect, tried) : heldEvent(deps, effect, tried));
};

type Tried =
  | { readonly kind: "done"; readonly result: ToolOutcome; readonly skipped: readonly Category[] }
  /** Safe mode wants a person's word first; nothing has run. */
  | { readonly kind: "held"; readonly dangers: readonly DangerWords[]; readonly fingerprint: string };

const use = async (
  deps: RunDeps,
  live: Live,
  history: History,
  effect: Effect & { kind: "run" },
  signal: AbortSignal,
): Promise<Tried> => {
  const conversation = live.conversation();
  const input = inputOf(live, history, effect.call);
  if (input === null || conversation.base === null) return done(hostResult(INPUT_LOST));
  const fingerprint = createHash("sha256").update(canonical(input.value)).digest("hex");
  if (effect.fingerprint !== undefined && effect.fingerprint !== fingerprint) return done(hostResult(VOID));
  const { safeMode } = live.state();
  const call: ToolRun = {
    conversation,
    base: conversation.base,
    name: effect.call.name,
    input: input.value,
    permission: stricter(effect.permission, effectivePermission(live.state())),
    grants: effect.grants,
    safeMode,
  };
  const dangers = call.permission === "restricted" ? [] : await deps.tools.dangers(call);
  const missing = dangers.filter(({ category }) => !effect.grants.includes(category));
  if (safeMode && missing.length > 0) return { kind: "held", dangers: missing, fingerprint };
  const result = await deps.tools.run(call, { signal });
  return { ...done(result), skipped: missing.map(({ category }) => category) };
};

const ranEvent = (
  deps: RunDeps,
  effect: Effect & { kind: "run" },
  tried: Tried & { kind: "done" },
): Delivery => {
  const { isError, background, reached, ...words } = tried.result;
  const message: MessageId = `m-${deps.randomId()}`;
  const skipped = tried.skipped.length === 0 ? {} : { skipped: tried.skipped };
  return outcome({ kind: "ran", by: effect.id, message, isError, background, reached, ...skipped }, [
    { id: message, words: { kind: "result", ...words } },
  ]);
};

const heldEvent = (
  deps: RunDeps,
  effect: Effect & { kind: "run" },
  tried: Tried & { kind: "held" },
): Delivery => {
  const shown: MessageId = `m-${deps.randomId()}`;
  const { dangers, fingerprint } = tried;
  const categories = dangers.map(({ category }) => category);
  return outcome({ kind: "blocked", by: effect.id, categories, shown, fingerprint }, [
    { id: shown, words: { kind: "dangers", dangers } },
  ]);
};

const done = (result: ToolOutcome): Tried & { kind: "done" } => ({ kind: "done", result, skipped: [] });

/** The response that asked is the one of the open round. */
const inputOf = (live: Live, history: History, call: Call): { readonly value: unknown } | null => {
  const { phase } = live.state();
  return phase.kind === "running" || phase.kind === "stopping" ? history.input(phase.message, call.id) : null;
};

const stricter = (a: Permission, b: Permission): Permission =>
  a === "unrestricted" && b === "unrestricted" ? "unrestricted" : "restricted";

/** What a person allowed is not what is stored now. */
const VOID = "Not run: the call is not the one that was approved.";

const INPUT_LOST = "Not run: the tool's input is no longer stored.";

const hostResult = (text: string): ToolOutcome => ({
  text,
  images: [],
  diff: null,
  isError: true,
  background: false,
  reached: [],
});
