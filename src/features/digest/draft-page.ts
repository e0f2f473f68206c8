/** *Draft the page*, a button of the digest: requests the missing page in a thread of the channel, once. */

import type { HandleResult } from "../../ports/chat.ts";
import type { Label } from "../../i18n/say.ts";
import { memberOf, whisper } from "../../runtime/chat/people/member.ts";
import { surfacePersonId, rightsOf } from "../../runtime/chat/people/rights.ts";
import type { FeatureClick } from "../../runtime/chat/people/deps.ts";
import type { DigestContext } from "./open.ts";

export const draftPage = async (
  { digests }: DigestContext,
  ...[deps, hear, { place, root, person, direct, value }]: Parameters<FeatureClick>
): Promise<HandleResult> => {
  const { platform, policy, ledger, name } = deps;
  const tell = (text: string): Promise<HandleResult> => whisper(deps, { place, root, person }, text);
  const member = await memberOf(deps, person);
  if (typeof member === "string") return tell(member);
  const { say } = member;
  if (!rightsOf(policy, member.person).mayApprove) return tell(say(MAY_NOT));
  const [week = "", topic = ""] = value.split("/");
  const scope = { surface: name, place, server: platform.server, of: "readers" } as const;
  const task = await digests.task(scope, week, topic, deps.say);
  if (task.kind === "refused") return tell(say.stored(task.why));
  const id = `page/${place}/${value}`;
  const put = await platform.put({ place, root: null }, { id, person, text: task.text, say: deps.say });
  if (put.kind === "refused") return tell(say.stored(put.why));
  const begun = ledger.find(name, place, put.message)?.conversation;
  const by = begun === undefined ? null : (await deps.bot.read(begun))?.conversation.createdBy;
  if (by !== null && by !== surfacePersonId(name, person)) return tell(say(BEGUN));
  const { text, shown, repo } = task;
  const said = { id, place, root: null, direct, message: put.message, person, text, addressed: true };
  return hear({ ...said, files: [], shown, about: null, repo }, true);
};

const MAY_NOT: Label = "Only approvers can start the draft of a page here. Ask one of them.";
const BEGUN: Label = "A draft of this page has already been started, in a thread of this channel.";
