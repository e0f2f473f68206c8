/** The buttons below a message, as every platform has them. Pure. */

import type { Button } from "../../src/ports/surface.ts";

export interface Control {
  readonly action: string;
  readonly label: string;
  readonly value: string;
  readonly spoken?: string;
}

export const DENY_WITH_REASON = "deny_comment";

/** A no may come with words, for which a form is opened. */
export const controlsOf = (buttons: readonly Button[]): readonly Control[] =>
  buttons.flatMap((button): readonly Control[] =>
    button.action === "deny"
      ? [button, { action: DENY_WITH_REASON, label: "Deny, and say why", value: button.value }]
      : [button],
  );
