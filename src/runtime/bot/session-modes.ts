/** The one write path of work modes (TUL-007 3.5, TUL-009): whoever asks, an event that says who, where and why. */

import type { ConversationId, MessageId } from "../../machine/id.ts";
import type { ActResult } from "../../ports/bot.ts";
import type { Log } from "../../ports/host.ts";
import type { Modes, SessionModes } from "../../ports/tools.ts";
import type { Live } from "../live/conversation.ts";
import { fromPerson } from "../live/delivery.ts";

interface SessionModesDeps {
  readonly modes: Modes;
  readonly log: Log;
  readonly open: (id: ConversationId) => Live | null;
  readonly newMessage: () => MessageId;
  /** Settles after the commit. */
  readonly send: (live: Live, sent: ReturnType<typeof fromPerson>) => Promise<ActResult>;
}

export const createSessionModes = ({
  modes,
  log,
  open,
  newMessage,
  send,
}: SessionModesDeps): SessionModes => ({
  setSessionMode: async (session, mode, reason, organisation, person) => {
    const live = open(session);
    if (live === null) return { kind: "unknown" };
    const told = modes.all.find(({ key }) => key === mode)?.prompt;
    if (told === undefined) return UNKNOWN_MODE;
    const from = live.state().mode;
    const [prompt, why] = [newMessage(), newMessage()];
    const words = [
      { id: prompt, words: { kind: "meta", text: told } as const },
      { id: why, words: { kind: "comment", text: reason } as const },
    ];
    const event = { kind: "modeSet", mode, by: person, organisation, reason: why, prompt } as const;
    const set = await send(live, fromPerson(event, person, words, null));
    const to = { organisation, by: person, result: set.kind };
    log.info("set the work mode", { conversation: session, from, to: mode, ...to });
    return set;
  },
});

const UNKNOWN_MODE: ActResult = { kind: "refused", why: "unknown_mode", by: null, at: null };
