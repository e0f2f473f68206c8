/**
 * Duties of an active host next to its work: it checks its membership, and ends when the membership is over.
 */

import type { Lease } from "../database/member.ts";
import { createLeaseCheck } from "./lease-check.ts";

interface Activated {
  readonly name: string;
  readonly lease: Pick<Lease, "isHeld" | "held" | "over">;
}

/** Exit status of a host whose membership another host has ended; after a restart the host joins again. */
const ENDED = 4;

export const activate = ({ name, lease }: Activated) => {
  /**
   * Exits without finishing any work and without notices, because the hosts that took over own the work now.
   */
  const standDown = (): never => {
    console.error(`stopping: ${name} is no longer an active host; after a restart it joins again`);
    process.exit(ENDED);
  };
  const { ports, close } = createLeaseCheck(lease, standDown);
  return {
    ports,
    /**
     * Ends the checks before this host leaves: all work is its own until then, and the process ends normally.
     */
    close,
    /** Resolves when the host must hand over. */
    drained: lease.over.then((how) => (how === "lost" ? standDown() : how)),
  };
};
