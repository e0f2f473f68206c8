/** What the host itself keeps of the messages that got no answer, and of who decided: read from its data directory. */

import { openStoreForReading } from "../../../src/store/sqlite.ts";

export interface Kept {
  /** Numbered messages whose turn ended in the thread with *Stopped by* or *Interrupted*, and none other. */
  readonly cut: ReadonlyMap<number, "stopped" | "interrupted">;
  /** Who decided each question that was decided. */
  readonly deciders: readonly string[];
  /** Questions that still wait. */
  readonly open: number;
}

const MANY = 1_000;

export const readKept = (directory: string): Kept => {
  const opened = openStoreForReading(directory);
  if (opened.kind === "failed") throw new Error(opened.message);
  const { store } = opened;
  try {
    const cut = new Map<number, "stopped" | "interrupted">();
    const deciders: string[] = [];
    let open = 0;
    for (const { conversation } of store.list(MANY, null)) {
      let asked = -1;
      for (const { post } of store.posts(conversation.id, 0)) {
        const { body } = post;
        if (body.kind === "user") {
          const words = store.words([body.message]).get(body.message);
          asked = words?.kind === "said" ? numberIn(words.text) : -1;
        } else if (body.kind === "question") {
          if (body.decision !== null) deciders.push(body.decision.by);
          else if (body.question !== null) open += 1;
        } else if (body.kind === "notice") {
          const { kind } = body.notice;
          if (kind === "stopped" || kind === "interrupted") cut.set(asked, kind);
        }
      }
    }
    return { cut, deciders, open };
  } finally {
    store.close();
  }
};

/** Of the last message that a text names. */
export const numberIn = (text: string): number =>
  Number([...text.matchAll(/\[message (\d+)\]/g)].at(-1)?.[1] ?? "-1");
