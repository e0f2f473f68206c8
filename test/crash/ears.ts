/** What the host of the matrix hears of Slack. */

import type { SlackInboundContext } from "../../adapters/slack/receive/inbound.ts";
import type { Ledger } from "../../src/ports/surface.ts";

export const self: SlackInboundContext["self"] = {
  team: "T0FAKE",
  enterprise: null,
  user: "UPARLEY",
  bot: "B0PARLEY",
  name: "parley",
};

export const earsOf = (ledger: Pick<Ledger, "find">): SlackInboundContext => ({
  self,
  stops: () => false,
  hears: () => false,
  sees: () => false,
  keeps: () => false,
  knows: (place, root) => ledger.find("slack", place, root) !== null,
});

/** The events that Slack sends for one message: itself, and in a channel the mention of the bot. */
export const eventsOf = (channel: string, message: Readonly<Record<string, string>>): readonly unknown[] =>
  ["message", "app_mention"].map((type) => ({
    type: "event_callback",
    event: { ...message, type, channel },
  }));
