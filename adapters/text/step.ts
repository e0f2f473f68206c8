/** What the agent is doing, in one line: the same on every surface. Pure. */

import { attemptText } from "../../src/machine/retry.ts";
import type { AgentStatus, Status } from "../../src/thread/post.ts";
import type { Marks } from "../../src/thread/wording.ts";

/** `agentsHead` sums up sub-agents at work, with what they cost where money is shown. */
export const stepText = (
  { kind, tool, attempt, wait, agents, silent }: Status,
  { code, plain }: Pick<Marks, "code" | "plain">,
  agentsHead: (agents: readonly AgentStatus[]) => string,
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

/** *Stop* stands beside it. */
const hush = (silent: Status["silent"]): string =>
  silent === undefined ? "" : ": the model has said nothing for a minute. Wait, or use Stop";

const again = (attempt: number): string => (attempt === 1 ? "" : ` (${attemptText(attempt)})`);
