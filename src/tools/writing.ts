import type { Log } from "../ports/host.ts";
import type { MergedPull } from "../ports/draft-pulls.ts";
import type { ToolOutcome, Writes, WrittenResult } from "../ports/tools.ts";
import { failure, toolsByName, noteBreak, success, type Tool, type Unable, unless } from "./tool.ts";

/** Never throws: an uncertain write is reported as uncertain. */
export const writesOf = (tools: readonly Tool[], log: Pick<Log, "error">): Writes => {
  const byName = toolsByName(tools);
  const broke = (run: Parameters<Writes["propose"]>[0], error: unknown): string => {
    noteBreak(log, run, error);
    return `${run.name} broke inside Parley.`;
  };
  return {
    propose: async (run, hooks) => {
      const { writes } = byName.get(run.name) ?? {};
      // Sub-agents have no tool that asks a person (L8).
      if (writes === undefined || run.isSubAgent === true) return { kind: "none" };
      try {
        return await unless(
          () => writes.propose(run, hooks),
          // People are not asked about an impossible write.
          ({ message }) => ({ kind: "refused", outcome: failure(message) }),
        );
      } catch (error) {
        return { kind: "refused", outcome: failure(broke(run, error)) };
      }
    },
    write: async (run, errand, hooks) => {
      const { writes } = byName.get(run.name) ?? {};
      if (writes === undefined) return failedWrite(NOT_ASKED);
      try {
        return await unless(() => writes.write(run, errand, hooks), unwritten);
      } catch (error) {
        return unwritten({ message: broke(run, error), perhaps: true });
      }
    },
  };
};

export const written = (landed: MergedPull): WrittenResult => ({
  outcome: done(landed),
  wrote: { kind: "done", ...landed },
});

const done = ({ name, url }: MergedPull): ToolOutcome =>
  success(`Done, as a person approved it: ${name}, ${url}`);

const NOT_ASKED = "Nothing was done: this is not what a person was asked.";

export const failedWrite = (why: string): WrittenResult => ({
  outcome: failure(why),
  wrote: { kind: "failed", why },
});

/** An uncertain write may already exist when it is proposed again. */
const unwritten = ({ message, perhaps }: Pick<Unable, "message" | "perhaps">): WrittenResult =>
  perhaps
    ? { outcome: failure(`${message} ${MAYBE}`), wrote: { kind: "unknown", why: message } }
    : failedWrite(message);

const MAYBE =
  "It may have been written all the same: an answer was lost. Read the forge before you propose it again. Where that cannot be read either, say so and propose nothing. If people want it all the same, propose it in the very same words: the host looks for the first one before it writes, and another wording would stand there twice.";
