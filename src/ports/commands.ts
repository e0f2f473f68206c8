/** Commands as a platform that lists them offers them. */

import type { Label } from "../i18n/say.ts";

export interface OfferedCommand {
  readonly name: string;
  readonly does: Label;
  readonly options: readonly OfferedOption[];
  /** Whether its words are a person's own text, which stands behind a colon. */
  readonly isText: boolean;
  /** Whether its words may name people, groups or channels. */
  readonly takesNames: boolean;
}

export interface OfferedOption {
  readonly name: string;
  readonly does: Label;
  readonly form: "text" | "channel";
  /** All that can be chosen; absent if anything can be typed. */
  readonly choices?: readonly string[];
  readonly required?: true;
  /** Limit in characters; absent if the platform's own counts. */
  readonly max?: number;
}
