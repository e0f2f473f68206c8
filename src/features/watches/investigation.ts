/** The button *Look into it* below the outcome of a pull request, and the request to the agent. Pure. */

import { createHash } from "node:crypto";
import type { ConversationId } from "../../machine/id.ts";
import type { Say } from "../../i18n/say.ts";
import type { Button } from "../../ports/surface.ts";
import { BECAME, type Became } from "./store/watches.ts";

/** `delivery`: id of the event, so that each event is looked into once. */
export const investigateButton = (what: Became, pull: number, delivery: string, say: Say): Button => ({
  action: { feature: "look" },
  label: say("Look into it"),
  value: `${what}/${pull}/${createHash("sha256").update(delivery).digest("hex").slice(0, 12)}`,
});

/** Null if the value belongs to another button. */
export const investigateIn = (value: string, conversation: ConversationId): string | null => {
  const [, given = "", pull = ""] = /^([a-z]+)\/(\d{1,9})\/[0-9a-f]{12}$/.exec(value) ?? [];
  const what = BECAME.find((one) => one === given);
  return what === undefined ? null : investigationText(what, Number(pull), conversation);
};

export const investigationText = (what: Became, pull: number, conversation: ConversationId): string =>
  `Pull request ${pull}, which you opened in this conversation from the branch parley/${conversation}, ${BECAME_TEXT[what]}`;

const BECAME_TEXT: Readonly<Record<Became, string>> = {
  checks: "failed its checks. Read them, and say with citations what is wrong and what you would change.",
  reviewed:
    "was reviewed. Read the review, and say for each point whether it is right, and what you would change.",
  merged: "was merged. Say in a sentence what is left to be done, if anything is.",
};
