/**
 * Turns of people whom moderators silence or remove: they end at once. Owns: who set off the turns that are open in this
 * process; questions that wait since an earlier one are looked up.
 */

import type { ConversationId, PersonId } from "../../machine/id.ts";
import type { Bot, Change } from "../../ports/bot.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { ChatDeps } from "./deps.ts";

interface ModeratedDeps extends Pick<ChatDeps, "name" | "log"> {
  readonly ledger: Pick<Ledger, "thread">;
  readonly store: Pick<ChatStore, "waiting">;
}

export const createModeratedTurns = ({ name, ledger, store, log }: ModeratedDeps) => {
  const open = new Map<ConversationId, PersonId>();

  const stop = async (
    bot: Bot,
    id: ConversationId,
    isThere: (place: string) => Promise<boolean>,
  ): Promise<void> => {
    const thread = ledger.thread(id);
    if (thread?.surface !== name || !(await isThere(thread.place))) return;
    const stopped = await bot.act(id, { kind: "stop", by: `${name}:moderation`, why: "barred" });
    if (stopped.kind === "failed")
      log.error("a turn could not be stopped", { conversation: id, why: stopped.message });
  };

  return {
    heard: (id: ConversationId, change: Change) => {
      if (change.kind !== "state") return;
      const { phase, turn } = change.overview.state;
      if (phase.kind === "idle" || phase.kind === "failed" || turn.speaker === null) open.delete(id);
      else open.set(id, turn.speaker.id);
    },
    /** `isThere`: whether the place is one that the person is barred from. */
    bar: async (bot: Bot, person: PersonId, isThere: (place: string) => Promise<boolean>) => {
      const mine = [...open].flatMap(([id, speaker]) => (speaker === person ? [id] : []));
      const known = store.waiting(name).filter(({ conversation }) => !open.has(conversation));
      const asleep = await Promise.all(
        known.map(async ({ conversation: id }) => {
          const speaker = (await bot.read(id))?.state.turn.speaker;
          return speaker?.id === person ? [id] : [];
        }),
      );
      await Promise.all([...mine, ...asleep.flat()].map((id) => stop(bot, id, isThere)));
    },
  };
};
