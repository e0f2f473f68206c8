import type { ConversationId } from "../../../machine/id.ts";
import type { ChatDeps } from "../people/deps.ts";
import { clockTime, statusText } from "../people/reply-texts.ts";
import { speakerOf } from "../people/rights.ts";
import { stepLines } from "../people/steps.ts";
import { removeButtons, waitingIn, waitingText } from "../../../thread/waiting-text.ts";
import { noConversation } from "./act.ts";
import { NO_OPTIONS, type CommandContext, defineThreadCommand } from "./define-command.ts";
import { NONE_WAITS } from "./pending.ts";

export const status = defineThreadCommand({
  words: ["status"],
  ...NO_OPTIONS,
  rights: "everybody",
  help: {
    does: "Shows what Parley is doing here, its permission and its version",
    thread: "status",
    channel: { code: "`/parley status`" },
  },
  slash: ({ context: { deps, asking } }) => placeStatus(deps, asking.place),
  run: (context) => statusOf(context, context.conversation),
});

const statusOf = async (context: CommandContext, conversation: ConversationId): Promise<string | null> => {
  const { deps, commands, asking, person } = context;
  const detail = await deps.bot.read(conversation);
  if (detail === null) return noConversation(deps);
  const asked =
    detail.question === null
      ? null
      : deps.say("Waiting for an answer since {time}.", { time: clockTime(detail.question.askedAt) });
  const waiting = waitingIn(detail.state);
  const waits = waitingText(waiting, { plain: (name) => name, say: deps.say });
  const added = [...(waits === null ? [] : [`${waits}.`]), ...commands.statusLines(context, detail.state)];
  const [guidance, setUp] = await Promise.all([
    deps.bot.guidance(conversation),
    deps.bot.setUp(conversation),
  ]);
  const told = statusText(detail, asked, guidance, setUp, deps.say);
  const steps = stepLines(deps, conversation, detail.state);
  const text = [
    told,
    ...added,
    ...(steps.length === 0 ? [] : [deps.say("Steps of the latest question:"), ...steps]),
  ].join("\n");
  const { id, mayApprove } = speakerOf(deps.policy, person);
  const buttons = removeButtons(
    waiting.filter(({ by }) => mayApprove || by === id),
    deps.say,
  );
  if (buttons.length === 0) return text;
  await deps.platform.whisper(asking, { text, buttons });
  return null;
};

const placeStatus = ({ store, name, repos, say }: ChatDeps, place: string): string => {
  const bound = store.binding(name, place);
  const repo = bound === null ? null : repos.nameOf(bound.repo);
  const count = store.waiting(name).filter((one) => one.place === place).length;
  return [
    repo === null
      ? say("No repository is chosen here: `/parley repo owner/name`.")
      : say("This channel works on {repo}.", { repo }),
    count === 0 ? say(NONE_WAITS) : say("{count} questions wait: `/parley pending`.", { count }),
  ].join("\n");
};
