/** Feedback is counted and never posted. Only the person who clicked gets a private reply. */

import { askerOf } from "../../machine/state.ts";
import type { Speaker } from "../../machine/vocabulary.ts";
import type { Click, HandleResult } from "../../ports/chat.ts";
import type { Place } from "../../ports/conversation.ts";
import type { AnswerId } from "../../ports/answers.ts";
import { answerNamed, type Rating, type Vote } from "../../ports/feedback.ts";
import type { Done } from "../../ports/host.ts";
import type { Judgement } from "../../ports/questions.ts";
import type { PrivateNote } from "../../ports/surface.ts";
import type { ChatDeps } from "./people/deps.ts";
import { storageText, unknownThreadText } from "./people/reply-texts.ts";
import type { Label, Say } from "../../i18n/say.ts";

type Deps = Pick<ChatDeps, "name" | "bot" | "ledger" | "feedback" | "platform" | "clock" | "say">;

export const judge = async (
  deps: Deps,
  click: Click,
  judgement: Judgement,
  speaker: Speaker,
): Promise<string | null> => {
  const { name, feedback, ledger, platform, clock, say } = deps;
  const { id, place, root, person, comment } = click;
  const answer = answerNamed(click.value);
  if (answer === null || root === null) return say(unknownThreadText);
  // A conversation that continued elsewhere still has its answers here.
  if (!ledger.lived(name, place, root).includes(answer.conversation)) return say(unknownThreadText);
  const vote: Vote = { ...answer, person: speaker.id, click: id, at: clock.now() };
  switch (judgement) {
    case "thumb_up":
    case "thumb_down": {
      const done = await feedback.vote(vote, judgement === "thumb_up" ? "up" : "down");
      if (done.kind === "failed") return storageText(done.message, say);
      const note: PrivateNote = {
        text: say(done.thumb === null ? "Your vote was withdrawn." : COUNTED[done.thumb]),
        buttons: done.thumb === "down" ? [{ action: "why", label: say("Say why"), value: click.value }] : [],
      };
      await platform.whisper({ place, root, person }, note);
      return null;
    }
    case "why":
      if (comment === null) return say("The form did not open in time. Please press *Say why* again.");
      return told(await feedback.explain(vote, comment), REASON, say);
    case "solved":
      if (!(await maySolve(deps, answer, speaker)))
        return say("Only the person who asked, or an approver, can mark a question as solved.");
      return told(await feedback.solve(answer, clock.now()), SOLVED, say);
  }
};

const COUNTED: Readonly<Record<Rating, Label>> = {
  up: "Your vote is counted: this answer helped. Press 👍 again to withdraw the vote.",
  down: "Your vote is counted: this answer did not help. Press 👎 again to withdraw the vote. A comment about the problem helps to improve answers.",
};
const REASON: Label = "Thank you. Maintainers read your comment, without your name.";
const SOLVED: Label = "Marked as solved. A further question here opens it again.";

/** The platform checked the person's right by its own rules. */
export const solvedAt = async (
  { name, feedback, ledger, clock }: Pick<ChatDeps, "name" | "feedback" | "ledger" | "clock">,
  { place, root }: Place,
  value: string,
): Promise<HandleResult> => {
  const answer = answerNamed(value);
  if (answer === null || !ledger.lived(name, place, root).includes(answer.conversation)) return "done";
  const done = await feedback.solve(answer, clock.now());
  return done.kind === "failed" ? "later" : "done";
};

const maySolve = async (
  { bot }: Pick<ChatDeps, "bot">,
  { conversation }: AnswerId,
  { id, mayApprove }: Speaker,
): Promise<boolean> => {
  const detail = await bot.read(conversation);
  if (detail === null) return false;
  return mayApprove || detail.conversation.createdBy === id || askerOf(detail.state) === id;
};

const told = (done: Done, text: Label, say: Say): string =>
  done.kind === "failed" ? storageText(done.message, say) : say(text);
