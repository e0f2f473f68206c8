/** An active host checks its membership next to its work, and ends when the membership is over. */

import type { Lease } from "../database/member.ts";
import { createLeaseCheck } from "./lease-check.ts";

interface Activated {
  readonly name: string;
  readonly lease: Pick<Lease, "isHeld" | "held" | "over">;
}

/** Exit status of a host whose membership another host has ended; after a restart the host joins again. */
const ENDED = 4;

export const activate = ({ name, lease }: Activated) => {
  /** Exits without finishing any work and without notices, because the hosts that took over own the work now. */
  const standDown = (): never => {
    console.error(`stopping: ${name} is no longer an active host; after a restart it joins again`);
    process.exit(ENDED);
  };
  const { ports, close } = createLeaseCheck(lease, standDown);
  return {
    ports,
    /** Ends the checks before this host leaves: until then this host owns all its work, and the process ends normally. */
    close,
    drained: lease.over.then((how) => (how === "lost" ? standDown() : how)),
  };
};
