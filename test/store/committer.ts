/** A process that opens the store of a directory and commits until it is killed, telling after each step. */

import { writeSync } from "node:fs";
import type { State } from "../../src/core/state.ts";
import { openStore } from "../../src/store/sqlite.ts";
import { begin, commitOf, notice, take } from "./plain.ts";

const opened = openStore(process.argv[2] ?? "");
if (opened.kind === "failed") throw new Error(opened.message);
const { store } = opened;

let state: State = begin(store);
for (;;) {
  const id = `m-${state.seq}` as const;
  const words = [{ id, words: { kind: "comment", text: `words of step ${state.seq}` } }] as const;
  const entry = { turn: 0, seq: state.seq, at: 1, kind: "answer", message: id } as const;
  const append = [{ ...entry, text: 1, calls: [], stop: "end" }] as const;
  state = take(store, commitOf(state, { words, append, posts: [notice("a", state.seq)] }));
  writeSync(1, `${state.seq}\n`);
}
