/**
 * A new thread out of an old one (D16): made once whatever crashes, because its id follows from the effect that asks
 * for it, and seeded with the last thing that a person said.
 */

import { createHash } from "node:crypto";
import type { Effect } from "../core/effect.ts";
import type { ConversationId } from "../core/id.ts";
import type { SaidWords } from "../core/prompt.ts";
import type { Speaker } from "../core/words.ts";
import type { Live } from "./conversation.ts";
import { outcome } from "./delivery.ts";
import type { Bot, Conversation, CreateResult, Store } from "./ports.ts";

export type NewConversation = Pick<
  Conversation,
  "id" | "surface" | "repo" | "title" | "createdBy" | "origin"
>;

export interface BranchDeps {
  readonly store: Pick<Store, "history">;
  readonly create: (conversation: NewConversation) => Promise<CreateResult>;
  readonly open: (id: ConversationId) => Live | null;
  readonly act: Bot["act"];
  readonly say: Bot["say"];
  /** Gives the new conversation a thread of its own on the chat platform; absent where conversations need none. */
  readonly openThread?: (from: Conversation, to: Conversation) => Promise<boolean>;
}

export const createBranch =
  (deps: BranchDeps) =>
  async (live: Live, effect: Effect & { readonly kind: "branch" }): Promise<void> => {
    const made = await open(deps, live, effect);
    live.post(outcome({ kind: "branched", by: effect.id, conversation: made }));
  };

const open = async (
  deps: BranchDeps,
  live: Live,
  { id: effect, mode, by }: Effect & { readonly kind: "branch" },
): Promise<ConversationId | null> => {
  const from = live.conversation();
  const id = nameOf(from.id, effect);
  const last = lastSaid(deps, from.id);
  if (last === null) return null;
  const known = deps.open(id);
  if (known === null) {
    const { surface, repo, title } = from;
    const origin = { conversation: from.id, why: "branch" } as const;
    const made = await deps.create({ id, surface, repo, title, createdBy: by, origin });
    if (made.kind === "failed") return null;
  }
  const to = deps.open(id)?.conversation();
  if (to === undefined) return null;
  if (deps.openThread !== undefined && !(await deps.openThread(from, to))) return null;
  await deps.act(id, { kind: "mode", mode, by });
  const said = await deps.say({
    surface: "parley",
    id: `branch/${id}`,
    conversation: id,
    speaker: last.speaker,
    text: last.words.text,
    images: last.words.images,
  });
  return said.kind === "accepted" || said.kind === "duplicate" ? id : null;
};

/** The same effect names the same conversation in every process. */
const nameOf = (from: ConversationId, effect: string): ConversationId =>
  `c-${createHash("sha256").update(`${from}/${effect}`).digest("hex").slice(0, 32)}`;

const lastSaid = (
  { store }: BranchDeps,
  id: ConversationId,
): { readonly words: SaidWords; readonly speaker: Speaker } | null => {
  const found = store.history(id, 0).findLast(({ words }) => words?.kind === "said");
  return found?.entry.kind === "said" && found.words?.kind === "said"
    ? { words: found.words, speaker: found.entry.speaker }
    : null;
};
