/** What the courtesy checks of BASH-007 say of a script, and whether they saw all of it. */
import { refuse } from "./refusals.ts";
import type { ParsedScript } from "../shell/shell.ts";

export interface Verdict {
  /** The text of the refusal, or null. */
  readonly refusal: string | null;
  /** False when a part of the script was not read: too long, too deep, or made to be slow. */
  readonly complete: boolean;
}

export const verdictOf = (parsed: ParsedScript): Verdict => ({
  refusal: refuse(parsed),
  complete: parsed.kind === "parsed" || parsed.reason === "syntax",
});
