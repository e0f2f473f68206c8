/** A process that commits in many conversations at once until it is killed, telling of each step that is stored. */

import { writeSync } from "node:fs";
import type { ConversationId } from "../../src/machine/id.ts";
import { openStore } from "./open-store.ts";
import { beginIn, commitOf, notice, takeIn } from "./plain.ts";

const [directory = "", conversations = "1"] = process.argv.slice(2);
const opened = openStore(directory);
if (opened.kind === "failed") throw new Error(opened.message);
const { store } = opened;

const talk = async (id: ConversationId): Promise<never> => {
  let state = await beginIn(store, id);
  for (;;) {
    const message = `m-${id}-${state.seq}` as const;
    const words = [{ id: message, words: { kind: "comment", text: `words of step ${state.seq}` } }] as const;
    const entry = { turn: 0, seq: state.seq, at: 1, kind: "answer", message } as const;
    const append = [{ ...entry, text: 1, calls: [], stop: "end" }] as const;
    state = await takeIn(store, commitOf(state, { words, append, posts: [notice("a", state.seq)] }));
    writeSync(1, `${id} ${state.seq}\n`);
  }
};

await Promise.all(Array.from({ length: Number(conversations) }, (_, n) => talk(`c-${n}`)));
