/** The buttons below a message, as every platform has them. Pure. */

import type { Button } from "../../src/ports/surface.ts";

export interface Control {
  readonly action: string;
  readonly label: string;
  readonly value: string;
  readonly first?: number;
  readonly spoken?: string;
}

/** The button that asks for a reason before it denies. */
const DENY_WITH_REASON = "deny_comment";

/** What a form asks for words for, before it is done. */
export interface Form {
  readonly action: "deny" | "changes" | "why";
  readonly title: string;
  readonly label: string;
  readonly placeholder: string;
  readonly optional: boolean;
}

/** By the name of the button that opens it; null: the button opens none. */
export const formOf = (button: string): Form | null => FORMS[button] ?? null;

const FORMS: Readonly<Partial<Record<string, Form>>> = {
  [DENY_WITH_REASON]: {
    action: "deny",
    title: "Deny",
    label: "What should Parley know?",
    placeholder: "It reads this with the denial.",
    optional: true,
  },
  changes: {
    action: "changes",
    title: "Ask for changes",
    label: "What should be changed?",
    placeholder: "It goes on in its draft, tests it and shows it again.",
    optional: false,
  },
  why: {
    action: "why",
    title: "Say why",
    label: "What was wrong with the answer?",
    placeholder: "Maintainers read it, without your name.",
    optional: false,
  },
};

/** A no may come with words, for which a form is opened. */
export const controlsOf = (buttons: readonly Button[]): readonly Control[] =>
  buttons.flatMap((button): readonly Control[] =>
    button.action === "deny"
      ? [button, { action: DENY_WITH_REASON, label: "Deny, and say why", value: button.value }]
      : [button],
  );
