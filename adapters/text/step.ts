/** Describes the agent's current work in one line for the console. Pure. */

import { ATTEMPTS } from "../../src/machine/retry.ts";
import type { CallActivity } from "../../src/thread/call-text.ts";
import type { ThreadStatus } from "../../src/thread/post.ts";
import type { Formatter, NameFormatter } from "../../src/thread/formatter.ts";
import { capitalize } from "../../src/thread/wording.ts";
import type { Say } from "../../src/i18n/say.ts";
import { agentsHead } from "./agents.ts";

/** The costs of sub-agents are displayed here too. */
export const stepText = (
  { kind, tool, attempt, wait, agents, silent }: ThreadStatus,
  { code, plain, say }: Pick<Formatter, "code" | "plain" | "say">,
): string => {
  switch (kind) {
    case "thinking":
      return `${say("Thinking")}${again(attempt, say)}${hush(silent, say)}`;
    case "retrying":
      return say("{why} Trying again in {seconds} s ({attempt})", {
        why: plain(say.stored(wait?.failure.message ?? "")),
        seconds: Math.ceil((wait?.delay ?? 0) / 1_000),
        attempt: attemptText(attempt, say),
      });
    case "running":
      return agents === undefined
        ? say("Running {tool}", { tool: code(tool ?? "") })
        : agentsHead(agents, say);
    case "stopping":
      return say("Stopping");
    case "summarizing":
      return `${say("Writing a summary for a new thread")}${again(attempt, say)}${hush(silent, say)}`;
  }
};

/** `tool`: name to display if no words for the tool are known. */
export const doingText = (
  { verb, object }: CallActivity,
  tool: string | null,
  { code, say }: NameFormatter,
): string => capitalize(say(verb, { object: object === "" ? (tool ?? "") : code(object) }));

/** A *Stop* button is next to this text. */
const hush = (silent: ThreadStatus["silent"], say: Say): string =>
  silent === undefined ? "" : `: ${say("the model has sent nothing for a minute. Wait, or use Stop")}`;

const again = (attempt: number, say: Say): string => (attempt === 1 ? "" : ` (${attemptText(attempt, say)})`);

const attemptText = (attempt: number, say: Say): string =>
  say("attempt {attempt} of {all}", { attempt, all: ATTEMPTS });
