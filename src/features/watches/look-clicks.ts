/** Buttons below a look. Each works for the person who clicks, with that person's rights at the click. */

import type { Clock } from "../../ports/host.ts";
import type { Say } from "../../i18n/say.ts";
import type { Speaker } from "../../machine/vocabulary.ts";
import { memberOf, whisper } from "../../runtime/chat/people/member.ts";
import { speakerOf, surfacePersonId } from "../../runtime/chat/people/rights.ts";
import type { ChatDeps, FeatureClick } from "../../runtime/chat/people/deps.ts";
import { press } from "../../runtime/chat/people/press.ts";
import { outcomeText } from "../../runtime/chat/people/outcome-text.ts";
import { paced } from "../../runtime/chat/people/turn-rate.ts";
import { sayOnce } from "../../runtime/bot/investigation-click.ts";
import { storageText } from "../../runtime/chat/people/reply-texts.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { LookCorrection, LookRows } from "./store/first-looks.ts";
import type { WatchRows } from "./store/watches.ts";
import { correctionId } from "./correction-id.ts";
import { duplicateOf } from "./people/duplicate.ts";
import { FILE_ISSUE } from "./look-lines.ts";
import { readPostOn } from "./people/read-post.ts";

export interface LookClicksContext {
  readonly looks: Pick<LookRows, "correct" | "find" | "isIgnored">;
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
  (deps, hear, click) => {
    const watch = duplicateOf(click.value);
    if (watch !== null) return notDuplicateClick(own(), watch)(deps, hear, click);
    return press(deps, click, null, async ({ conversation, speaker, say }) => {
      const thread = own().threads.thread(conversation);
      if (thread?.event.person === undefined || click.value !== conversation)
        return say("This button belongs to another thread.");
      const { text, post = "" } = thread.event;
      const look = { ...thread.event, ...thread.event.person, post, surface: deps.name };
      return teach(own(), { ...look, decided: "look" }, text, speaker, say);
    });
  };

/** A duplicate has no conversation. Its words are read from the platform, as a correction on the console reads them. */
const notDuplicateClick =
  ({ looks, surfaces, ...own }: LookClicksContext, watch: string): FeatureClick =>
  async (deps, _, click) => {
    const member = await memberOf(deps, click.person);
    if (typeof member === "string") return whisper(deps, click, member);
    const { person, say } = member;
    const { place, root } = click;
    const look = root === null ? null : looks.find(watch, place, root);
    if (look === null) return whisper(deps, click, say("This button belongs to another thread."));
    const read = await readPostOn(surfaces(), deps.name, place, look.post);
    const text = read?.kind === "read" ? read.text : "";
    const decided = { ...look, decided: look.decision.kind };
    const told = await teach({ ...own, looks }, decided, text, speakerOf(deps.policy, person), say);
    return whisper(deps, click, told);
  };

const teach = async (
  { looks, clock }: Pick<LookClicksContext, "looks" | "clock">,
  look: Pick<LookCorrection, "watch" | "surface" | "place" | "post" | "author" | "decided">,
  text: string,
  speaker: Speaker,
  say: Say,
): Promise<string> => {
  const { watch, surface, place, post, author, decided } = look;
  if (speaker.id !== author && !speaker.mayDrive)
    return say("Only the author of the post, or a person with write permission, can say so.");
  if (text.trim() === "" || author === null || looks.isIgnored(surface, author))
    return say("I can no longer read this post, so it cannot become an example.");
  const done = await looks.correct({
    id: correctionId(watch, place, post),
    watch,
    surface,
    place,
    post,
    decided,
    author,
    correct: "nothing",
    text: text.slice(0, MOST_EXAMPLE).toWellFormed(),
    by: speaker.id,
    at: clock.now(),
  });
  return done.kind === "failed"
    ? storageText(done.message, say)
    : say("Noted: this watch takes the post as an example of one that needs no answer.");
};

/** Maximum number of characters of an example. */
const MOST_EXAMPLE = 4_000;

/** Notifies the approvers whom the operator or the channel lists, in the thread and once. */
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
      const notify = listedOf(deps);
      if (notify.length === 0)
        return say("Nobody was notified: neither PARLEY_APPROVERS nor this channel lists a person or group.");
      const text = surface.say(place)("{person} asks a maintainer to look at this thread.", {
        person: person.name,
      });
      const put = await surface.tell(place, { id: `look_help/${conversation}`, root, text, notify });
      if (put.kind === "refused") return say.stored(put.why);
      return put.isRepeat === true ? say("Maintainers have already been notified here.") : null;
    });

const listedOf = ({ name, policy }: Pick<ChatDeps, "name" | "policy">): readonly string[] => [
  ...new Set(
    [...policy.approvers, ...(policy.also ?? [])].flatMap((one) =>
      one.kind === "person"
        ? [surfacePersonId(name, one.id)]
        : one.kind === "group"
          ? [`${name}:group:${one.id}`]
          : [],
    ),
  ),
];
