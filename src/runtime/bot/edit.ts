/** D52: Decides between two events what an edit changes, so that no turn begins or ends in between. */

import type { MessageId } from "../../machine/id.ts";
import { escapeOwn, isDeleted } from "../../machine/message-parts.ts";
import { isTurnOver, type State } from "../../machine/state.ts";
import type { Speaker } from "../../machine/vocabulary.ts";
import type { ActRequest, ActResult } from "../../ports/bot.ts";
import type { Claim, ClaimKey, Message, NewestText } from "../../ports/claims.ts";
import type { VersionRow } from "../../ports/erasure.ts";
import type { Clock } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import { changedWords } from "../../text/changed-words.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import type { Live } from "../live/conversation.ts";
import { askConversation } from "../live/mailbox.ts";
import { messageContent } from "../live/user-actions.ts";
import { actResult } from "./decide.ts";

interface EditDeps {
  readonly store: Pick<Store, "versions" | "words" | "told" | "reword">;
  readonly clock: Pick<Clock, "now">;
  readonly newMessage: () => MessageId;
}

export const newestText = (store: Pick<Store, "versions" | "words">, key: ClaimKey): NewestText | null => {
  const all = store.versions(key);
  const newest = all.at(-1);
  if (newest === undefined) return null;
  const { speaker, conversation, source = null } = newest.claim;
  return { text: textOf(store, newest), by: speaker.id, conversation, source, versions: all.length };
};

export const edit = async (
  deps: EditDeps,
  live: Live,
  request: ActRequest & { readonly kind: "edit" },
): Promise<ActResult> => {
  await live.drained();
  const { store } = deps;
  const all = store.versions(request.claim);
  const newest = all.at(-1);
  const text = escapeOwn({ text: request.text });
  const old = newest === undefined ? null : textOf(store, newest);
  if (newest === undefined || old === null || old === text) return refused("no_op");
  if (newest.outcome === null) return STILL_OPEN;
  const state = live.state();
  if (newest.claim.conversation !== state.id) return refused("stale");
  const before = textOf(store, all.at(-2));
  if (newest.outcome.kind === "refused" || isUnread(state, newest.message))
    return before === text && newest.claim.id.includes(EDIT)
      ? takeBack(store, live, newest, { speaker: request.speaker, text })
      : reword(store, newest, before ?? "", text);
  if (state.phase.kind === "exhausted") return refused("context_exhausted");
  if (state.phase.kind === "summarizing") return refused("summarizing");
  if (!isOfTurn(store, state, all)) return refused("stale");
  return add(deps, live, request, {
    ...omitUndefined({ source: newest.claim.source }),
    old,
    text,
    no: all.length,
  });
};

const add = async (
  { clock, newMessage }: EditDeps,
  live: Live,
  { claim: key, speaker }: ActRequest & { readonly kind: "edit" },
  {
    old,
    text,
    no,
    source,
  }: { readonly old: string; readonly text: string; readonly no: number; readonly source?: string },
): Promise<ActResult> => {
  const message = newMessage();
  const added = await askConversation(
    live,
    { kind: "added", message, speaker, images: 0, edited: true },
    speaker.id,
    {
      words: [{ id: message, words: messageContent(change(old, text)) }],
      version: {
        surface: key.surface,
        id: `${key.id}${EDIT}${no}`,
        conversation: live.state().id,
        at: clock.now(),
        speaker,
        text,
        images: [],
        ...omitUndefined({ source }),
      },
    },
  );
  return added.kind === "refused" ? refused("stale") : actResult(added);
};

/** The author restored the words that the model has read. */
const takeBack = async (
  store: EditDeps["store"],
  live: Live,
  { claim, message }: VersionRow,
  { speaker, text }: { readonly speaker: Speaker; readonly text: string },
): Promise<ActResult> => {
  const removed =
    message === null
      ? null
      : await askConversation(live, { kind: "unqueued", message, by: speaker }, speaker.id);
  return removed?.kind === "failed" ? removed : store.reword({ ...claim, text }, []);
};

/** Changes the text that the next request contains, or that a click sends. `before`: text of the version before. */
const reword = (
  store: Pick<Store, "words" | "reword">,
  { claim, message }: VersionRow,
  before: string,
  text: string,
): Promise<ActResult> => {
  const stored = message === null ? undefined : store.words([message]).get(message);
  const { own, ...said } = stored?.kind === "said" ? { ...claim, ...stored } : claim;
  const whole = { ...said, ...omitUndefined({ own }), text: `${said.text.slice(0, own?.said ?? 0)}${text}` };
  const isEdit = claim.id.includes(EDIT);
  const sent: Claim = isEdit ? { ...claim, text } : { ...claim, ...whole };
  const words = messageContent(isEdit ? change(before, text) : whole);
  return store.reword(sent, message === null ? [] : [{ id: message, words }]);
};

/** Marks the claim of an edit that was added to a turn. */
const EDIT = "/edit/";

/** Text of an edit for the model. The host names the author before it. */
const change = (old: string, text: string): Message => {
  const words = changedWords(old, text);
  if (words !== null) return { text: words, images: [] };
  return { text: `${NOW}${text}`, own: { brought: 0, said: NOW.length }, images: [] };
};

const NOW = "[Parley] The message now reads:\n\n";

/** Null if the text was erased, or if there is none. */
const textOf = (store: Pick<Store, "words">, version: VersionRow | undefined): string | null => {
  if (version === undefined) return null;
  const { claim, message } = version;
  if (message === null) return claim.text === "" && claim.images.length === 0 ? null : ownText(claim);
  const stored = store.words([message]).get(message);
  if (stored?.kind !== "said" || isDeleted(stored)) return null;
  // After an erasure of other words, the claim is empty.
  return claim.id.includes(EDIT) ? claim.text : ownText(stored);
};

const ownText = ({ text, own }: Pick<Message, "text" | "own">): string =>
  escapeOwn({ text: text.slice(own?.said ?? 0) });

/** Whether the message waits, or the next request will be the first to contain it. */
const isUnread = ({ waiting = [], turn }: State, message: MessageId | null): boolean =>
  [...waiting, ...(turn.added ?? [])].some((one) => one.message === message);

/** A retried turn has the message of the turn before. */
const isOfTurn = (
  store: Pick<Store, "told">,
  { id, turn, phase }: State,
  all: readonly VersionRow[],
): boolean => {
  if (isTurnOver(phase)) return false;
  for (let no = turn.no; no > 0; no -= 1) {
    const said = store.told(id, no).flatMap(({ entry }) => (entry.kind === "said" ? [entry] : []));
    if (said.some(({ message }) => all.some((one) => one.message === message))) return true;
    if (said.some(({ added }) => added !== true)) return false;
  }
  return false;
};

const refused = (why: "no_op" | "stale" | "context_exhausted" | "summarizing"): ActResult => ({
  kind: "refused",
  why,
});

/** The message itself is still being handled. */
const STILL_OPEN: ActResult = { kind: "failed", code: "io", message: "The message is not stored yet." };
