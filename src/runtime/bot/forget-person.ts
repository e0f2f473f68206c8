/** Erases all text of a person, in and outside of conversations. A repeated run after a failure does the remaining work. */

import type { ConversationId, PersonId } from "../../machine/id.ts";
import type { ActResult } from "../../ports/bot.ts";
import type { ListState } from "../../ports/conversation.ts";
import type { ForgetPerson, ErasureRequest, ErasureAudience } from "../../ports/erasure.ts";
import type { Store } from "../../ports/store.ts";
import { withoutQuotesOf } from "../../text/quotes.ts";
import { createCut } from "./erased-text.ts";

/** `copies`: text of the person that another speaker repeats. */
type Forget = (id: ConversationId, request: ErasureRequest, copies?: readonly string[]) => Promise<ActResult>;

export const createForgetPerson =
  (
    store: Pick<Store, "claims" | "list" | "instructed" | "toldFor" | "forgetBeside">,
    forget: Forget,
    /** Called after rows outside of conversations have changed. */
    forgotten: () => void,
  ): ForgetPerson =>
  async ({ by, person, names: given }) => {
    const all = everyConversation(store);
    const names = [...new Set([...given, ...all.flatMap((id) => namesOf(store, id, person))])];
    /** Text that the person's messages quote from other people remains. */
    const cut = createCut((text) => withoutQuotesOf(text, names));
    const channels = store.instructed(person);
    const audience = store.toldFor(person);
    const told = audience.filter(({ whole }) => whole === undefined);
    const touched = new Set<ConversationId>();
    const forgetIn = async (id: ConversationId, copies: readonly string[] = []) => {
      const result = await forget(id, { by, meant: { kind: "person", person }, cut }, copies);
      if (result.kind === "done") touched.add(id);
      return result.kind === "failed" ? result : null;
    };
    // Copies are erased first, because a repeated run finds them only by the rows that `forgetBeside` removes.
    for (const { id, copies } of copiesIn(store, told.length === 0 ? [] : all, told)) {
      const failure = await forgetIn(id, copies);
      if (failure !== null) return failure;
    }
    for (const whole of new Set(audience.flatMap((one) => one.whole ?? []))) {
      const result = await forget(whole, { by, meant: { kind: "all" }, cut });
      if (result.kind === "failed") return result;
      if (result.kind === "done") touched.add(whole);
    }
    // Rows outside of conversations are next, so that no new conversation starts with their text.
    const taken = await store.forgetBeside(person);
    if (taken.kind === "failed") return taken;
    forgotten();
    for (const id of all) {
      const failure = await forgetIn(id);
      if (failure !== null) return failure;
    }
    return { kind: "done", conversations: touched.size, channels, names };
  };

const PAGE = 200;

const everyConversation = (store: Pick<Store, "list">): readonly ConversationId[] => [
  ...allOf(store, "listed"),
  ...allOf(store, "archived"),
];

const allOf = (store: Pick<Store, "list">, which: ListState): readonly ConversationId[] => {
  const found: ConversationId[] = [];
  for (;;) {
    const page = store.list(PAGE, found.at(-1) ?? null, which);
    found.push(...page.map(({ conversation }) => conversation.id));
    if (page.length < PAGE) return found;
  }
};

const copiesIn = (
  store: Pick<Store, "claims">,
  all: readonly ConversationId[],
  told: readonly ErasureAudience[],
) =>
  all.flatMap((id) => {
    const speakers = new Set(store.claims(id).map(({ claim }) => claim.speaker.id));
    const copies = told.flatMap(({ speaker, text }) => (speakers.has(speaker) ? [text] : []));
    return copies.length === 0 ? [] : [{ id, copies }];
  });

const namesOf = (store: Pick<Store, "claims">, id: ConversationId, person: PersonId): readonly string[] =>
  store.claims(id).flatMap(({ claim: { speaker } }) => (speaker.id === person ? (speaker.name ?? []) : []));
