/** What the demo model says next: text, and tool uses where it goes on. */

import type { Done } from "./turn.ts";

export interface DemoCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly text: string;
  /** Empty ends the turn. */
  readonly calls: readonly DemoCall[];
}

export const bash = (command: string): DemoCall => ({ name: "bash", input: { command } });

/** The command of a `bash` call; empty for every other one. */
export const commandOf = ({ input }: Done): string =>
  typeof input === "object" && input !== null && "command" in input && typeof input.command === "string"
    ? input.command
    : "";

/** The last words of a turn; every one of them says what is speaking. */
export const finalReply = (text: string): Reply => ({ text: `${text.trim()}\n\n${SIGNATURE}`, calls: [] });

const SIGNATURE =
  "_Demo model: scripted, no AI. Set `ANTHROPIC_API_KEY` and restart to talk to a real model; say `help` for the tour._";
