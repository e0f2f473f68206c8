/** Work modes are set only here (TUL-007 3.5, TUL-009). */

import type { EventKind } from "../../machine/event.ts";
import type { MessageId } from "../../machine/id.ts";
import { ownModel } from "../../machine/model-fallback.ts";
import type { ActResult } from "../../ports/bot.ts";
import type { Log } from "../../ports/host.ts";
import type { Model } from "../../ports/model.ts";
import type { Modes } from "../../ports/tools.ts";
import type { Live } from "../live/conversation.ts";
import { askConversation } from "../live/mailbox.ts";
import { actResult } from "./decide.ts";

interface ModeDeps {
  readonly modes: Modes;
  readonly model: Pick<Model, "window">;
  readonly modelName: string;
  readonly log: Log;
  readonly newMessage: () => MessageId;
}

type Asked = Required<Pick<EventKind & { readonly kind: "modeSet" }, "mode" | "organisation" | "by">>;

export const setMode = async (
  { modes, model, modelName, log, newMessage }: ModeDeps,
  live: Live,
  { mode, organisation, by }: Asked,
  reason: string,
): Promise<ActResult> => {
  const wanted = modes.all.find(({ key }) => key === mode);
  if (wanted === undefined) return UNKNOWN_MODE;
  const { mode: from, id: conversation } = live.state();
  const answering = ownModel(live.state()).name;
  const left = modes.all.find(({ key }) => key === from);
  // A mode without its own model keeps the current one, unless that one belongs to the previous mode.
  const name = wanted.model ?? (left?.model === answering ? modelName : answering);
  const change = name === answering ? {} : { model: { name, window: model.window(name) } };
  const [prompt, why] = [newMessage(), newMessage()];
  const words = [
    { id: prompt, words: { kind: "meta", text: wanted.prompt } as const },
    { id: why, words: { kind: "comment", text: reason } as const },
  ];
  const event = { kind: "modeSet", mode, by, organisation, reason: why, prompt, ...change } as const;
  const set = actResult(await askConversation(live, event, by, { words }));
  log.info("session: work mode set", { conversation, from, to: mode, organisation, by, result: set.kind });
  return set;
};

const UNKNOWN_MODE: ActResult = { kind: "refused", why: "unknown_mode" };
