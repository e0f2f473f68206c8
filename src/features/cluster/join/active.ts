/** What a host does beside its work while it is an active one: it looks whether it still is, and goes when it is not. */

import type { Lease } from "../database/member.ts";
import { createLeaseCheck } from "./look-before.ts";

interface Activated {
  readonly name: string;
  readonly lease: Pick<Lease, "isHeld" | "held" | "over">;
}

/** Exit status of a host that another one has ended: started anew, it joins again. */
const ENDED = 4;

export const activate = ({ name, lease }: Activated) => {
  /** Whatever it was doing belongs to the hosts that have taken over: nothing is finished, and nobody is told. */
  const standDown = (): never => {
    console.error(`stopping: ${name} is not an active host any more; started anew, it joins again`);
    process.exit(ENDED);
  };
  const { ports, close } = createLeaseCheck(lease, standDown);
  return {
    ports,
    /** Before it leaves: what it does then is its own, and it ends as it was asked to. */
    close,
    /** Settles when the host is to hand over. */
    drained: lease.over.then((how) => (how === "lost" ? standDown() : how)),
  };
};
