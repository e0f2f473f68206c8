/** What the host itself may reach at addresses that others name. */

import { createLookup } from "../../sandbox/egress/lookup.ts";
import { createReach, type Reach } from "../../sandbox/egress/reach.ts";
import { readRules, type Rules } from "../../sandbox/egress/rules.ts";
import type { Config } from "./settings/config.ts";

/** Absent: any public host. */
export type Egress = Partial<Pick<Config, "PARLEY_EGRESS">>;

/** The destinations of PARLEY_EGRESS, as for commands with network. */
export const reachOf = (egress: Egress): Reach => reachWith(rulesOf(egress));

/** Any public host, and the inner networks of PARLEY_EGRESS: for stores of a forge that the operator trusts already. */
export const anyPublicOf = (egress: Egress): Reach => reachWith({ ...rulesOf(egress), names: null });

const rulesOf = ({ PARLEY_EGRESS: allow }: Egress): Rules => {
  const read = readRules(allow ?? null);
  // The settings were parsed by the same rules.
  return read.kind === "rules" ? read.rules : { names: [], networks: [] };
};

const reachWith = (rules: Rules): Reach => createReach({ rules, lookup: createLookup(), unsafeOpen: [] });
