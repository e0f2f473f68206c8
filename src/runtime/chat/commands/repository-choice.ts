/** A person chose the repository of a place: only who may, only what the operator lists, and what waited goes on. */

import type { Handled, RepoPick } from "../../../ports/chat.ts";
import { boundText, mayNotBindText, storageText, unreadPersonText } from "../reply-texts.ts";
import { type ChatDeps, toPerson } from "../deps.ts";
import { whisper } from "./member.ts";
import { bind } from "./unbound.ts";
import { groupsOf, rightsOf } from "./rights.ts";

export const createChoiceHandler =
  (deps: ChatDeps) =>
  async ({ place, root, person, direct, repo }: RepoPick): Promise<Handled> => {
    const { platform, policy, repos } = deps;
    const tell = (text: string): Promise<Handled> => whisper(deps, { place, root, person }, text);
    const read = await platform.person(person, groupsOf(policy));
    if (read.kind === "unread") return tell(unreadPersonText(read.why, deps.say));
    const { say } = toPerson(deps, read.person);
    const rights = rightsOf(policy, read.person);
    if (!rights.mayTalk || !(direct || rights.mayBind)) return tell(say(mayNotBindText));
    const resolved = repos.resolve(repo);
    if (resolved.kind === "refused") return tell(resolved.why(say));
    const bound = await bind(deps, place, resolved.repo, person);
    if (bound.kind === "failed") return tell(storageText(bound.message, say));
    return (await deps.answerUnbound(place))
      ? "done"
      : tell(boundText(resolved.name, `@${read.person.name}`, say));
  };
