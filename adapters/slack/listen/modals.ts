/** The two modals: what to ask about a message, and why something is denied. What they are about travels with them. */

import type { types } from "@slack/bolt";
import * as z from "zod";

export const ASK_FORM = "parley_ask";
export const DENY_FORM = "parley_deny";
/** Where the words stand in both. */
export const WORDS = "words";

export const askModal = (about: AskedAbout): types.ModalView => ({
  type: "modal",
  callback_id: ASK_FORM,
  private_metadata: JSON.stringify(about),
  title: plain("Ask Parley"),
  submit: plain("Ask"),
  close: plain("Cancel"),
  blocks: [
    words("Your question about this message", "What do you want to know?", false),
    {
      type: "context",
      elements: [
        plain("It is asked in the message's thread, where everybody sees it, with the thread's messages."),
      ],
    },
  ],
});

export const denyModal = (denied: Denied): types.ModalView => ({
  type: "modal",
  callback_id: DENY_FORM,
  private_metadata: JSON.stringify(denied),
  title: plain("Deny"),
  submit: plain("Deny"),
  close: plain("Back"),
  blocks: [words("What should Parley know?", "It reads this with the denial.", true)],
});

const askedAbout = z.object({
  channel: z.string(),
  message: z.string(),
  root: z.string(),
  responseUrl: z.string(),
});
const denied = z.object({ channel: z.string(), root: z.string().nullable(), question: z.string() });

type AskedAbout = z.output<typeof askedAbout>;
export type Denied = z.output<typeof denied>;

export const readAskedAbout = (metadata: string): AskedAbout | null => read(askedAbout, metadata);
export const readDenied = (metadata: string): Denied | null => read(denied, metadata);

const read = <S extends z.ZodType>(schema: S, metadata: string): z.output<S> | null => {
  try {
    const parsed = schema.safeParse(JSON.parse(metadata));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

const words = (label: string, placeholder: string, optional: boolean): types.KnownBlock => ({
  type: "input",
  block_id: WORDS,
  optional,
  label: plain(label),
  element: {
    type: "plain_text_input",
    action_id: WORDS,
    multiline: true,
    max_length: 3_000,
    placeholder: plain(placeholder),
  },
});

const plain = (text: string): types.PlainTextElement => ({ type: "plain_text", text });
