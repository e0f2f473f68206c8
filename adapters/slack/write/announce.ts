/** A question told in the approvers' channel, in the host's words alone, and in its place what became of it. */

import type { Announcement } from "../../../src/ports/alerts.ts";
import type { Approver } from "../../../src/ports/chat-platform.ts";
import { ASKED, capitalised, DECIDED } from "../../../src/thread/wording.ts";
import type { Content } from "../../../src/ports/surface.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { checkoutText } from "../../post/phrases.ts";
import { approversText, linkTo, personOrCode, time } from "./markup.ts";
import { slackDialect } from "./render.ts";

export const announcedBy =
  (approvers: readonly Approver[]) =>
  (announcement: Announcement, say: Say): Content => {
    const lead = announcementText(announcement, approvers, say);
    return { tone: "notice", lead, text: "", buttons: [] };
  };

const announcementText = (
  { type, askedAt, thread, about, outcome }: Announcement,
  approvers: readonly Approver[],
  say: Say,
): string => {
  const where = thread === null ? say("a thread") : linkTo(thread, say("a thread"));
  const asker =
    about === null || about.asker === null
      ? ""
      : `${say("Asked for by {asker}.", { asker: personOrCode(about.asker) })} `;
  const facts =
    about === null
      ? say("In a private conversation.")
      : `${asker}${say("In {project}", { project: checkoutText(about.conversation, slackDialect(say)) })}.`;
  const what = say(ASKED[type]);
  if (outcome === null)
    return `${say("*A decision is needed* in {where}: {what}.", { where, what })} ${facts}\n${approversText(approvers, say)}`;
  const { status, by, at } = outcome;
  const end =
    status === "withdrawn" || by === null || at === null
      ? say("No longer asked")
      : `${say("{decided} by {by}", { decided: capitalised(say(DECIDED[status])), by: personOrCode(by) })}, ${time(at, askedAt)}`;
  return `${say("*{end}*: {what}, in {where}.", { end, what, where })} ${facts}`;
};
