/** A process that does one thing outside of it (`fetch`, `http` or `spawn`), as the active host or as one that is not it any more. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { activate } from "../../../src/host/fleet/active.ts";
import type { Member } from "../../../src/host/fleet/stand-by.ts";

const [effect = "", held = "", target = ""] = process.argv.slice(2);
const lease: Member["lease"] = {
  kind: "lease",
  epoch: 1,
  isHeld: () => held === "held",
  held: () => Promise.resolve(held === "held"),
  over: new Promise(() => undefined),
  push: () => Promise.reject(new Error("nothing is written here")),
  release: () => Promise.resolve(),
};
activate({ name: "one", lease });
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
