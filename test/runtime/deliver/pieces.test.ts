/** Messages of an earlier version stay where they are, and go with their words. */

import { expect, it } from "vitest";
import type { MessageId } from "../../../src/machine/id.ts";
import type { PostRow } from "../../../src/ports/store.ts";
import type { Renderer } from "../../../src/ports/surface.ts";
import { piecesOf, touched } from "../../../src/runtime/deliver/pieces.ts";
import type { StoredContent } from "../../../src/thread/prompt.ts";
import { conversationOf } from "../../store/plain.ts";
import { turnBody } from "../../turn-body.ts";
import { generous } from "./board.ts";
import { looks } from "../../looks.ts";

const rows: readonly PostRow[] = [
  {
    post: { key: "answer/m-1", at: 1, final: true, actions: [], body: { kind: "answer", message: "m-1" } },
    ordinal: 1,
    revision: 1,
  },
  { post: { key: "turn/2/1", at: 2, final: true, actions: [], body: turnBody() }, ordinal: 2, revision: 2 },
];

/** Shows turns alone. */
const renderer: Pick<Renderer, "post"> = {
  post: ({ key, body }) =>
    body.kind === "turn"
      ? [{ key: `${key}#0`, content: { tone: "turn", text: "x", buttons: [] }, final: true }]
      : [],
};

const touchedWith = (words: StoredContent): readonly string[] => {
  const scene = {
    conversation: conversationOf("c-1"),
    words: new Map<MessageId, StoredContent>([["m-1", words]]),
    looks,
    question: null,
  };
  return touched(rows, piecesOf(rows, scene, renderer, generous), scene);
};

it("what is shown in another message now is left alone while its words are there", () => {
  expect(touchedWith({ kind: "answer", blocks: [] })).toEqual(["turn/2/1"]);
});

it("and is taken away once they are erased", () => {
  expect(touchedWith({ kind: "gone" })).toEqual(["answer/m-1", "turn/2/1"]);
});
