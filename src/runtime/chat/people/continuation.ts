/** A later request gets a link to the existing continuation (BED-021, BED-023). */

import { nextSeed } from "../../../machine/continuation.ts";
import type { ConversationId } from "../../../machine/id.ts";
import { type Refusal, refusalText } from "../../../machine/refusal.ts";
import type { SeedChoice, Speaker } from "../../../machine/vocabulary.ts";
import type { ActRequest, Bot } from "../../../ports/bot.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { ChatDeps } from "./deps.ts";
import { paced } from "./turn-rate.ts";
import { outcomeText } from "./outcome-text.ts";
import type { Say } from "../../../i18n/say.ts";

type Deps = Pick<ChatDeps, "bot" | "rate" | "say">;

/** `next`: the default choice, which the command uses. */
export const continueElsewhere = async (
  deps: Deps,
  conversation: ConversationId,
  wish: "continue" | "next" | SeedChoice,
  { speaker, person }: { readonly speaker: Speaker; readonly person: Person },
): Promise<string | null> => {
  const request = await requestOf(deps, conversation, wish, speaker);
  const result = await paced(deps, speaker, person, () => deps.bot.act(conversation, request));
  if (typeof result === "string") return result;
  const isLate =
    result.kind === "refused" && (result.why === "already_continued" || result.why === "context_exhausted");
  return isLate ? whereText(deps, conversation, result.why) : outcomeText(result, deps.say);
};

const requestOf = async (
  { bot }: Deps,
  conversation: ConversationId,
  wish: "continue" | "next" | SeedChoice,
  by: Speaker,
): Promise<ActRequest> => {
  if (wish === "summary" || wish === "empty") return { kind: "move", seed: wish, by };
  const seed = wish === "next" ? nextSeed((await bot.read(conversation))?.state.phase) : null;
  return seed === null ? { kind: "continue", by } : { kind: "move", seed, by };
};

export const whereText = async (
  { bot, say }: { readonly bot: Pick<Bot, "read">; readonly say: Say },
  conversation: ConversationId,
  why: Refusal,
): Promise<string> => {
  const phase = (await bot.read(conversation))?.state.phase;
  const link = phase?.kind === "exhausted" ? phase.link : undefined;
  return link === undefined
    ? refusalText(why, say)
    : say("Context exhausted: this conversation takes no more messages. It continues here: {link}", { link });
};
