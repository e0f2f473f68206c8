import type { WaitingQuestion } from "../../../ports/chat-rows.ts";
import { durationText } from "../../../thread/durations.ts";
import type { Label, Sentence } from "../../../i18n/say.ts";
import type { ChatDeps } from "../people/deps.ts";
import { defineSlashCommand } from "./define-command.ts";

export const pending = defineSlashCommand({
  words: ["pending"],
  rights: "everybody",
  help: {
    does: "List the questions that wait for an answer",
    channel: "`/parley pending` lists the questions that wait for an answer",
  },
  run: async ({ deps, asking: { place } }) => {
    const waiting = deps.store.waiting(deps.name);
    const readable = await Promise.all(waiting.map((one) => mayBeTold(deps, one, place)));
    const told = waiting.filter((_, index) => readable[index]);
    const lines = await Promise.all(told.map((one) => line(deps, one)));
    const hidden = waiting.length - told.length;
    const { say } = deps;
    if (waiting.length === 0) return say(NONE_WAITS);
    return [
      ...(lines.length === 0 ? [] : [say("Waiting for an answer:"), ...lines]),
      ...(hidden === 0 ? [] : [say(HIDDEN, { count: hidden })]),
    ].join("\n");
  },
});

export const NONE_WAITS: Label = "No question waits for an answer.";
const HIDDEN =
  "Further questions in private channels and direct messages: {count}. Use `/parley pending` there." satisfies Sentence;

/** A question of a private channel is listed only in that channel. An unknown audience counts as private. */
const mayBeTold = async (deps: ChatDeps, { place }: WaitingQuestion, from: string): Promise<boolean> =>
  place === from || (await deps.platform.audience(place)) === "public";

const line = async (deps: ChatDeps, { place, root, title, askedAt }: WaitingQuestion): Promise<string> => {
  const link = await deps.platform.link(place, root);
  const since = deps.say("for {time}", { time: durationText(deps.clock.now() - askedAt, deps.say) });
  return `• ${title}: ${since}${link === null ? "" : `, ${link}`}`;
};
