/** One request without tools, with the history as prose (BED-020). */

import type { Effect } from "../../machine/effect.ts";
import type { EventKind } from "../../machine/event.ts";
import { answerText } from "../../thread/visible-text.ts";
import { familyOf } from "../../machine/agent.ts";
import { summaryPrompt } from "../../thread/summary-prompt.ts";
import type { MessageId } from "../../machine/id.ts";
import type { State } from "../../machine/state.ts";
import type { ModelChoice } from "../../machine/vocabulary.ts";
import type { Live } from "./conversation.ts";
import { deliveredEvent } from "./mailbox.ts";
import type { History } from "./history.ts";
import { answeredOr, type ThinkDeps } from "./think.ts";
import { toStorable } from "./storable.ts";

/** Characters of the history for each token, which fill more than half of the window with any tokenizer. */
const CHARACTERS_A_TOKEN = 1.8;
const LEAST = 4_000;

type SummarizeDeps = Pick<ThinkDeps, "store" | "model" | "models" | "modelSlots" | "randomId">;

export const summarize = async (
  deps: SummarizeDeps,
  live: Live,
  history: History,
  { id, rejected }: Effect & { readonly kind: "summarize" },
  signal: AbortSignal,
): Promise<void> => {
  const release = await deps.modelSlots.take(signal, familyOf(live.state().id));
  if (release === null) return;
  const prefix = deps.store.prefix(live.conversation().prefix);
  const { id: conversation } = live.state();
  const { name: model, window } = writerOf(deps, live.state());
  const most = Math.max(LEAST, Math.floor(window * CHARACTERS_A_TOKEN));
  const answer = await deps.model.respond(
    {
      conversation,
      model,
      prefix: { hash: prefix?.hash ?? "", system: prefix?.system ?? "", tools: [] },
      messages: summaryPrompt(history.read(), rejected, most),
    },
    {
      signal,
      onText: () => undefined,
      onSilent: (isSilent) => live.show({ silent: isSilent ? id : null }),
    },
  );
  release();
  if (signal.aborted) return;
  const answered = answeredOr(deps, live, { id, model }, answer);
  if (answered === null) return;
  const words = { kind: "answer", blocks: answered.blocks.map(toStorable) } as const;
  const message: MessageId = `m-${deps.randomId()}`;
  const text = answered.stop === "refusal" ? 0 : Buffer.byteLength(answerText(words).trim());
  const event: EventKind = { kind: "summarized", by: id, message, text, usage: answered.usage, model };
  live.post(deliveredEvent(event, [{ id: message, words }]));
};

/** A stand-in model of the thread also writes the summary. */
const writerOf = ({ models, model }: SummarizeDeps, { turn, ...state }: State): ModelChoice => {
  const own = turn.own === undefined ? models?.summaries : undefined;
  return own === undefined
    ? { name: state.model, window: state.context.window }
    : { name: own, window: model.window(own) };
};
