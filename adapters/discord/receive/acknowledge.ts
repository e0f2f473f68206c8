/**
 * Acknowledges interactions. Discord allows three seconds: an interaction is stored, then acknowledged, then
 * handled. Later posts are normal messages of the bot, so the token's fifteen minutes do not matter. Only
 * private replies need the token.
 */

import {
  InteractionResponseType as Answer,
  ComponentType,
  MessageFlags,
  TextInputStyle,
} from "discord-api-types/v10";
import type { PendingReviewTexts } from "../../../src/ports/review.ts";
import type { Log } from "../../../src/ports/host.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { type TextForm, FORM_ACTIONS, formOf, tooLongText } from "../../post/controls.ts";
import { discordCourtesy } from "../read/people.ts";
import { ASK_ABOUT, FORM_WORDS, type Interaction } from "../read/read.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { STEPS_BUTTON } from "../write/steps-message.ts";
import type { Say } from "../../../src/i18n/say.ts";

const MAX_QUESTION = 1_500;
const MAX_REASON = 3_000;
const ASK_FORM = "parley_ask";
const formName = (action: TextForm["action"]): string => `parley_${action}`;
/** Maximum length of an answer that a form can start with. */
const MAX_ANSWER = 4_000;

/** Returns whether Discord accepted the acknowledgement; if so, the token permits private replies. */
export const acknowledge = (
  calls: DiscordCalls,
  log: Log,
  one: Interaction,
  held: PendingReviewTexts["held"],
  say: Say,
): Promise<boolean> => callback(calls, log, one, answerTo(one, held, say));

/** Tells the person at once that nothing will be done. */
export const turnAway = (
  calls: DiscordCalls,
  log: Log,
  one: Interaction,
  why: string,
  say: Say,
): Promise<boolean> =>
  callback(
    calls,
    log,
    one,
    privately(say("Nothing was done: {why} Please try again.", { why: say.stored(why) })),
  );

/** Returns the message that a form is about; null for other forms. */
export const aboutOf = (form: string): string | null => behind(ASK_FORM, form);

/** Returns the decision and question of a form; null for other forms. */
export const decidedOf = (
  form: string,
): { readonly action: TextForm["action"]; readonly question: string } | null => {
  for (const action of FORM_ACTIONS) {
    const question = behind(formName(action), form);
    if (question !== null) return { action, question };
  }
  return null;
};

const behind = (name: string, form: string): string | null =>
  form.startsWith(`${name}:`) ? form.slice(name.length + 1) : null;

const answerTo = (one: Interaction, held: PendingReviewTexts["held"], say: Say): object => {
  switch (one.kind) {
    case "press": {
      if (one.name === STEPS_BUTTON) return THINKING;
      const opened = formOf(one.name, say);
      return opened === null ? UPDATE : formAnswer(opened, one.value, held, say);
    }
    case "choice":
      return UPDATE;
    case "about":
      return { type: Answer.Modal, data: askForm(one.message, say) };
    case "form":
      return decidedOf(one.form) === null ? THINKING : UPDATE;
    case "ask":
    case "command":
      return THINKING;
  }
};

/** If the answer no longer waits, the click is acknowledged and no form opens. */
const formAnswer = (
  opened: TextForm,
  question: string,
  held: PendingReviewTexts["held"],
  say: Say,
): object => {
  if (opened.begins !== true) return { type: Answer.Modal, data: decideForm(opened, question) };
  const text = held(question);
  if (text === null) return UPDATE;
  return text.length > MAX_ANSWER
    ? privately(tooLongText(text.length, MAX_ANSWER, say))
    : { type: Answer.Modal, data: decideForm(opened, question, text) };
};

const privately = (content: string): object => ({
  type: Answer.ChannelMessageWithSource,
  data: { content, flags: MessageFlags.Ephemeral, allowed_mentions: { parse: [] } },
});

const UPDATE = { type: Answer.DeferredMessageUpdate };
const THINKING = {
  type: Answer.DeferredChannelMessageWithSource,
  data: { flags: MessageFlags.Ephemeral },
};

const askForm = (message: string, say: Say): object =>
  form(`${ASK_FORM}:${message}`, say(ASK_ABOUT), {
    label: say("What do you want to know about this message?"),
    required: true,
    max_length: MAX_QUESTION,
  });

const decideForm = (
  { action, title, label, placeholder, optional }: TextForm,
  question: string,
  value?: string,
): object =>
  form(`${formName(action)}:${question}`, title, {
    label,
    placeholder,
    required: !optional,
    max_length: value === undefined ? MAX_REASON : MAX_ANSWER,
    ...omitUndefined({ value }),
  });

const form = (id: string, title: string, words: object): object => ({
  custom_id: id,
  title,
  components: [
    {
      type: ComponentType.ActionRow,
      components: [
        {
          type: ComponentType.TextInput,
          custom_id: FORM_WORDS,
          style: TextInputStyle.Paragraph,
          ...words,
        },
      ],
    },
  ],
});

const callback = async (
  calls: DiscordCalls,
  log: Log,
  { id, token }: Interaction,
  body: object,
): Promise<boolean> =>
  (await discordCourtesy(log, "discord: interaction not acknowledged", () =>
    calls.call("POST", `/interactions/${id}/${token}/callback`, { body }),
  )) !== null;
