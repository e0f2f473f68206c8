/**
 * Interactions acknowledged. Discord gives three seconds: an interaction is stored, then acknowledged, then handled.
 * Whatever is to be seen later is written by the bot itself, so that the token's fifteen minutes never matter; the token
 * only carries private answers.
 */

import { ComponentType, InteractionResponseType as Answer, MessageFlags, TextInputStyle } from "discord.js";
import type { Log } from "../../src/runtime/ports.ts";
import { unreadOf } from "./people.ts";
import { ASK_ABOUT, FORM_WORDS, type Interaction } from "./read.ts";
import type { Calls } from "./rest.ts";

const MAX_QUESTION = 1_500;
const ASK_FORM = "parley_ask";

/** Answers whether Discord took it; then the token opens private answers. */
export const acknowledge = (calls: Calls, log: Log, one: Interaction): Promise<boolean> =>
  callback(calls, log, one, answerTo(one));

/** Nothing will be done: the person is told at once. */
export const turnAway = (calls: Calls, log: Log, one: Interaction, why: string): Promise<boolean> =>
  callback(calls, log, one, {
    type: Answer.ChannelMessageWithSource,
    data: {
      content: `Nothing was done: ${why} Please try again.`,
      flags: MessageFlags.Ephemeral,
      allowed_mentions: { parse: [] },
    },
  });

/** The message that a form is about; null for a form of another kind. */
export const aboutOf = (form: string): string | null =>
  form.startsWith(`${ASK_FORM}:`) ? form.slice(ASK_FORM.length + 1) : null;

const answerTo = (one: Interaction): object => {
  switch (one.kind) {
    case "press":
    case "choice":
      return { type: Answer.DeferredMessageUpdate };
    case "about":
      return { type: Answer.Modal, data: askForm(one.message) };
    case "ask":
    case "command":
    case "form":
      return { type: Answer.DeferredChannelMessageWithSource, data: { flags: MessageFlags.Ephemeral } };
  }
};

const askForm = (message: string): object => ({
  custom_id: `${ASK_FORM}:${message}`,
  title: ASK_ABOUT,
  components: [
    {
      type: ComponentType.ActionRow,
      components: [
        {
          type: ComponentType.TextInput,
          custom_id: FORM_WORDS,
          label: "What do you want to know about it?",
          style: TextInputStyle.Paragraph,
          required: true,
          max_length: MAX_QUESTION,
        },
      ],
    },
  ],
});

const callback = async (
  calls: Calls,
  log: Log,
  { id, token }: Interaction,
  body: object,
): Promise<boolean> => {
  try {
    await calls.call("POST", `/interactions/${id}/${token}/callback`, { body });
    return true;
  } catch (error) {
    log.warn("discord: an interaction could not be acknowledged", { why: unreadOf(error).why });
    return false;
  }
};
