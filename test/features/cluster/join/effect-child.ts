/** A process that does one thing outside of it (`fetch`, `http` or `spawn`), as the active host, as one that is not it any more, or as one that leaves. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { activate } from "../../../../src/features/cluster/join/activate.ts";

export type Effect = "fetch" | "http" | "spawn";

const [effect = "", held = "", target = ""] = process.argv.slice(2);
const isHeld = held === "held";
const active = activate({
  name: "one",
  lease: { isHeld: () => isHeld, held: () => Promise.resolve(isHeld), over: new Promise(() => undefined) },
});
if (held === "left") active.close();
switch (effect) {
  case "fetch":
    await fetch(target);
    break;
  case "http":
    await once(http.get(target), "response");
    break;
  default:
    await once(spawn("touch", [target]), "exit");
}
process.exit(0);
