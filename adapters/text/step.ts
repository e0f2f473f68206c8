/** What the agent is doing, in one line, as the console shows it. Pure. */

import { ATTEMPTS } from "../../src/machine/retry.ts";
import type { Doing } from "../../src/thread/call-text.ts";
import type { ThreadStatus } from "../../src/thread/post.ts";
import type { Marks, Naming } from "../../src/thread/marks.ts";
import { capitalised } from "../../src/thread/wording.ts";
import type { Say } from "../../src/i18n/say.ts";
import { agentsHead } from "./agents.ts";

/** Where people see what sub-agents cost. */
export const stepText = (
  { kind, tool, attempt, wait, agents, silent }: ThreadStatus,
  { code, plain, say }: Pick<Marks, "code" | "plain" | "say">,
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

/** `tool`: for one that no words are known for. */
export const doingText = ({ verb, object }: Doing, tool: string | null, { code, say }: Naming): string =>
  capitalised(say(verb, { object: object === "" ? (tool ?? "") : code(object) }));

/** *Stop* stands beside it. */
const hush = (silent: ThreadStatus["silent"], say: Say): string =>
  silent === undefined ? "" : `: ${say("the model has sent nothing for a minute. Wait, or use Stop")}`;

const again = (attempt: number, say: Say): string => (attempt === 1 ? "" : ` (${attemptText(attempt, say)})`);

const attemptText = (attempt: number, say: Say): string =>
  say("attempt {attempt} of {all}", { attempt, all: ATTEMPTS });
