/** Conversations that take steps as they are told: the product's own loop, with nothing performed. */

import { randomId } from "../../src/app/process/random-id.ts";
import { systemClock } from "../../src/app/system-clock.ts";
import type { EventKind } from "../../src/machine/event.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { Call, Usage } from "../../src/machine/vocabulary.ts";
import type { Commit, Store, StoredConversation } from "../../src/ports/store.ts";
import { createLive, type Live } from "../../src/runtime/live/conversation.ts";
import { deliveredEvent } from "../../src/runtime/live/mailbox.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { looks } from "../looks.ts";
import { beginIn, operator } from "../store/plain.ts";

export interface Talk {
  readonly live: Live;
  /** Settles after the commit. */
  take(event: EventKind): Promise<void>;
}

export const beginTalk = async (store: Store): Promise<Talk> => {
  const id: ConversationId = `c-${randomId()}`;
  await beginIn(store, id);
  const stored = store.load(id);
  if (stored === null) throw new Error("the conversation was not stored");
  return liveOf(store, stored);
};

export const liveOf = (store: Store, stored: StoredConversation): Talk => {
  const live = createLive(
    stored,
    { store, clock: systemClock, randomId, log: silentLog, perform: nothing, tools: { look: looks } },
    null,
  );
  const take = (event: EventKind): Promise<void> => {
    live.post(deliveredEvent(event, wordsOf(event)));
    return live.drained();
  };
  return { live, take };
};

/** A message, a response with one call, its result, and the answer. */
export const turn = async ({ live, take }: Talk): Promise<void> => {
  await take(say());
  await take(answer(live, 1));
  await take(ran(live));
  await take(answer(live, 0));
};

/** Steps of a turn. */
export const TURN = 4;

const nothing = (): void => undefined;

const usage: Usage = { input: 900, output: 80, cacheRead: 12_000, cacheWrite: 300, costMicroUsd: 4_000 };

const message = () => `m-${randomId()}` as const;

export const say = (): EventKind => ({ kind: "said", message: message(), speaker: operator, images: 0 });

export const answer = (live: Live, calls: number): EventKind => ({
  kind: "answered",
  by: awaited(live),
  message: message(),
  text: 400,
  calls: Array.from({ length: calls }, (_, n): Call => ({ id: `toolu_${n}`, name: "bash", intent: "tool" })),
  stop: calls > 0 ? "tools" : "end",
  usage,
});

export const ran = (live: Live): EventKind => ({
  kind: "ran",
  by: awaited(live),
  message: message(),
  origin: "checkout",
  isError: false,
  background: false,
  reached: [],
});

const awaited = (live: Live) => {
  const { phase } = live.state();
  if (phase.kind === "thinking") return phase.request;
  return phase.kind === "running" ? phase.effect : "e0";
};

const TEXT = "A line of an answer or of a command's output, as long as such lines are.\n".repeat(14);

const wordsOf = (event: EventKind): Commit["words"] => {
  if (event.kind === "said") return [{ id: event.message, words: { kind: "said", text: TEXT, images: [] } }];
  if (event.kind === "answered") {
    return [{ id: event.message, words: { kind: "answer", blocks: [{ kind: "text", text: TEXT }] } }];
  }
  if (event.kind === "ran") {
    return [{ id: event.message, words: { kind: "result", text: TEXT, images: [], diff: null } }];
  }
  return [];
};
