import type { Probe, Sandbox } from "../../sandbox/types.ts";
import type { Config } from "./settings/config.ts";
import type { UnrestrictedOffer } from "../machine/vocabulary.ts";

export const unrestrictedText = ({ probe }: Sandbox): string => {
  const network = probe.egress === "none" ? ", without a network" : " and reach the network";
  return probe.restricted
    ? `Tools may write in this conversation's own checkout${network}. They still cannot read the host's secrets or other conversations.`
    : `Tools may write${network}. This host's kernel does not confine them.`;
};

/** Parley asks for no approval without effect (BED-014.4). */
export const offerOf = (
  config: Pick<Config, "PARLEY_EGRESS" | "PARLEY_ALLOW_T2_WRITES">,
  { probe }: Pick<Sandbox, "probe">,
): UnrestrictedOffer => ({
  refused: refusalOf(config, probe),
  network: probe.egress === "shared" || (probe.egress === "proxy" && !isClosed(config.PARLEY_EGRESS)),
});

const refusalOf = (
  config: Pick<Config, "PARLEY_ALLOW_T2_WRITES">,
  { tier, unrestricted }: Probe,
): string | null => {
  switch (unrestricted.kind) {
    case "held":
      return null;
    case "open":
      return tier === "T2" && !config.PARLEY_ALLOW_T2_WRITES ? REFUSED : null;
    case "none":
      return `This host can run no command at all: ${unrestricted.why}. \`npm run doctor\` tells its operator what to do.`;
  }
};

/** Doctor recommends `none`, which is no host's name. */
const isClosed = (egress: Config["PARLEY_EGRESS"]): boolean =>
  egress !== undefined && egress.every((entry) => entry === "none" || entry === "off");

const REFUSED =
  "This host refuses Unrestricted commands: they could change mode and times of its own files. Its operator can allow user namespaces, start Parley as root, or accept that with PARLEY_ALLOW_T2_WRITES=on.";
