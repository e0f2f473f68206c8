/** One tool use: waits for a slot, then runs under the stricter of the stamped and the current permission (D12). */

import type { Effect } from "../core/effect.ts";
import type { MessageId } from "../core/id.ts";
import { CANCELLED } from "../core/round.ts";
import { effectivePermission } from "../core/state.ts";
import type { Call, Permission } from "../core/words.ts";
import type { Live } from "./conversation.ts";
import { outcome } from "./delivery.ts";
import type { History } from "./history.ts";
import type { RandomId, ToolOutcome, Tools } from "./ports.ts";
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
  const result = release === null ? hostResult(CANCELLED) : await use(deps, live, history, effect, signal);
  release?.();
  const { isError, background, reached, ...words } = result;
  const message: MessageId = `m-${deps.randomId()}`;
  live.post(
    outcome({ kind: "ran", by: effect.id, message, isError, background, reached }, [
      { id: message, words: { kind: "result", ...words } },
    ]),
  );
};

const use = (
  deps: RunDeps,
  live: Live,
  history: History,
  effect: Effect & { kind: "run" },
  signal: AbortSignal,
): Promise<ToolOutcome> => {
  const conversation = live.conversation();
  const input = inputOf(live, history, effect.call);
  if (input === null || conversation.base === null) return Promise.resolve(hostResult(INPUT_LOST));
  return deps.tools.run(
    {
      conversation,
      base: conversation.base,
      name: effect.call.name,
      input: input.value,
      permission: stricter(effect.permission, effectivePermission(live.state())),
    },
    { signal },
  );
};

/** The response that asked is the one of the open round. */
const inputOf = (live: Live, history: History, call: Call): { readonly value: unknown } | null => {
  const { phase } = live.state();
  return phase.kind === "running" || phase.kind === "stopping" ? history.input(phase.message, call.id) : null;
};

const stricter = (a: Permission, b: Permission): Permission =>
  a === "unrestricted" && b === "unrestricted" ? "unrestricted" : "restricted";

const INPUT_LOST = "Not run: the tool's input is no longer stored.";

const hostResult = (text: string): ToolOutcome => ({
  text,
  images: [],
  diff: null,
  isError: true,
  background: false,
  reached: [],
});
