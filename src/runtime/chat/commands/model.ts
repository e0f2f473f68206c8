import type { ConversationId } from "../../../machine/id.ts";
import type { ChannelOverrides } from "../../../ports/channels.ts";
import type { ChatDeps } from "../people/deps.ts";
import { modelsText } from "../people/reply-texts.ts";
import { runThreadAction } from "./act.ts";
import { changeSettings, MAY_NOT, orSettings } from "./channels.ts";
import { defineCommand } from "./define-command.ts";
import { typedWord } from "./options.ts";
import { speakerOf } from "../people/rights.ts";

const NAME = typedWord(
  "name",
  "Name of the model, or none; only approvers can change the model",
  (typed) => typed,
);

export const model = defineCommand({
  words: ["model"],
  options: [NAME],
  read: (valueOf) => valueOf(NAME),
  // In a thread the conversation checks the right.
  rights: {
    right: "mayManage",
    refusal: MAY_NOT,
    isFree: (wanted, { conversation }) => wanted === null || conversation !== null,
  },
  help: {
    does: "Show the models, or choose the model that answers in this thread or channel",
    thread: "model NAME",
    channel: "`/parley model [NAME|none]` shows or sets the model of new conversations here",
  },
  slash: orSettings,
  run: (context, wanted) => {
    const { deps, conversation, person } = context;
    if (conversation === null) return changeSettings(context, changeOf(deps, wanted), shown);
    if (wanted === null) return answering(deps, conversation);
    return deps.models.knows(wanted)
      ? runThreadAction(deps, conversation, {
          kind: "model",
          model: wanted,
          by: speakerOf(deps.policy, person),
        })
      : modelsText(deps.models, wanted, deps.say);
  },
});

const changeOf = ({ models, say }: ChatDeps, wanted: string | null) => {
  if (wanted === null) return null;
  if (wanted.toLowerCase() === "none") return { model: null };
  return models.knows(wanted) ? { model: wanted } : modelsText(models, wanted, say);
};

const shown = ({ models, say }: ChatDeps, { model: own }: ChannelOverrides): string => {
  const begins =
    own === null
      ? say("New conversations in this channel start with the usual model, `{model}`.", {
          model: String(models.first ?? models.all[0]),
        })
      : say("New conversations in this channel start with the model `{model}`.", { model: own });
  return `${begins} ${modelsText(models, null, say)}`;
};

const answering = async ({ bot, models, say }: ChatDeps, conversation: ConversationId): Promise<string> => {
  const now = (await bot.read(conversation))?.state.model;
  const answers = now === undefined ? "" : `${say("`{model}` answers here.", { model: now })} `;
  return `${answers}${modelsText(models, null, say)}`;
};
