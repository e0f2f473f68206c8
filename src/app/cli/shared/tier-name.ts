import type { Probe } from "../../../../sandbox/types.ts";

/** Name of the sandbox's tier in lines for the operator. */
export const tierName = ({ tier, mounts }: Pick<Probe, "tier" | "mounts">): string =>
  tier === "T0" && !mounts ? "T0 without namespaces" : tier;
