/**
 * Interactions acknowledged. Discord gives three seconds: an interaction is stored, then acknowledged, then handled.
 * Whatever is to be seen later is written by the bot itself, so that the token's fifteen minutes never matter; the token
 * only carries private answers.
 */

import { InteractionResponseType as Answer, ComponentType, MessageFlags, TextInputStyle } from "discord.js";
import type { Log } from "../../../src/ports/host.ts";
import type { Form } from "../../post/controls.ts";
import { courtesy } from "../read/people.ts";
import { ASK_ABOUT, FORM_WORDS, type Interaction } from "../read/read.ts";
import type { Calls } from "../write/api.ts";
import { formOfPress } from "../write/blocks.ts";
import { STEPS } from "../write/steps-message.ts";
import type { Say } from "../../../src/words/say.ts";

const MAX_QUESTION = 1_500;
const MAX_REASON = 3_000;
const ASK_FORM = "parley_ask";
const FORM_NAMES: Readonly<Record<Form["action"], string>> = {
  deny: "parley_deny",
  changes: "parley_changes",
};

/** Answers whether Discord took it; then the token opens private answers. */
export const acknowledge = (calls: Calls, log: Log, one: Interaction, say: Say): Promise<boolean> =>
  callback(calls, log, one, answerTo(one, say));

/** Nothing will be done: the person is told at once. */
export const turnAway = (calls: Calls, log: Log, one: Interaction, why: string, say: Say): Promise<boolean> =>
  callback(calls, log, one, {
    type: Answer.ChannelMessageWithSource,
    data: {
      content: say("Nothing was done: {why} Please try again.", { why: say.stored(why) }),
      flags: MessageFlags.Ephemeral,
      allowed_mentions: { parse: [] },
    },
  });

/** The message that a form is about; null for a form of another kind. */
export const aboutOf = (form: string): string | null => behind(ASK_FORM, form);

/** The answer that a form gives, and to which question; null for a form of another kind. */
export const decidedOf = (
  form: string,
): { readonly action: Form["action"]; readonly question: string } | null => {
  for (const action of ["deny", "changes"] as const) {
    const question = behind(FORM_NAMES[action], form);
    if (question !== null) return { action, question };
  }
  return null;
};

const behind = (name: string, form: string): string | null =>
  form.startsWith(`${name}:`) ? form.slice(name.length + 1) : null;

const answerTo = (one: Interaction, say: Say): object => {
  switch (one.kind) {
    case "press": {
      if (one.pressed.startsWith(`${STEPS}:`)) return THINKING;
      const opened = formOfPress(one.pressed, say);
      return opened === null ? UPDATE : { type: Answer.Modal, data: decideForm(opened) };
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

const UPDATE = { type: Answer.DeferredMessageUpdate };
const THINKING = {
  type: Answer.DeferredChannelMessageWithSource,
  data: { flags: MessageFlags.Ephemeral },
};

const askForm = (message: string, say: Say): object =>
  form(`${ASK_FORM}:${message}`, say(ASK_ABOUT), {
    label: say("What do you want to know about it?"),
    required: true,
    max_length: MAX_QUESTION,
  });

const decideForm = ({ form: opened, question }: NonNullable<ReturnType<typeof formOfPress>>): object => {
  const { action, title, label, placeholder, optional } = opened;
  return form(`${FORM_NAMES[action]}:${question}`, title, {
    label,
    placeholder,
    required: !optional,
    max_length: MAX_REASON,
  });
};

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

const callback = async (calls: Calls, log: Log, { id, token }: Interaction, body: object): Promise<boolean> =>
  (await courtesy(log, "discord: an interaction could not be acknowledged", () =>
    calls.call("POST", `/interactions/${id}/${token}/callback`, { body }),
  )) !== null;
