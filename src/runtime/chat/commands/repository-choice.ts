/** A person chose the repository of a place: only who may, only what the operator lists, and what waited goes on. */

import type { ChatDeps } from "../deps.ts";
import type { Chat, Handled, RepoPick } from "../../../ports/chat.ts";
import { groupsOf, personId, rightsOf } from "./rights.ts";
import { boundText, mayNotBindText, storageText, unreadPersonText } from "../reply-texts.ts";

export const createChoiceHandler =
  (deps: ChatDeps, hear: Chat["said"]) =>
  async (pick: RepoPick): Promise<Handled> => {
    const { name, store, platform, policy, repos, clock } = deps;
    const tell = async (text: string): Promise<Handled> => {
      await platform.whisper(
        { place: pick.place, root: pick.root, person: pick.person },
        { text, buttons: [] },
      );
      return "done";
    };
    const read = await platform.person(pick.person, groupsOf(policy));
    if (read.kind === "unread") return tell(unreadPersonText(read.why));
    const rights = rightsOf(policy, read.person);
    if (!rights.mayTalk || !(pick.direct || rights.mayBind)) return tell(mayNotBindText);
    const resolved = repos.resolve(pick.repo);
    if (resolved.kind === "refused") return tell(resolved.why);
    const bound = await store.bind(name, pick.place, {
      repo: resolved.repo,
      by: personId(name, pick.person),
      at: clock.now(),
    });
    if (bound.kind === "failed") return tell(storageText(bound.message));
    await platform.picked(pick, pick.message, boundText(resolved.name, `@${read.person.name}`));
    return pick.said === null ? "done" : hear(pick.said, true);
  };
