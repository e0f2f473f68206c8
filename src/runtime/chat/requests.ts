/** One open request per person, three an hour per channel (D39). A restart resets the hourly count, not the open requests. */

import type { ConversationId, PersonId } from "../../machine/id.ts";
import type { State } from "../../machine/state.ts";
import type { Bot, ConversationChange } from "../../ports/bot.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { Clock } from "../../ports/host.ts";
import type { Requests } from "../../ports/questions.ts";
import type { Ledger } from "../../ports/surface.ts";
import { createRate } from "./people/rate.ts";

const MOST = 3;

interface RequestsDeps {
  readonly name: string;
  /** Null if the platform has no people without write permission. */
  readonly on: boolean | null;
  readonly ledger: Pick<Ledger, "thread">;
  readonly store: Pick<ChatStore, "waiting">;
  readonly clock: Pick<Clock, "now">;
}

export const createRequests = ({ name, on, ledger, store, clock }: RequestsDeps) => {
  const open = new Map<ConversationId, Opened>();
  const rate = createRate(clock, MOST);

  const hasOpen = async (bot: Pick<Bot, "read">, id: ConversationId, person: PersonId): Promise<boolean> => {
    if ([...open].some(([other, { by }]) => by === person && other !== id)) return true;
    const known = store
      .waiting(name)
      .filter(({ conversation }) => !open.has(conversation) && conversation !== id);
    const read = await Promise.all(known.map(({ conversation }) => bot.read(conversation)));
    return read.some((detail) => detail !== null && requesterIn(detail.state) === person);
  };

  return {
    weigh: async (
      bot: Pick<Bot, "read">,
      ...[id, { id: person }]: Parameters<Requests["weigh"]>
    ): ReturnType<Requests["weigh"]> => {
      const thread = ledger.thread(id);
      // An event is no person of this platform, so an event cannot send a request (D45).
      if (on === null || thread?.surface !== name || !person.startsWith(`${name}:`)) return null;
      if (!on) return "off";
      if (await hasOpen(bot, id, person)) return "open";
      if (rate.wait(thread.place) > 0) return "often";
      open.set(id, { by: person, place: thread.place, isAsked: false });
      rate.took(thread.place);
      return "allowed";
    },
    heard: (id: ConversationId, change: ConversationChange) => {
      const one = open.get(id);
      if (change.kind !== "state" || one === undefined) return;
      const { state } = change.overview;
      if (requesterIn(state) !== null) open.set(id, { ...one, isAsked: true });
      else if (one.isAsked) open.delete(id);
      else if (state.phase.kind !== "thinking") {
        // The core answered the request in another way.
        open.delete(id);
        rate.gaveBack(one.place);
      }
    },
  };
};

interface Opened {
  readonly by: PersonId;
  readonly place: string;
  readonly isAsked: boolean;
}

const requesterIn = ({ phase }: Pick<State, "phase">): PersonId | null => {
  const from =
    phase.kind === "awaitingApproval" && phase.question.kind === "upgrade" ? phase.question.from : undefined;
  return from?.how === "request" ? from.by : null;
};
