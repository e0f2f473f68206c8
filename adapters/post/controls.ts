/** The buttons below a message, equal on every platform. Pure. */

import type { Button, NoteButton } from "../../src/ports/surface.ts";
import type { Label, Say } from "../../src/i18n/say.ts";

export type ConsoleButton = Omit<Button, "action" | "withWords"> & { readonly action: string };

/** Action of the button that asks for a reason before it denies. */
const DENY_WITH_REASON = "deny_comment";

export const FORM_ACTIONS = [
  "deny",
  "changes",
  "why",
  "edit",
  "discard",
  "remember_edited",
  "reply",
  "set_secret",
] as const;

/** A form that asks for text before an action is done. */
export interface TextForm {
  readonly action: (typeof FORM_ACTIONS)[number];
  readonly title: string;
  readonly label: string;
  readonly placeholder: string;
  readonly submit: string;
  readonly optional: boolean;
  /** Whether the form starts with a stored text: the answer under review, or the proposed note. */
  readonly begins?: true;
  /** Whether the text is sealed before the event is stored. */
  readonly isSecret?: true;
}

/** Whether the text of the form for an action is secret. */
export const isSecretForm = (action: TextForm["action"]): boolean =>
  Object.values(FORMS).some((form) => form?.action === action && form.isSecret === true);

type Spoken = "title" | "label" | "placeholder" | "submit";

/** Returns the form that a button opens; null if it opens none. */
export const formOf = (button: string, say: Say): TextForm | null => {
  const form = FORMS[button];
  if (form === undefined) return null;
  const { title, label, placeholder, submit } = form;
  return {
    ...form,
    title: say(title),
    label: say(label),
    placeholder: say(placeholder),
    submit: say(submit),
  };
};

const FORMS: Readonly<Partial<Record<string, Omit<TextForm, Spoken> & Readonly<Record<Spoken, Label>>>>> = {
  [DENY_WITH_REASON]: {
    action: "deny",
    title: "Deny",
    label: "What should Parley know?",
    placeholder: "The agent reads this comment with the denial.",
    submit: "Deny",
    optional: true,
  },
  changes: {
    action: "changes",
    title: "Ask for changes",
    label: "What should be changed?",
    placeholder: "The agent revises the draft, tests it and shows it again.",
    submit: "Send",
    optional: false,
  },
  why: {
    action: "why",
    title: "Say why",
    label: "What was wrong with the answer?",
    placeholder: "Maintainers read your comment, without your name.",
    submit: "Send",
    optional: false,
  },
  edit: {
    action: "edit",
    title: "Edit and send",
    label: "Your version of the answer",
    placeholder: "The answer is posted as edited by you. Links and mentions become plain text.",
    submit: "Send",
    optional: false,
    begins: true,
  },
  remember_edited: {
    action: "remember_edited",
    title: "Edit and remember",
    label: "The note",
    placeholder: "At most 300 characters, in one sentence",
    submit: "Remember",
    optional: false,
    begins: true,
  },
  reply: {
    action: "reply",
    title: "Answer",
    label: "Your answer",
    placeholder: "The agent reads your answer, and the thread shows it.",
    submit: "Send",
    optional: false,
  },
  set_secret: {
    action: "set_secret",
    title: "Store a secret",
    label: "Value of the secret",
    placeholder: "Stored encrypted. Nobody can read the value again.",
    submit: "Store",
    optional: false,
    isSecret: true,
  },
  discard_comment: {
    action: "discard",
    title: "Discard",
    label: "Why is the answer not posted?",
    placeholder: "The person who asked reads this.",
    submit: "Discard",
    optional: true,
  },
};

/** Explains that the answer exceeds a form, with alternatives. */
export const tooLongText = (length: number, most: number, say: Say): string =>
  say(
    "This answer has {length} characters, and a form here accepts {most}. Send the answer unchanged, or discard it and write your own answer in the thread.",
    { length: length.toLocaleString(say.language), most: most.toLocaleString(say.language) },
  );

/** Adds a button that opens a form for the reason of a denial. */
export const controlsOf = (buttons: readonly (Button | NoteButton)[]): readonly ConsoleButton[] =>
  buttons.flatMap((button): readonly ConsoleButton[] => {
    const { action, value } = button;
    const control = { ...button, action: typeof action === "string" ? action : action.feature };
    if (action !== "deny") return [control];
    const label = "withWords" in button ? button.withWords : "Deny, and say why";
    return [control, { action: DENY_WITH_REASON, label, value }];
  });
