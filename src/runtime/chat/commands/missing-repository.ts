/** The bot asks for a repository once, and then answers only the newest messages of the last day. */

import { DAY } from "../../../machine/id.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { Chat, HandleResult, RepoPick, ChatMessage } from "../../../ports/chat.ts";
import type { RepositoryBinding } from "../../../ports/conversation.ts";
import type { WriteFailure } from "../../../ports/host.ts";
import { mayPass, type SendFailure } from "../../../ports/surface.ts";
import { surfacePersonId, rightsOf } from "../people/rights.ts";
import type { ChatDeps } from "../people/deps.ts";
import { boundText, mayNotBindText, pickText, storageText } from "../people/reply-texts.ts";
import { memberOf, whisper } from "../people/member.ts";

const MOST = 10;

/** `bound`: the bot chose the operator's only repository, because the person may choose it (D40). */
export const askForRepo = async (
  deps: ChatDeps,
  said: ChatMessage,
  person: Person,
  last: boolean,
): Promise<"asked" | "bound" | SendFailure | WriteFailure> => {
  const { name, store, platform, repos, clock } = deps;
  const { place, message, direct } = said;
  const mayPick = direct || rightsOf(deps.policy, person).mayBind;
  const only = mayPick && platform.bindsByItself ? repos.only() : null;
  if (only !== null) {
    const bound = await bind(deps, place, only, person.id);
    return bound.kind === "failed" ? bound : "bound";
  }
  if (store.unbound(name, place).some((one) => one.message === message)) return "asked";
  const choices = repos.choices(store.bound(name)).slice(0, MAX_CHOICES);
  const where = { place, root: said.root ?? message };
  const text = deps.say(pickText(choices, mayPick));
  const alone = mayPick ? person.id : null;
  const put = await platform.pick(where, { message, text, choices, alone, say: deps.say });
  const isPut = put === null || typeof put === "string";
  if (!isPut && mayPass(put) && !last) return put;
  await store.setUnbound(name, { ...where, message, note: isPut ? put : null, at: clock.now() });
  return isPut ? "asked" : put;
};

const MAX_CHOICES = 100;

export const bind = (
  { name, store, clock }: ChatDeps,
  place: string,
  repo: RepositoryBinding,
  person: string,
) => store.bind(name, place, { repo, by: surfacePersonId(name, person), at: clock.now() });

export const pick = async (
  deps: ChatDeps,
  { place, root, person, direct, repo }: RepoPick,
): Promise<HandleResult> => {
  const tell = (text: string): Promise<HandleResult> => whisper(deps, { place, root, person }, text);
  const member = await memberOf(deps, person);
  if (typeof member === "string") return tell(member);
  const { say } = member;
  if (!direct && !rightsOf(deps.policy, member.person).mayBind) return tell(say(mayNotBindText));
  const resolved = deps.repos.resolve(repo);
  if (resolved.kind === "refused") return tell(resolved.why(say));
  const bound = await bind(deps, place, resolved.repo, person);
  if (bound.kind === "failed") return tell(storageText(bound.message, say));
  return (await deps.answerUnbound(place))
    ? "done"
    : tell(boundText(resolved.name, `@${member.person.name}`, say));
};

/** Returns whether messages were waiting. After a failure, the repeated handling of the choice does the rest. */
export const answerWaitingMessages = async (
  deps: ChatDeps,
  hear: Chat["said"],
  place: string,
): Promise<boolean> => {
  const { name, store, platform, clock } = deps;
  let isAnswered = false;
  const rows = store.unbound(name, place);
  for (const [index, { root, message, note, at }] of rows.entries()) {
    if (note !== null) await platform.unpick({ place, root }, note);
    const isWanted = clock.now() - at < DAY && index >= rows.length - MOST;
    const said = isWanted ? await platform.reread({ place, root }, message) : null;
    const handled: HandleResult = said === null ? "done" : await hear(said, true);
    isAnswered ||= said !== null;
    if (handled === "done") await store.dropUnbound(name, place, message);
  }
  return isAnswered;
};
