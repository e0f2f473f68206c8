/** What the demo model says next: text, and tool uses where it goes on. */

import type { DemoCallResult } from "./turn.ts";

export interface DemoCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface DemoReply {
  readonly text: string;
  /** Empty ends the turn. */
  readonly calls: readonly DemoCall[];
}

/** Calls, hears what came of that, and says something at the end: the same, whenever it is played again. */
export type DemoScene = Generator<DemoReply, string, readonly DemoCallResult[]>;

/** As far as these calls have come. */
export const playScript = (scene: DemoScene, calls: readonly DemoCallResult[]): DemoReply => {
  let [at, next] = [0, scene.next([])];
  while (next.done !== true) {
    const end = at + next.value.calls.length;
    if (end > calls.length) return next.value;
    next = scene.next(calls.slice(at, end));
    at = end;
  }
  return finalReply(next.value);
};

/** One call of a scene. */
export function* demoStep(
  text: string,
  call: DemoCall,
): Generator<DemoReply, DemoCallResult, readonly DemoCallResult[]> {
  const [done = UNHEARD] = yield { text, calls: [call] };
  return done;
}

const UNHEARD: DemoCallResult = { name: "", input: null, text: "", isError: true };

export const bash = (command: string): DemoCall => ({ name: "bash", input: { command } });

/** The last words of a turn; every one of them says what is speaking. */
export const finalReply = (text: string): DemoReply => ({
  text: `${text.trim()}\n\n${SIGNATURE}`,
  calls: [],
});

const SIGNATURE =
  "_Demo model: scripted, no AI. Set `ANTHROPIC_API_KEY` and restart to talk to a real model; say `help` for the tour._";
