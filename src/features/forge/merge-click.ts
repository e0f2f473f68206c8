/**
 * *Merge*, a button at the message of a pull request: an approver asks for the merge in the thread. The agent then proposes the
 * merge, and another approver decides about the card where two people are required.
 */

import type { Bot } from "../../ports/bot.ts";
import type { HandleResult } from "../../ports/chat.ts";
import type { Label } from "../../i18n/say.ts";
import type { FeatureClick } from "../../runtime/chat/people/deps.ts";
import { press } from "../../runtime/chat/people/press.ts";
import { unknownThreadText } from "../../runtime/chat/people/reply-texts.ts";
import { writeOf } from "../../thread/wording.ts";
import { unless } from "../../tools/tool.ts";
import type { WritableForges } from "./ports/forge-writer.ts";
import { tendProject } from "./tend/forge-facts.ts";
import { mergeBlocks } from "./tools/merge-rules.ts";
import { readMerge } from "./tools/merge-write.ts";

export const askForMerge =
  ({ forges }: { readonly forges: WritableForges }): FeatureClick =>
  async (deps, hear, click) => {
    const { place, root, person, direct, value: name } = click;
    const asked: (() => Promise<HandleResult>)[] = [];
    const handled = await press(deps, click, null, async ({ conversation, speaker, say }) => {
      if (!speaker.mayApprove) return say(MAY_NOT);
      const detail = await deps.bot.read(conversation);
      if (detail === null) return say(unknownThreadText);
      const number = openedNumber(detail.posts, name);
      if (number === null) return say(NOT_OPENED);
      if (detail.state.phase.kind === "awaitingApproval") return say(DECIDE_FIRST);
      const at = tendProject(forges, detail.conversation.repo);
      if (at === null) return say(NO_CREDENTIAL);
      const scene = { ...at, signal: AbortSignal.timeout(FORGE_TIME) };
      const why = await unless(
        async () => mergeBlocks(await readMerge(scene, number))[0] ?? null,
        ({ message }) => message,
      );
      if (why !== null) return say("{pull} cannot be merged now: {why}", { pull: name, why });
      const id = `merge/${click.id}`;
      // In the channel's language, because everybody reads the request.
      const text = deps.say("Propose the merge of {pull}.", { pull: name });
      const put = await deps.platform.put({ place, root }, { id, person, text, say: deps.say });
      if (put.kind === "refused") return say.stored(put.why);
      const { message } = put;
      const said = { id, place, root, direct, message, person, text, addressed: true };
      asked.push(() => hear({ ...said, files: [], shown: [], about: null }, true));
      return null;
    });
    const [ask] = asked;
    return ask === undefined ? handled : ask();
  };

/** Milliseconds for the forge's answers to a click. */
const FORGE_TIME = 20_000;

/** Number of the pull request with this name, if the conversation opened it. */
const openedNumber = (
  posts: NonNullable<Awaited<ReturnType<Bot["read"]>>>["posts"],
  name: string,
): number | null => {
  for (const { post } of posts) {
    const { body } = post;
    if (body.kind !== "question" || body.ask === undefined || body.decision === null) continue;
    const { ask, decision, wrote } = body;
    if (writeOf(ask, decision.choice) !== "open_pull_request") continue;
    if (wrote?.kind !== "done" || wrote.name !== name) continue;
    const number = Number(/[#!](\d{1,9})$/.exec(name)?.[1]);
    return Number.isNaN(number) ? null : number;
  }
  return null;
};

const MAY_NOT: Label = "Only approvers can ask for a merge with this button. Ask one of them.";
const NOT_OPENED: Label = "This conversation did not open the pull request.";
const DECIDE_FIRST: Label =
  "A question is open in this thread. Decide it first, then press the button again.";
const NO_CREDENTIAL: Label = "I have no credential that may write to the repository.";
