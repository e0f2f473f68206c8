/** Erases text from a conversation and its offspring (D8). A repeated run finds nothing left to erase. */

import type { ConversationId, MessageId } from "../../machine/id.ts";
import { isTurnOver } from "../../machine/state.ts";
import { areUnread } from "../../machine/transition/later-messages.ts";
import type { ActResult, ConversationFiles } from "../../ports/bot.ts";
import type { ErasureRequest, ErasureTarget } from "../../ports/erasure.ts";
import { DONE } from "../../ports/host.ts";
import type { Blobs, Store } from "../../ports/store.ts";
import type { Live } from "../live/conversation.ts";
import { askConversation, type DeliveryResult } from "../live/mailbox.ts";
import { actResult } from "./decide.ts";
import { type ErasurePlan, planErasure } from "./erasure.ts";

export interface ForgetDeps {
  readonly store: Pick<
    Store,
    "agents" | "allWords" | "claims" | "offspring" | "refersTo" | "repeats" | "trace"
  >;
  readonly blobs: Pick<Blobs, "remove">;
  /** Sealed results of drafts are outside of the store. */
  readonly discards: Pick<ConversationFiles, "erase">;
  readonly open: (id: ConversationId) => Live | null;
}

export const createForget = ({ store, blobs, discards, open }: ForgetDeps) => {
  const forget = async (
    id: ConversationId,
    request: ErasureRequest,
    copies: readonly string[] = [],
  ): Promise<ActResult> => {
    const live = open(id);
    if (live === null) return { kind: "unknown" };
    const plan = (): ErasurePlan | null =>
      planErasure(store, live.conversation(), request, copies, commentsOf(store, id, request.meant));
    const found = plan();
    if (found === null) return NOTHING;
    // Sealed drafts are erased before the rows, so that a run after a crash still finds work, and once more after the rows,
    // because a turn may have sealed another draft.
    await discards.erase(id, found.without);
    const erased = await erase(live, request, found, plan);
    if (erased.kind !== "accepted") return actResult(erased);
    await discards.erase(id, found.without);
    const gone = await Promise.all(found.blobs.filter((hash) => !store.refersTo(hash)).map(blobs.remove));
    for (const child of [...store.agents(id), ...store.offspring(id)])
      await forget(child, request, [...copies, ...found.texts]);
    const repeated = [...copies, ...found.texts];
    // Only repetitions in the reused answer are erased. All other text there belongs to other people.
    if (repeated.length > 0)
      for (const other of store.repeats(id)) await forget(other, { ...request, ...NOTHING_SAID }, repeated);
    return gone.find((one) => one.kind === "failed") ?? DONE;
  };

  return forget;
};

const NOTHING_SAID: Pick<ErasureRequest, "meant" | "cut"> = {
  meant: { kind: "message", source: "" },
  cut: (said) => ({ left: said, taken: [] }),
};

const commentsOf = (
  store: Pick<Store, "trace">,
  id: ConversationId,
  meant: ErasureTarget,
): readonly MessageId[] =>
  meant.kind === "person"
    ? Array.from(store.trace(id)).flatMap(({ event }) =>
        event.kind === "decided" && event.by.id === meant.person ? (event.comment ?? []) : [],
      )
    : [];

/** The text is erased directly after the turn that uses it, before any waiting work. */
const erase = async (
  live: Live,
  { by }: ErasureRequest,
  { messages, erasure: { words } }: ErasurePlan,
  plan: () => ErasurePlan | null,
): Promise<DeliveryResult> => {
  const erasure = () => plan()?.erasure ?? null;
  const post = (): Promise<DeliveryResult> =>
    askConversation(live, { kind: "erased", by, messages }, by, { erasure });
  // Messages that no request contains can go without a stop.
  const isUnread = areUnread(live.state(), messages) && words.every(({ id }) => messages.includes(id));
  if (isQuiet(live) || isUnread) {
    const erased = await post();
    if (erased.kind !== "refused") return erased;
  }
  const ended = new Promise<DeliveryResult>((resolve) => {
    const unsubscribe = live.subscribe(({ kind }) => {
      if (kind !== "state" || !isQuiet(live)) return;
      unsubscribe();
      resolve(post());
    });
  });
  const stopped = await askConversation(live, { kind: "stopped", by, then: null, why: "erased" }, by);
  return stopped.kind === "failed" ? stopped : ended;
};

const isQuiet = (live: Live): boolean => isTurnOver(live.state().phase);

const NOTHING: ActResult = { kind: "refused", why: "no_op" };
