/** Which answers ended in `pause_turn`: only they may be sent back as the last word of a request. */

import type { ContentBlockParam } from "@anthropic-ai/sdk/resources/messages/messages";
import { type Turn, textOf } from "./turn.ts";

export interface PausedTurns {
  remember(turn: Turn): void;
  has(content: readonly ContentBlockParam[]): boolean;
}

export const createPausedTurns = (): PausedTurns => {
  const known = new Set<string>();
  return {
    remember: (turn) => {
      if (turn.stop === "pause_turn") {
        known.add(
          JSON.stringify(
            turn.content.flatMap((piece) => (piece.kind === "text" ? [textOf(piece.text)] : [])),
          ),
        );
      }
    },
    has: (content) =>
      known.has(JSON.stringify(content.flatMap((block) => (block.type === "text" ? [block.text] : [])))),
  };
};
