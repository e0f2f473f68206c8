/** One round of killing: a command with daemons that ignore signals is ended, and how long that took. */

import type { RunResult } from "../../sandbox/types.ts";
import { ENV, type World } from "./world.ts";

export type Ending = "stop" | "timeout";

const DAEMONS = `trap '' TERM INT HUP QUIT USR1 USR2
  (setsid bash -c 'trap "" TERM HUP; sleep 600 & sleep 600' &)
  nohup sleep 600 >/dev/null 2>&1 & disown
  bash -c 'kill -STOP $$' &
  echo ready; sleep 600`;

/** Long enough for the daemons to be there. */
const TIMEOUT_MS = 60;

/** Milliseconds from the stop, or from when the time was up, to the answer: by then everything is dead. */
export const endedWithin = async ({ sandbox, policy }: World, ending: Ending): Promise<number> => {
  const abort = new AbortController();
  const from = performance.now();
  let asked = from + TIMEOUT_MS;
  const result = await sandbox.run(
    {
      policy: policy("restricted"),
      argv: ["/bin/bash", "--noprofile", "--norc", "-c", DAEMONS],
      env: ENV,
      timeoutMs: ending === "timeout" ? TIMEOUT_MS : 30_000,
      keep: { head: 100, tail: 0 },
    },
    {
      signal: abort.signal,
      onOutput: () => {
        if (ending === "timeout") return;
        asked = performance.now();
        abort.abort();
      },
    },
  );
  if (result.kind !== WANTED[ending]) throw new Error(`a ${ending} ended as ${JSON.stringify(result)}`);
  return performance.now() - asked;
};

const WANTED = { stop: "killed", timeout: "timedOut" } as const satisfies Record<Ending, RunResult["kind"]>;
