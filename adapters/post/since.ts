/**
 * Updates an answer's cited lines in its existing message: line numbers are corrected, and one line reports
 * the changes. The update never needs another message; without room the report is shorter. Pure.
 */

import type { MessageId } from "../../src/machine/id.ts";
import type { Conversation } from "../../src/ports/conversation.ts";
import type { Content, RenderScene } from "../../src/ports/surface.ts";
import { type Citation, withoutSince } from "../../src/text/citation.ts";
import type { StoredContent } from "../../src/thread/prompt.ts";
import { citationsOf } from "../../src/thread/visible-text.ts";
import { changedText } from "../text/citations.ts";
import type { Dialect, RenderContext } from "./dialect.ts";

export interface ChangesSince {
  /** Line that reports the changes; null if there are none. */
  readonly changed: string | null;
  /** Whether the line replaces the context line. */
  readonly isAlone: boolean;
}

const UNCHANGED: ChangesSince = { changed: null, isAlone: false };

/** `contents`: renders the answer with the given texts and report. */
export const withCitationChanges = (
  said: readonly MessageId[],
  { scene, dialect }: RenderContext,
  contents: (scene: RenderScene, since: ChangesSince) => readonly Content[],
): readonly Content[] => {
  const cited = said.flatMap((id) => citationsOf(scene.words.get(id)) ?? []);
  if (cited.every(({ now }) => now === undefined)) return contents(scene, UNCHANGED);
  const asPosted = { ...scene, words: new Map([...scene.words].map(([id, one]) => [id, asItWas(one)])) };
  const posted = contents(asPosted, UNCHANGED);
  const { changed, briefly } = textsOf(cited, scene.conversation, dialect);
  const ways = [
    () => contents(scene, { changed, isAlone: false }),
    () => contents(asPosted, { changed, isAlone: false }),
    () => contents(asPosted, { changed: briefly, isAlone: true }),
  ];
  for (const way of ways) {
    const found = way();
    if (found.length === posted.length) return found;
  }
  return posted;
};

const textsOf = (
  cited: readonly Citation[],
  conversation: Conversation,
  { code, linked, italic, marks: { say } }: Dialect,
) => {
  const changed = changedText(cited, conversation, { code, linked }, say);
  if (changed === null) return { changed: null, briefly: null };
  const commit = cited.flatMap(({ now }) => (now?.kind === "changed" ? (now.commit ?? []) : [])).at(0);
  const briefly =
    commit === undefined ? say("changed since") : say("changed in {commit}", { commit: commit.slice(0, 7) });
  return { changed: italic(changed), briefly: italic(briefly) };
};

const asItWas = (words: StoredContent): StoredContent =>
  words.kind === "answer" && words.citations !== undefined
    ? { ...words, citations: words.citations.map(withoutSince) }
    : words;
