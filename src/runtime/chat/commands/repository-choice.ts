/** A person chose the repository of a place: only who may, only what the operator lists, and what waited goes on. */

import type { Handled, RepoPick } from "../../../ports/chat.ts";
import { boundText, mayNotBindText, storageText } from "../people/reply-texts.ts";
import type { ChatDeps } from "../people/deps.ts";
import { memberOf, whisper } from "../people/member.ts";
import { bind } from "./unbound.ts";
import { rightsOf } from "../people/rights.ts";

export const pick = async (
  deps: ChatDeps,
  { place, root, person, direct, repo }: RepoPick,
): Promise<Handled> => {
  const tell = (text: string): Promise<Handled> => whisper(deps, { place, root, person }, text);
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
