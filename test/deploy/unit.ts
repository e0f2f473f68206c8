/** deploy/parley.service, as far as a machine without systemd can follow it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../app/cli/host.ts";

export interface Unit {
  readonly text: string;
  readonly command: readonly string[];
  /** As systemd writes them: CAP_CHOWN. */
  readonly capabilities: readonly string[];
  /** Seconds that it has to end. */
  readonly stopWithin: number;
}

export const readUnit = (): Unit => {
  const text = readFileSync(join(root, "deploy/parley.service"), "utf8");
  const value = (name: string): string => {
    const found = new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1];
    if (found === undefined) throw new Error(`${name} is not set in the unit`);
    return found;
  };
  return {
    text,
    command: value("ExecStart").split(" "),
    capabilities: value("CapabilityBoundingSet").split(" "),
    stopWithin: Number(value("TimeoutStopSec")),
  };
};
