import type { MessageId, PersonId } from "../../machine/id.ts";
import type { EventKind } from "../../machine/event.ts";
import { escapeOwn } from "../../machine/message-parts.ts";
import type { Speaker, Utterance } from "../../machine/vocabulary.ts";
import type { ActRequest } from "../../ports/bot.ts";
import type { ClaimKey, Message } from "../../ports/claims.ts";
import type { Model } from "../../ports/model.ts";
import type { Commit, Store } from "../../ports/store.ts";
import type { StoredContent } from "../../thread/prompt.ts";
import type { Live } from "./conversation.ts";
import { askConversation, type DeliveryResult } from "./mailbox.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

type Deed = Exclude<ActRequest, { kind: "decide" | "deeper" | "mode" | "edit" }>;

interface Sent extends Message {
  readonly speaker: Speaker;
  readonly claim?: ClaimKey | null;
}

interface DeedDeps {
  readonly newMessage: () => MessageId;
  readonly model: Pick<Model, "window">;
  readonly store: Pick<Store, "claimed">;
  readonly reviewedIn: (live: Live) => Pick<Utterance, "reviewed">;
}

export const runUserAction = (
  { newMessage, model, reviewedIn, store }: DeedDeps,
  live: Live,
  request: Deed,
): Promise<DeliveryResult> => {
  const by = "speaker" in request ? request.speaker.id : idOf(request.by);
  const deed = (event: EventKind, words: Commit["words"] = [], claim: ClaimKey | null = null) =>
    askConversation(live, event, by, { words, claim });
  const send = (
    { speaker, claim = null, ...said }: Sent,
    eventOf: (said: Omit<Utterance, "reviewed">) => EventKind,
  ) => {
    const message = newMessage();
    const { images, quoted } = said;
    const event = eventOf({ message, speaker, images: images.length, ...omitUndefined({ quoted }) });
    return deed(event, [{ id: message, words: messageContent(said) }], claim);
  };
  switch (request.kind) {
    case "stop":
      return deed({ ...request, kind: "stopped", then: null });
    case "restrict":
      return deed({ kind: "restricted", by });
    case "retry": {
      const { speaker, other } = request;
      return deed({ kind: "retried", speaker, ...omitUndefined({ other }) });
    }
    case "unrestrict": {
      const message = newMessage();
      const on = live.state().writes ?? live.conversation().base?.name;
      const asked = { kind: "upgradeAsked", by: request.by, message, ...omitUndefined({ on }) } as const;
      // Stored as answer words, so that the reason is found in the same place as for every question.
      return deed(asked, [{ id: message, words: { kind: "answer", blocks: [] } }]);
    }
    case "unseen": {
      const { by: _, ...told } = request;
      return deed(told);
    }
    case "askAgain":
      return deed({ kind: "askedAgain", by: request.by });
    case "continue":
      return deed({ kind: "continued", by: request.by });
    case "move":
      return deed({ kind: "moved", seed: request.seed, by: request.by });
    case "model": {
      const window = model.window(request.model);
      return deed({ kind: "modelSet", model: request.model, window, by: request.by });
    }
    case "safeMode":
      return deed({ kind: "safeModeSet", on: request.on, by: request.by });
    case "grant":
      return deed({ kind: "granted", categories: request.categories, by: request.by });
    case "stopAndSend":
      return send(request, (said) => ({ kind: "stopped", by, then: { ...said, ...reviewedIn(live) } }));
    case "add": {
      const { edited } = request;
      return send(request, (said) => ({ kind: "added", ...said, ...omitUndefined({ edited }) }));
    }
    case "queue":
      return send(request, (said) => ({ kind: "queued", ...said, ...reviewedIn(live) }));
    case "unqueue": {
      const { message } = request;
      const named = typeof message === "string" ? message : store.claimed(message);
      return named === null
        ? Promise.resolve({ kind: "refused", why: "not_waiting" })
        : deed({ kind: "unqueued", message: named, by: request.by });
    }
  }
};

const idOf = (by: PersonId | { readonly id: PersonId }): PersonId => (typeof by === "string" ? by : by.id);

/** Escapes a person's text, so that it cannot imitate a line of the host (D44). */
export const messageContent = (message: Message): StoredContent => {
  const { own, images, files } = message;
  return { kind: "said", text: escapeOwn(message), ...omitUndefined({ own, files }), images };
};
