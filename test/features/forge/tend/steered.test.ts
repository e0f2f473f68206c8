/** Words of people in a turn: messages and comments with decisions, but not the host's own comment under the click. */

import { expect, test } from "vitest";
import { z } from "zod";
import type { Detail } from "../../../../src/ports/bot.ts";
import type { TendedPush } from "../../../../src/features/forge/tend/bounds.ts";
import { isSteeredTurn } from "../../../../src/features/forge/tend/steered.ts";

const detailOf = z.custom<Pick<Detail, "state" | "posts">>((value) => typeof value === "object");
const made: readonly TendedPush[] = [
  { no: 1, fingerprint: "own", commit: "k2", standing: "landed", told: true },
  { no: 2, fingerprint: "void", commit: null, standing: "void", told: true },
];

const question = (fingerprint: string, comment: string | null, turn = 4) => ({
  post: { body: { kind: "question", turn, ask: { kind: "result", fingerprint }, decision: { comment } } },
});
const command = (comment: string | null) => ({
  post: { body: { kind: "question", turn: 4, ask: { kind: "danger" }, decision: { comment } } },
});

test.each([
  ["nothing", [], undefined, false],
  ["a message", [], ["slack:UBOB"], true],
  ["a comment about a command", [command("m-1")], undefined, true],
  ["a decision about a command without words", [command(null)], undefined, false],
  ["a comment about a card of the click", [question("own", "m-1")], undefined, false],
  ["a comment about another card", [question("other", "m-1")], undefined, true],
  ["a comment about a card whose push is void", [question("void", "m-1")], undefined, true],
  ["a comment in an earlier turn", [question("other", "m-1", 3)], undefined, false],
  ["an open card", [{ post: { body: { kind: "question", turn: 4, decision: null } } }], undefined, false],
] as const)("%s", (_, posts, authors, isSteered) => {
  const turn = { no: 4, ...(authors === undefined ? {} : { authors }) };
  expect(isSteeredTurn(detailOf.parse({ state: { turn }, posts }), made)).toBe(isSteered);
});
