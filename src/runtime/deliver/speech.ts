/**
 * What a turn says while it goes on, as pieces of the message that it will leave (TH2): nothing of them is taken back when it is
 * over. Owns: the text in flight, as far as it was looked up and masked, and the pieces made of it.
 */

import type { MessageId } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { StoredConversation } from "../../ports/store.ts";
import type { Limits, CheckedPrefix, Progress, Renderer, RenderScene } from "../../ports/surface.ts";
import type { Citation } from "../../text/citation.ts";
import { createLiveMask } from "../../text/secrets/known-forms.ts";
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
  /** Whoever asked had waited long when the message was made. */
  let isLate: boolean | null = null;
  /** Entries of the turn whose words are stored: with another one, the text in flight is among them. */
  let entries = 0;
  /** Heard and not taken over yet; null where nothing is. */
  let newest: { readonly live: string; readonly looked: CheckedPrefix } | null = null;
  let taken: CheckedPrefix | null = null;
  let text = "";
  let citations: readonly Citation[] = [];
  let links: readonly string[] = [];
  let pieces: readonly WantedMessage[] = [];
  let isStale = false;
  /** What is stored has changed: that does not wait for the pace. */
  let isForced = false;

  /** Masks what was heard since: not at each piece of text, but when somebody asks. */
  const take = (): void => {
    if (newest === null) return;
    const { live, looked } = newest;
    newest = null;
    taken = looked;
    const now = mask.next(live.slice(0, looked.upTo));
    // Another try begins anew: what stands is replaced once there is more of it.
    if (!now.startsWith(text) && now.length <= text.length) return;
    if (now === text && looked.citations === citations) return;
    text = now;
    citations = looked.citations;
    links = looked.links;
    isStale = true;
  };

  const render = (): readonly WantedMessage[] => {
    if (turn === null || scene === null) return [];
    const isSpoken = isLong(text);
    if (!isSpoken && turn.said.length === 0) return [];
    const live: StoredContent = { kind: "answer", blocks: [{ kind: "text", text }], citations, links };
    const said = isSpoken ? [...turn.said, LIVE] : turn.said;
    const words = new Map(scene.words).set(LIVE, live);
    isLate ??= clock.now() - turn.begun > LATE;
    return renderer.open({ ...turn, said }, { ...scene, words }, limits, isLate).map((piece) => ({
      piece,
      post: turn?.key ?? "",
      hash: pieceHashOf(piece.content),
      open: true,
    }));
  };

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
    /** What is stored of the turn has changed. */
    load: (
      stored: StoredConversation,
      words: (ids: readonly MessageId[]) => ReadonlyMap<MessageId, StoredContent>,
      sourcesOf: (turns: readonly Pick<OpenTurn, "asked">[]) => Pick<RenderScene, "sources">,
    ): void => {
      const answers = stored.turn.filter(({ kind }) => kind === "answer").length;
      const now = openTurn(stored.state, stored.turn);
      if (answers !== entries || now?.key !== turn?.key) [text, newest] = ["", null];
      if (now?.key !== turn?.key) isLate = null;
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
              words: words(wordsIn(turn)),
              looks,
              question: null,
            };
    },
    heard: ({ live, looked }: Progress) => {
      if (looked !== undefined && looked !== taken) newest = { live, looked };
    },
    isOn: (): boolean => {
      take();
      return turn !== null && isLong(text);
    },
    /** The same as far as it is rendered: what is newer counts as different. */
    glimpsed: (mayChange: boolean): readonly WantedMessage[] => {
      take();
      const last = pieces.at(-1);
      if (last === undefined || !isStale || isForced) return shown(mayChange);
      return mayChange ? [...pieces.slice(0, -1), { ...last, hash: "" }] : pieces;
    },
    /** `mayChange`: false gives what was given last. */
    shown,
  };
};

/** Milliseconds. */
const LATE = 60_000;

const isLong = (text: string): boolean => Buffer.byteLength(text) > NARRATION;

const wordsIn = ({ said, changes }: OpenTurn): readonly MessageId[] => [
  ...said,
  ...changes.flatMap(({ message, outcome }) =>
    outcome.kind === "ran" ? [message, outcome.message] : [message],
  ),
];
