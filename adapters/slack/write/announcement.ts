/**
 * Content of the announcement in the approvers' channel: the host's own words, and the card of a question from a public thread.
 * The outcome replaces both. Pure.
 */

import type { Announcement } from "../../../src/ports/alerts.ts";
import type { Approver } from "../../../src/ports/chat-platform.ts";
import type { Content } from "../../../src/ports/surface.ts";
import { QUESTION_SUBJECTS, capitalize, DECISION_LABELS } from "../../../src/thread/wording.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { checkoutText } from "../../post/phrases.ts";
import { linkTo, personOrCode, slackApproversText, time } from "./markup.ts";
import { slackDialect } from "./render.ts";

export const announcedBy =
  (approvers: readonly Approver[]) =>
  (announcement: Announcement, say: Say): Content => {
    const { card, thread, outcome } = announcement;
    const lead = announcementText(announcement, approvers, say);
    if (outcome !== null || card === null) return { tone: "notice", lead, text: "", buttons: [] };
    const { files, below = [], ...shown } = card;
    const attached = files === undefined ? [] : [{ kind: "host", text: attachedText(thread, say) } as const];
    return { ...shown, lead: `${lead}\n${card.lead ?? ""}`.trimEnd(), below: [...below, ...attached] };
  };

/** Text that names the location of a card's files. */
export const attachedText = (thread: string | null, say: Say): string =>
  say("The attached file is in {where}.", { where: threadText(thread, say) });

const threadText = (thread: string | null, say: Say): string =>
  thread === null ? say("a thread") : linkTo(thread, say("a thread"));

const announcementText = (
  { type, askedAt, thread, about, card, outcome }: Announcement,
  approvers: readonly Approver[],
  say: Say,
): string => {
  const where = threadText(thread, say);
  const what = say(QUESTION_SUBJECTS[type]);
  if (outcome === null) {
    const asked = say("*A decision is needed* in {where}: {what}.", { where, what });
    // A card contains the facts.
    const facts = card === null ? ` ${factsOf(about, say)}` : "";
    return `${asked}${facts}\n${slackApproversText(approvers, say)}`;
  }
  const { status, by, at } = outcome;
  const end =
    status === "withdrawn" || by === null || at === null
      ? say("No longer asked")
      : `${say("{decided} by {by}", { decided: capitalize(say(DECISION_LABELS[status])), by: personOrCode(by) })}, ${time(at, askedAt)}`;
  return `${say("*{end}*: {what}, in {where}.", { end, what, where })} ${factsOf(about, say)}`;
};

const factsOf = (about: Announcement["about"], say: Say): string => {
  if (about === null) return say("In a private conversation.");
  const asker =
    about.asker === null ? "" : `${say("Requested by {asker}.", { asker: personOrCode(about.asker) })} `;
  return `${asker}${say("In {project}", { project: checkoutText(about.conversation, slackDialect(say)) })}.`;
};
