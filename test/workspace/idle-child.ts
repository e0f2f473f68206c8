/** Parks or opens the checkout of c-1, names each step as it passes it, and is killed by whoever reads that. */

import { z } from "zod";
import { createWorkspaces } from "../../src/workspace/workspaces.ts";
import { conversation, manualClock, startSandbox } from "./scene.ts";

export type Doing = "parks" | "opens";

const [data, source, what] = z
  .tuple([z.string(), z.string(), z.enum(["parks", "opens"])])
  .parse(process.argv.slice(2));
const workspaces = createWorkspaces({
  directory: data,
  sandbox: await startSandbox(),
  clock: manualClock(),
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  atRestStep: (step) =>
    new Promise((resolve) => {
      process.stdout.write(`${step}\n`, () => resolve());
    }),
});
const { signal } = new AbortController();
if (what === "parks") await workspaces.park("c-1", 0, signal);
else {
  await workspaces.open(conversation("c-1", { kind: "path", location: source }, null), {
    signal,
    onProgress: () => undefined,
  });
}
// Whoever was to kill it came too late: it must not pass for one that was killed.
process.stdout.write("ended\n");
