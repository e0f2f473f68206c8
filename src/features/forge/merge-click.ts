/**
 * *Merge*, a button at the message of a pull request: an approver asks for the merge in the thread. The agent then proposes the
 * merge, and another approver decides about the card where two people are required.
 */

import type { HandleResult } from "../../ports/chat.ts";
import type { Label } from "../../i18n/say.ts";
import type { FeatureClick } from "../../runtime/chat/people/deps.ts";
import { press } from "../../runtime/chat/people/press.ts";
import { unknownThreadText } from "../../runtime/chat/people/reply-texts.ts";
import { unless } from "../../tools/tool.ts";
import { FORGE_TIME, NO_CREDENTIAL, NOT_OPENED, openedPull } from "./tend/opened-pull.ts";
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
      const opened = openedPull(detail.posts, name);
      if (opened === null) return say(NOT_OPENED);
      if (detail.state.phase.kind === "awaitingApproval") return say(DECIDE_FIRST);
      const at = tendProject(forges, detail.conversation.repo);
      if (at === null) return say(NO_CREDENTIAL);
      const scene = { ...at, signal: AbortSignal.timeout(FORGE_TIME) };
      const why = await unless(
        async () => mergeBlocks(await readMerge(scene, opened.number))[0] ?? null,
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

const MAY_NOT: Label = "Only approvers can ask for a merge with this button. Ask one of them.";
const DECIDE_FIRST: Label =
  "A question is open in this thread. Decide it first, then press the button again.";
