/** Tools that put before people what they would do, and what is done once somebody has approved it. */

import type { Proposed, Writes } from "../ports/tools.ts";
import { failure, type Tool, type Unable } from "./tool.ts";

/** Of one kind: the forge's, drafts, MCP servers. */
export interface WritingTools {
  readonly tools: readonly Tool[];
  readonly writes: Writes;
}

/** Each call is answered by the kind that brought its tool. */
export const writesOf = (kinds: readonly WritingTools[]): Writes => {
  const byName = new Map(
    kinds.flatMap(({ tools, writes }) => tools.map(({ spec }) => [spec.name, writes] as const)),
  );
  return {
    propose: async (run, hooks) => (await byName.get(run.name)?.propose(run, hooks)) ?? { kind: "none" },
    write: async (run, errand, hooks) =>
      (await byName.get(run.name)?.write(run, errand, hooks)) ?? {
        outcome: failure(NOT_ASKED),
        wrote: { kind: "failed", why: NOT_ASKED },
      },
  };
};

/** Nobody is asked about what cannot be done. */
export const refused = ({ message }: Unable): Proposed => ({ kind: "refused", outcome: failure(message) });

const NOT_ASKED = "Nothing was done: this is not what a person was asked.";
