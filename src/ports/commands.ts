import type { Label } from "../i18n/say.ts";

export interface OfferedCommand {
  readonly name: string;
  readonly does: Label;
  readonly options: readonly OfferedOption[];
  /** Whether the command's text is a person's own, which follows a colon. */
  readonly isText: boolean;
  /** Whether the text may name people, groups or channels. */
  readonly takesNames: boolean;
}

export interface OfferedOption {
  readonly name: string;
  readonly does: Label;
  readonly form: "text" | "channel";
  /** All possible values; absent if any text can be typed. */
  readonly choices?: readonly string[];
  readonly required?: true;
  /** Limit in characters; absent if the platform's own limit applies. */
  readonly max?: number;
}
