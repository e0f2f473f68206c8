/**
 * Pieces of the message that the running turn will leave (TH2): no text is withdrawn when the turn ends. Only the first
 * sentences of a turn may turn out to be the status of a tool. The words remain until the answer replaces them by an edit.
 */

import type { MessageId } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { StoredConversation } from "../../ports/store.ts";
import type { Limits, CheckedPrefix, Progress, Renderer, RenderScene } from "../../ports/surface.ts";
import type { Citation } from "../../text/citation.ts";
import { createLiveMask } from "../../text/secrets/known-forms.ts";
import { hasSentence } from "../../text/sentence.ts";
import type { FindCallWording } from "../../thread/call-text.ts";
import { LIVE, type OpenTurn } from "../../thread/post.ts";
import type { StoredContent } from "../../thread/prompt.ts";
import { NARRATION, openTurn } from "../../thread/turn-post.ts";
import { pieceHashOf } from "./pieces.ts";
import type { WantedMessage } from "./plan.ts";

export const createLiveAnswer = (
  renderer: Pick<Renderer, "open">,
  limits: Limits,
  looks: FindCallWording,
  clock: Pick<Clock, "now">,
) => {
  const mask = createLiveMask();
  let turn: OpenTurn | null = null;
  let scene: RenderScene | null = null;
  /** Whether the requester had already waited long when the message was made. */
  let isLate: boolean | null = null;
  /** Whether the turn has neither text nor a tool yet. */
  let isFirst = true;
  /** Whether the streamed text is shown. */
  let isSpoken = false;
  /** Shown text that turned out to be the status of a tool. */
  let folded: MessageId | null = null;
  /** Answers stored in the turn. If their number grows, the streamed text is among them. */
  let entries = 0;
  /** Null if all streamed text is processed. */
  let newest: { readonly live: string; readonly looked: CheckedPrefix } | null = null;
  let taken: CheckedPrefix | null = null;
  let text = "";
  let citations: readonly Citation[] = [];
  let links: readonly string[] = [];
  let pieces: readonly WantedMessage[] = [];
  let isStale = false;
  /** Whether stored text changed: rendering then does not wait for the pace. */
  let isForced = false;

  /** Masks the text received since the last call. Runs on demand, not for each received piece. */
  const take = (): void => {
    if (newest === null) return;
    const { live, looked } = newest;
    newest = null;
    taken = looked;
    const now = mask.next(live.slice(0, looked.upTo));
    // Another try starts from the beginning: the posted text stays until the new text is longer.
    if (!now.startsWith(text) && now.length <= text.length) return;
    if (now === text && looked.citations === citations) return;
    text = now;
    citations = looked.citations;
    links = looked.links;
    isStale = true;
    isSpoken ||= isLong(text) || (isFirst && hasSentence(text, SENTENCE));
  };

  const render = (): readonly WantedMessage[] => {
    if (turn === null || scene === null) return [];
    if (!isSpoken && turn.said.length === 0)
      return folded === null ? [] : renderSaid(turn, scene, [folded]).map(full);
    const live: StoredContent = { kind: "answer", blocks: [{ kind: "text", text }], citations, links };
    const words = new Map(scene.words).set(LIVE, live);
    return renderSaid(turn, { ...scene, words }, isSpoken ? [...turn.said, LIVE] : turn.said);
  };

  const renderSaid = (of: OpenTurn, where: RenderScene, said: OpenTurn["said"]): readonly WantedMessage[] => {
    isLate ??= isOld(of);
    return renderer.open({ ...of, said }, where, limits, isLate).map((piece) => ({
      piece,
      post: of.key,
      hash: pieceHashOf(piece.content),
      open: true,
    }));
  };

  const isOld = ({ begun }: Pick<OpenTurn, "begun">): boolean => clock.now() - begun > LATE;

  const shown = (mayChange: boolean): readonly WantedMessage[] => {
    take();
    if (isStale && (mayChange || isForced || pieces.length === 0)) {
      pieces = render();
      isStale = false;
      isForced = false;
    }
    return pieces;
  };

  return {
    load: (
      stored: StoredConversation,
      words: (ids: readonly MessageId[]) => ReadonlyMap<MessageId, StoredContent>,
      sourcesOf: (turns: readonly Pick<OpenTurn, "asked">[]) => Pick<RenderScene, "sources">,
    ): void => {
      const own = stored.turn.filter((one) => one.turn === stored.state.turn.no);
      const answered = own.flatMap((one) => (one.kind === "answer" ? [one.message] : []));
      const answers = stored.turn.filter(({ kind }) => kind === "answer").length;
      const now = openTurn(stored.state, stored.turn);
      const isSame = now?.key === turn?.key;
      if (isSame && answers !== entries && isFirst && isSpoken) folded = answered.at(-1) ?? null;
      // A question shows the text, and a late answer notifies its reader by a new message (TH3).
      if (!isSame || (now !== null && isOld(now)) || stored.state.phase.kind === "awaitingApproval")
        folded = null;
      if (!isSame || answers !== entries) [text, newest, isSpoken] = ["", null, false];
      if (!isSame || (folded === null && !isSpoken && now?.said.length === 0)) isLate = null;
      isFirst = answered.length === 0;
      entries = answers;
      turn = now;
      isStale = true;
      isForced = true;
      scene =
        turn === null
          ? null
          : {
              ...sourcesOf([turn]),
              conversation: stored.conversation,
              words: words([...wordsIn(turn), ...(folded === null ? [] : [folded])]),
              looks,
              question: null,
            };
    },
    heard: ({ live, looked }: Progress) => {
      if (looked !== undefined && looked !== taken) newest = { live, looked };
    },
    isOn: (): boolean => {
      if (!isSpoken) take();
      return turn !== null && isSpoken;
    },
    /** Like `shown`, but neither masks nor renders: newer text makes the last piece count as changed. */
    glimpsed: (mayChange: boolean): readonly WantedMessage[] => {
      const last = pieces.at(-1);
      if (last === undefined || isForced) return shown(mayChange);
      if (!mayChange || (!isStale && newest === null)) return pieces;
      return [...pieces.slice(0, -1), { ...last, hash: "" }];
    },
    /** If `mayChange` is false, returns the last pieces again. */
    shown,
  };
};

/** Milliseconds. */
const LATE = 60_000;
/** Bytes of a sentence that is shown before the model may call its first tool. */
const SENTENCE = 80;

/** Ends the platform's stream, which only grows, so that an edit can replace the text. */
const full = (one: WantedMessage): WantedMessage => {
  const content = { ...one.piece.content, isFull: true as const };
  return { ...one, piece: { ...one.piece, content }, hash: pieceHashOf(content) };
};

const isLong = (text: string): boolean => Buffer.byteLength(text) > NARRATION;

const wordsIn = ({ said, changes }: OpenTurn): readonly MessageId[] => [
  ...said,
  ...changes.flatMap(({ message, outcome }) =>
    outcome.kind === "ran" ? [message, outcome.message] : [message],
  ),
];
