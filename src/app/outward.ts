/** Network access of the host itself to addresses that other people or services name. */

import { createLookup } from "../../sandbox/egress/lookup.ts";
import { createConnectReach, type Reach } from "../../sandbox/egress/reach.ts";
import { readRules, type Rules } from "../../sandbox/egress/rules.ts";
import { createOutward } from "../../sandbox/egress/outward.ts";
import type { FileContext } from "../feature.ts";
import { createProxyOf, proxiesOf } from "./process/outgoing-proxy.ts";
import type { Config } from "./settings/config.ts";
import { version } from "./settings/version.ts";

/** Without PARLEY_EGRESS, any public host is allowed. Without a proxy address, connections are direct. */
type Egress = Partial<Pick<Config, "PARLEY_EGRESS" | "HTTPS_PROXY" | "HTTP_PROXY" | "NO_PROXY">>;

/** Allows the destinations of PARLEY_EGRESS, as for commands with network. */
export const reachOf = (egress: Egress): Reach => reachWith(rulesOf(egress), egress);

export const readingWith = ({ otherKeys, ...egress }: Egress & Pick<Config, "otherKeys">): FileContext => ({
  version,
  keyOf: (name) => otherKeys[name] ?? null,
  outward: createOutward(anyPublicOf(egress)),
  proxies: proxiesOf(egress),
});

/** Allows any public host and the private networks of PARLEY_EGRESS, for storage of a trusted forge. */
const anyPublicOf = (egress: Egress): Reach => reachWith({ ...rulesOf(egress), names: null }, egress);

const rulesOf = ({ PARLEY_EGRESS: allow }: Egress): Rules => {
  const read = readRules(allow ?? null);
  // Invalid rules cannot occur here, because the settings were parsed by the same function.
  return read.kind === "rules" ? read.rules : { names: [], networks: [] };
};

const reachWith = (rules: Rules, { NO_PROXY = [], ...proxies }: Egress): Reach =>
  createConnectReach({
    rules,
    lookup: createLookup(),
    unsafeOpen: [],
    proxyOf: createProxyOf({ ...proxies, NO_PROXY }),
  });
