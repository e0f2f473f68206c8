/** What an Unrestricted conversation may do on this host, in the words of the question and of the console. */

import type { Sandbox } from "../sandbox/types.ts";

export const covers = ({ probe }: Sandbox): string => {
  const network = probe.egress === "none" ? ", without a network" : " and reach the network";
  return probe.restricted
    ? `Tools may write in this conversation's own checkout${network}. They still cannot read the host's secrets or other conversations.`
    : `Tools may write${network}. This host's kernel does not confine them.`;
};
