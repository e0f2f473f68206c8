/** What the agent is asked where somebody wants the page that a topic lacks. The questions are quoted: they are others' words. Pure. */

import type { Quote } from "../../ports/chat.ts";
import type { Bound } from "../../ports/conversation.ts";
import type { Topic } from "../../ports/digest/digest.ts";
import type { Say } from "../../words/say.ts";

export const taskOf = (
  { name, repo, questions, asked }: Topic,
  week: string,
  say: Say,
): { readonly text: string; readonly shown: readonly Quote[]; readonly repo: Bound } => ({
  text: say(
    'Draft the page of documentation about "{name}" that was missed in the week of {week}: it was asked about {questions} times, and some of the questions are shown with this message. Find out where this repository keeps its documentation and how its pages are written. Write one page there, or a part of one, that answers these questions from what the code does today, and propose it as a draft. Name nobody who asked.',
    { name, week, questions },
  ),
  shown: asked.map(({ question, at }) => ({ author: "somebody who asked", text: question, at })),
  repo,
});
