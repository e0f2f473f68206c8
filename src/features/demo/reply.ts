/** A step of the demo model: text, and tool calls if the turn continues. */

import type { DemoCallResult } from "./turn.ts";

export interface DemoCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface DemoReply {
  readonly text: string;
  /** An empty list ends the turn. */
  readonly calls: readonly DemoCall[];
}

/** Yields calls, receives their results, and returns the final text. Replaying it gives the same result. */
export type DemoScene = Generator<DemoReply, string, readonly DemoCallResult[]>;

/** Replays a scene with the results so far. Without calls, the reply is the scene's last text. */
export const playScript = (scene: DemoScene, calls: readonly DemoCallResult[]): DemoReply => {
  let [at, next] = [0, scene.next([])];
  while (next.done !== true) {
    const end = at + next.value.calls.length;
    if (end > calls.length) return next.value;
    next = scene.next(calls.slice(at, end));
    at = end;
  }
  return { text: next.value, calls: [] };
};

export function* demoStep(
  text: string,
  call: DemoCall,
): Generator<DemoReply, DemoCallResult, readonly DemoCallResult[]> {
  const [done = UNHEARD] = yield { text, calls: [call] };
  return done;
}

const UNHEARD: DemoCallResult = { name: "", input: null, text: "", isError: true };

export const bash = (command: string): DemoCall => ({ name: "bash", input: { command } });

/** Final text of a turn; always names the demo model. */
export const finalReply = (text: string): DemoReply => ({
  text: `${text.trim()}\n\n${SIGNATURE}`,
  calls: [],
});

const SIGNATURE =
  "_Demo model: scripted, no AI. Set `ANTHROPIC_API_KEY` and restart to talk to a real model; say `help` for the tour._";
