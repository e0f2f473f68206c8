/**
 * The modals for a question about a message and for the text of a decision. Their metadata contains the
 * subject.
 */

import type { types, webApi } from "@slack/bolt";
import * as z from "zod";
import type { Say } from "../../../src/i18n/say.ts";
import type { Log } from "../../../src/ports/host.ts";
import { jsonIn } from "../../../src/text/json.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { FORM_ACTIONS, type TextForm } from "../../post/controls.ts";
import { slackCourtesy } from "../read/people.ts";

export const ASK_FORM = "parley_ask";
export const DECIDE_FORM = "parley_deny";
/** Block id of the text in both modals. */
export const TEXT_INPUT = "words";

/** False if Slack refuses the modal, because the trigger is older than three seconds, for example. */
export const openModal = async (
  { client, log }: { readonly client: Pick<webApi.WebClient, "views">; readonly log: Log },
  trigger: string,
  view: types.ModalView,
): Promise<boolean> =>
  (await slackCourtesy(log, "slack: form not opened", () =>
    client.views.open({ trigger_id: trigger, view }),
  )) !== null;

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
  decided: DecideSubmission,
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
export type DecideSubmission = z.output<typeof decided>;

export const readAskedAbout = (metadata: string): AskedAbout | null => read(askedAbout, metadata);
export const readDecided = (metadata: string): DecideSubmission | null => read(decided, metadata);

const read = <S extends z.ZodType>(schema: S, metadata: string): z.output<S> | null =>
  schema.safeParse(jsonIn(metadata)).data ?? null;

/** Slack's limit in UTF-16 code units. */
export const MAX_MODAL_TEXT = 3_000;

const words = (label: string, placeholder: string, optional: boolean, begins?: string): types.KnownBlock => ({
  type: "input",
  block_id: TEXT_INPUT,
  optional,
  label: plain(label),
  element: {
    type: "plain_text_input",
    action_id: TEXT_INPUT,
    multiline: true,
    max_length: MAX_MODAL_TEXT,
    placeholder: plain(placeholder),
    ...omitUndefined({ initial_value: begins }),
  },
});

const plain = (text: string): types.PlainTextElement => ({ type: "plain_text", text });
