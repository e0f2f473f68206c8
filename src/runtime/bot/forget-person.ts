/**
 * All that somebody said, taken back in every conversation: their messages, what they said with decisions, what they told
 * channels, their votes on answers, and what others' messages quote of them. Redone after a failure, it finds what is left to do.
 */

import type { ConversationId, PersonId } from "../../machine/id.ts";
import type { ActResult } from "../../ports/bot.ts";
import type { Listed } from "../../ports/conversation.ts";
import type { ForgetPerson, Forgetting } from "../../ports/erasure.ts";
import { DONE } from "../../ports/host.ts";
import type { FeedbackRows } from "../../ports/answers/feedback.ts";
import type { Store } from "../../ports/store.ts";
import { withoutQuotesOf } from "../../text/quotes.ts";
import { createCut } from "./erased-text.ts";

type Forget = (id: ConversationId, request: Forgetting) => Promise<ActResult>;

export const createForgetPerson =
  (
    store: Pick<Store, "claims" | "list" | "instructed" | "uninstruct">,
    forget: Forget,
    forgetVotes: FeedbackRows["forgetVotes"] = () => Promise.resolve(DONE),
  ): ForgetPerson =>
  async ({ by, person, names: given }) => {
    const all = everyConversation(store);
    const names = [...new Set([...given, ...all.flatMap((id) => namesOf(store, id, person))])];
    /** What stands around a message of theirs as quoted from others stays. */
    const cut = createCut((text) => withoutQuotesOf(text, names));
    const channels = store.instructed(person);
    // First, so that no conversation begins with them meanwhile.
    const taken = channels === 0 ? DONE : await store.uninstruct(person);
    if (taken.kind === "failed") return taken;
    const unvoted = await forgetVotes(person);
    if (unvoted.kind === "failed") return unvoted;
    let conversations = 0;
    for (const id of all) {
      const result = await forget(id, { by, meant: { kind: "person", person }, cut });
      if (result.kind === "failed") return result;
      if (result.kind === "done") conversations += 1;
    }
    return { kind: "done", conversations, channels, names };
  };

const PAGE = 200;

const everyConversation = (store: Pick<Store, "list">): readonly ConversationId[] => [
  ...allOf(store, "listed"),
  ...allOf(store, "archived"),
];

const allOf = (store: Pick<Store, "list">, which: Listed): readonly ConversationId[] => {
  const found: ConversationId[] = [];
  for (;;) {
    const page = store.list(PAGE, found.at(-1) ?? null, which);
    found.push(...page.map(({ conversation }) => conversation.id));
    if (page.length < PAGE) return found;
  }
};

const namesOf = (store: Pick<Store, "claims">, id: ConversationId, person: PersonId): readonly string[] =>
  store.claims(id).flatMap(({ claim: { speaker } }) => (speaker.id === person ? (speaker.name ?? []) : []));
