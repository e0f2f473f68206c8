/**
 * Reports the outcome of a pull request in the thread of the conversation that opened it, once, with a button. If the watch is
 * set to follow and its budget is not spent, the agent looks into the outcome without a click. A branch name proves nothing:
 * the conversation must have opened the pull request, in the channel of the watch.
 */

import type { ConversationId } from "../../machine/id.ts";
import type { Bot, Detail } from "../../ports/bot.ts";
import type { Conversation } from "../../ports/conversation.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { PullOutcome, Watch, WatchEvent } from "./store/watches.ts";
import { type Began, type BeginDeps, speakerFor } from "./begin.ts";
import { investigationText } from "./investigation.ts";
import { openedIn } from "./opened-pull.ts";
import { followLine, messageOf } from "./words.ts";

export interface FollowDeps extends Pick<BeginDeps, "surfaces"> {
  readonly bot: Pick<Bot, "say"> & {
    read(id: ConversationId): Promise<Pick<Detail, "conversation" | "posts"> | null>;
  };
  readonly ledger: Pick<Ledger, "thread">;
}

/** `mayPay`: whether the watch's daily budget is not spent. */
export const follow = async (
  deps: FollowDeps,
  watch: Watch,
  event: WatchEvent & { readonly follows: PullOutcome },
  inbox: string,
  mayPay: boolean,
): Promise<Began> => {
  const { conversation, what } = event.follows;
  const detail = await deps.bot.read(conversation);
  const thread = deps.ledger.thread(conversation);
  const pull = detail === null ? null : openedIn(detail.posts, event.follows);
  if (detail === null || thread === null || pull === null || !isIn(detail.conversation, thread.place, watch))
    return { kind: "begun", conversation };
  const surface = deps.surfaces().find(({ name }) => name === watch.surface);
  if (surface === undefined || surface.off !== null) return { kind: "failed", why: "Its platform is off." };
  if (surface.standing() !== "on") return { kind: "later", why: surface.standing() };
  const follows = watch.source.kind === "forge" && watch.source.hears.includes("follow") && what !== "merged";
  const looking = !follows ? "asked" : mayPay ? "itself" : "spent";
  const line = { id: `watch ${inbox}`, root: thread.root };
  const say = surface.say(watch.place);
  const put = await surface.tell(watch.place, { ...line, ...followLine(event, pull, looking, say) });
  if (put.kind === "refused") return { kind: "failed", why: put.why };
  if (looking !== "itself") return { kind: "begun", conversation };
  const said = await deps.bot.say({
    surface: "watch",
    id: inbox,
    conversation,
    speaker: speakerFor(watch),
    ...messageOf(
      { ...watch, instructions: watch.instructions ?? investigationText(what, pull.number, conversation) },
      event,
    ),
  });
  if (said.kind === "failed") return { kind: "later", why: said.message };
  if (said.kind === "refused")
    await surface.tell(watch.place, { ...line, ...followLine(event, pull, "busy", say), edits: put.message });
  return { kind: "begun", conversation };
};

const isIn = ({ surface }: Conversation, place: string, watch: Watch): boolean =>
  surface === watch.surface && place === watch.place;
