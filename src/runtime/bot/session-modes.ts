/** The one write path of work modes (TUL-007 3.5, TUL-009): whoever asks, an event that says who, where and why. */

import type { ConversationId, MessageId } from "../../machine/id.ts";
import { ownModel } from "../../machine/stand-in.ts";
import type { ActResult } from "../../ports/bot.ts";
import type { Log } from "../../ports/host.ts";
import type { Model } from "../../ports/model.ts";
import type { Modes, SessionModes } from "../../ports/tools.ts";
import type { Live } from "../live/conversation.ts";
import { fromPerson } from "../live/delivery.ts";

interface SessionModesDeps {
  readonly modes: Modes;
  readonly model: Pick<Model, "window">;
  /** The usual model of the host. */
  readonly modelName: string;
  readonly log: Log;
  readonly open: (id: ConversationId) => Live | null;
  readonly newMessage: () => MessageId;
  /** Settles after the commit. */
  readonly send: (live: Live, sent: ReturnType<typeof fromPerson>) => Promise<ActResult>;
}

export const createSessionModes = ({
  modes,
  model,
  modelName,
  log,
  open,
  newMessage,
  send,
}: SessionModesDeps): SessionModes => ({
  setSessionMode: async (session, mode, reason, organisation, person) => {
    const live = open(session);
    if (live === null) return { kind: "unknown" };
    const wanted = modes.all.find(({ key }) => key === mode);
    if (wanted === undefined) return UNKNOWN_MODE;
    const { mode: from } = live.state();
    const answering = ownModel(live.state()).name;
    const left = modes.all.find(({ key }) => key === from);
    // A mode without a model of its own leaves the one at hand, unless that was the last mode's.
    const name = wanted.model ?? (left?.model === answering ? modelName : answering);
    const change = name === answering ? {} : { model: { name, window: model.window(name) } };
    const [prompt, why] = [newMessage(), newMessage()];
    const words = [
      { id: prompt, words: { kind: "meta", text: wanted.prompt } as const },
      { id: why, words: { kind: "comment", text: reason } as const },
    ];
    const event = {
      kind: "modeSet",
      mode,
      by: person,
      organisation,
      reason: why,
      prompt,
      ...change,
    } as const;
    const set = await send(live, fromPerson(event, person, words, null));
    const to = { organisation, by: person, result: set.kind };
    log.info("set the work mode", { conversation: session, from, to: mode, ...to });
    return set;
  },
});

const UNKNOWN_MODE: ActResult = { kind: "refused", why: "unknown_mode", by: null, at: null };
