/** What the agent is doing, in one line, as the console shows it. Pure. */

import { attemptText } from "../../src/machine/retry.ts";
import type { Doing } from "../../src/thread/call-text.ts";
import type { Status } from "../../src/thread/post.ts";
import type { Marks } from "../../src/thread/marks.ts";
import { agentsHead } from "./agents.ts";

/** Where people see what sub-agents cost. */
export const stepText = (
  { kind, tool, attempt, wait, agents, silent }: Status,
  { code, plain }: Pick<Marks, "code" | "plain">,
): string => {
  switch (kind) {
    case "thinking":
      return `Thinking${again(attempt)}${hush(silent)}`;
    case "retrying":
      return `${plain(wait?.failure.message ?? "")} Trying again in ${Math.ceil((wait?.delay ?? 0) / 1_000)} s (${attemptText(attempt)})`;
    case "running":
      return agents === undefined ? `Running ${code(tool ?? "")}` : agentsHead(agents);
    case "stopping":
      return "Stopping";
    case "summarizing":
      return `Writing a summary for a new thread${again(attempt)}${hush(silent)}`;
  }
};

export const doingText = ({ verb, object }: Doing, code: Marks["code"]): string =>
  `${verb.charAt(0).toUpperCase()}${verb.slice(1)}${object === "" ? "" : ` ${code(object)}`}`;

/** *Stop* stands beside it. */
const hush = (silent: Status["silent"]): string =>
  silent === undefined ? "" : ": the model has said nothing for a minute. Wait, or use Stop";

const again = (attempt: number): string => (attempt === 1 ? "" : ` (${attemptText(attempt)})`);
