/** Buttons below a look. Each works for the person who clicks, with that person's rights at the click. */

import type { ConversationId } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import { surfacePersonId } from "../../runtime/chat/people/rights.ts";
import type { ChatDeps, FeatureClick } from "../../runtime/chat/people/deps.ts";
import { press } from "../../runtime/chat/people/press.ts";
import { outcomeText } from "../../runtime/chat/people/outcome-text.ts";
import { paced } from "../../runtime/chat/people/turn-rate.ts";
import { sayOnce } from "../../runtime/bot/investigation-click.ts";
import { storageText } from "../../runtime/chat/people/reply-texts.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { LookRows } from "./store/first-looks.ts";
import type { WatchRows } from "./store/watches.ts";
import { correctionId } from "./correction-id.ts";
import { FILE_ISSUE } from "./look-lines.ts";

export interface LookClicksContext {
  readonly looks: Pick<LookRows, "correct">;
  readonly threads: Pick<WatchRows, "thread">;
  readonly surfaces: () => readonly Pick<ChatSurface, "name" | "tell" | "say" | "readPost">[];
  readonly clock: Pick<Clock, "now">;
}

/** The request to file an issue is the person's own message, so the issue gets its card. */
export const fileIssueClick: FeatureClick = (deps, _, click) =>
  press(deps, click, null, async ({ conversation, person, speaker, say }) => {
    if (click.value !== conversation) return say("This button belongs to another thread.");
    const id = `file_issue/${conversation}`;
    const claim = { surface: deps.name, id, conversation, speaker, text: FILE_ISSUE, images: [] };
    const asked = await paced({ ...deps, say }, speaker, person, () => sayOnce(deps.bot.say, claim));
    return typeof asked === "string" ? asked : outcomeText(asked, say);
  });

/** The author and people with write permission teach the watch. */
export const notUsefulClick =
  (own: () => LookClicksContext): FeatureClick =>
  (deps, _, click) =>
    press(deps, click, null, async ({ conversation, speaker, say }) => {
      const { looks, threads, clock } = own();
      const thread = threads.thread(conversation);
      if (thread?.event.person === undefined) return say("This button belongs to another thread.");
      const { watch, text } = thread.event;
      const { author, place } = thread.event.person;
      if (speaker.id !== author && !speaker.mayDrive)
        return say("Only the author of the post, or a person with write permission, can say so.");
      const done = await looks.correct({
        id: correctionId(watch, place, thread.event.post ?? ""),
        watch,
        surface: deps.name,
        place,
        post: thread.event.post ?? "",
        decided: "look",
        correct: "nothing",
        text,
        author,
        by: speaker.id,
        at: clock.now(),
      });
      return done.kind === "failed"
        ? storageText(done.message, say)
        : say("Noted: this watch takes the post as an example of one that needs no answer.");
    });

/** Notifies the listed approvers in the thread, once. */
export const lookHelpClick =
  (own: () => LookClicksContext): FeatureClick =>
  (deps, _, click) =>
    press(deps, click, null, async ({ conversation, person, say }) => {
      const surface = own()
        .surfaces()
        .find(({ name }) => name === deps.name);
      const { place, root } = click;
      if (click.value !== conversation || root === null || surface === undefined)
        return say("This button belongs to another thread.");
      const put = await surface.tell(place, helpLine(deps, conversation, person, root, surface.say(place)));
      return put.kind === "put" ? null : say.stored(put.why);
    });

const helpLine = (
  { name, policy }: Pick<ChatDeps, "name" | "policy">,
  conversation: ConversationId,
  { name: person }: { readonly name: string },
  root: string,
  say: ChatDeps["say"],
) => ({
  id: `look_help/${conversation}`,
  root,
  text: say("{person} asks a maintainer to look at this thread.", { person }),
  notify: policy.approvers.flatMap((one) =>
    one.kind === "person"
      ? [surfacePersonId(name, one.id)]
      : one.kind === "group"
        ? [`${name}:group:${one.id}`]
        : [],
  ),
});
