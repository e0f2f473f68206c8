/** The modals: what to ask about a message, and the words that go with an answer. What they are about travels with them. */

import type { types } from "@slack/bolt";
import * as z from "zod";
import { given } from "../../../src/text/given.ts";
import { type TextForm, FORM_ACTIONS } from "../../post/controls.ts";
import { jsonIn } from "../../../src/text/json.ts";
import type { Say } from "../../../src/i18n/say.ts";

export const ASK_FORM = "parley_ask";
export const DECIDE_FORM = "parley_deny";
/** Where the words stand in both. */
export const WORDS = "words";

export const askModal = (about: AskedAbout, say: Say): types.ModalView => ({
  type: "modal",
  callback_id: ASK_FORM,
  private_metadata: JSON.stringify(about),
  title: plain(say("Ask Parley")),
  submit: plain(say("Ask")),
  close: plain(say("Cancel")),
  blocks: [
    words(say("Your question about this message"), say("What do you want to know?"), false),
    {
      type: "context",
      elements: [
        plain(
          say(
            "Your question is posted in the message's thread, where everybody can read it. The agent also reads the thread's messages.",
          ),
        ),
      ],
    },
  ],
});

export const decideModal = (
  decided: Decided,
  { title, label, placeholder, submit, optional }: TextForm,
  say: Say,
  begins?: string,
): types.ModalView => ({
  type: "modal",
  callback_id: DECIDE_FORM,
  private_metadata: JSON.stringify(decided),
  title: plain(title),
  submit: plain(submit),
  close: plain(say("Back")),
  blocks: [words(label, placeholder, optional, begins)],
});

const askedAbout = z.object({
  channel: z.string(),
  message: z.string(),
  root: z.string(),
  responseUrl: z.string(),
});
const decided = z.object({
  channel: z.string(),
  root: z.string().nullable(),
  question: z.string(),
  action: z.enum(FORM_ACTIONS),
});

type AskedAbout = z.output<typeof askedAbout>;
export type Decided = z.output<typeof decided>;

export const readAskedAbout = (metadata: string): AskedAbout | null => read(askedAbout, metadata);
export const readDecided = (metadata: string): Decided | null => read(decided, metadata);

const read = <S extends z.ZodType>(schema: S, metadata: string): z.output<S> | null =>
  schema.safeParse(jsonIn(metadata)).data ?? null;

/** UTF-16 code units that Slack takes. */
export const MAX_WORDS = 3_000;

const words = (label: string, placeholder: string, optional: boolean, begins?: string): types.KnownBlock => ({
  type: "input",
  block_id: WORDS,
  optional,
  label: plain(label),
  element: {
    type: "plain_text_input",
    action_id: WORDS,
    multiline: true,
    max_length: MAX_WORDS,
    placeholder: plain(placeholder),
    ...given({ initial_value: begins }),
  },
});

const plain = (text: string): types.PlainTextElement => ({ type: "plain_text", text });
