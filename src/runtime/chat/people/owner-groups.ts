/** Only groups that the card of the change concerns are checked. */

import type { ConversationId } from "../../../machine/id.ts";
import type { Bot } from "../../../ports/bot.ts";
import { ownerIdsOf } from "../../../thread/owners.ts";
import { proposalIn } from "../../../thread/proposal.ts";
import type { ChatDeps } from "./deps.ts";
import type { Policy } from "./rights.ts";

export const ownerGroups = async (
  bot: Pick<Bot, "read" | "words">,
  { surface, owners }: Policy,
  conversation: ConversationId,
): Promise<readonly string[]> => {
  const phase = owners === undefined ? null : (await bot.read(conversation))?.state.phase;
  if (owners === undefined || phase?.kind !== "awaitingApproval") return [];
  const { question } = phase;
  if (question.kind !== "result" && question.kind !== "write") return [];
  const owned = proposalIn(bot.words([question.shown]).get(question.shown))?.owners;
  const named = (owned?.sets ?? []).flatMap((set) => set.owners);
  const groups = named
    .flatMap((owner) => ownerIdsOf(owners, owner) ?? [])
    .flatMap((id) => groupIn(surface, id));
  return [...new Set(groups)];
};

const groupIn = (surface: string, id: string): readonly string[] => {
  const [owner, , group] = id.split(":");
  return owner === surface && group !== undefined ? [group] : [];
};

/** Formats a group as in PARLEY_APPROVERS and PARLEY_CODEOWNERS. */
export const groupId = ({ name, forms }: Pick<ChatDeps, "name" | "forms">, group: string): string =>
  `${name}:${forms.group}:${group}`;
