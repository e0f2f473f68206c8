import type { PersonId } from "../../machine/id.ts";
import { isTurnOver } from "../../machine/state.ts";
import { laterMessages } from "../../machine/transition/later-messages.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { Store } from "../../ports/store.ts";
import type { ChatDeps } from "./people/deps.ts";

interface ModeratedDeps extends Pick<ChatDeps, "name" | "bot" | "log"> {
  readonly ledger: Pick<Ledger, "thread">;
  readonly store: Pick<Store, "unsettled">;
  readonly chat: Pick<ChatStore, "waiting">;
}

/** Also withdraws the person's messages that no request contains. `isThere`: whether the ban covers a channel. */
export const endTurnsOf = async (
  { name, bot, ledger, store, chat, log }: ModeratedDeps,
  person: PersonId,
  isThere: (place: string) => Promise<boolean>,
): Promise<void> => {
  const asking = chat.waiting(name).map(({ conversation }) => conversation);
  const open = new Set([...store.unsettled(), ...asking]);
  const end = async (conversation: (typeof asking)[number]): Promise<void> => {
    const thread = ledger.thread(conversation);
    const state = thread?.surface === name ? (await bot.read(conversation))?.state : undefined;
    if (thread === null || state === undefined) return;
    const later = laterMessages(state).filter(({ speaker }) => speaker.id === person);
    const isOwnTurn = state.turn.speaker?.id === person && !isTurnOver(state.phase);
    if ((!isOwnTurn && later.length === 0) || !(await isThere(thread.place))) return;
    const by = { id: `${name}:moderation`, mayDrive: false, mayApprove: true } as const;
    for (const { message } of later) await bot.act(conversation, { kind: "unqueue", message, by });
    if (!isOwnTurn) return;
    const stopped = await bot.act(conversation, { kind: "stop", by: `${name}:moderation`, why: "barred" });
    if (stopped.kind === "failed")
      log.error("moderation: turn not stopped", { conversation, why: stopped.message });
  };
  await Promise.all([...open].map(end));
};
