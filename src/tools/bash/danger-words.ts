import { cutLine, type Danger, MAX_CHANGE, MAX_WHAT } from "../../shell-risk/danger/danger.ts";
import { spellInvisibleInProse } from "../../text/invisible.ts";
import type { DangerContent } from "../../thread/prompt.ts";

/** Each text becomes one line, with hidden characters spelled out (WG5). */
export const dangerWords = ({ category, what, why, risk, changes }: Danger): DangerContent => ({
  category,
  what: spelledLine(what, MAX_WHAT),
  why,
  risk,
  changes: changes.map((change) => spelledLine(change, MAX_CHANGE)),
});

const spelledLine = (line: string, limit: number): string =>
  cutLine(spellInvisibleInProse(line).trim(), limit);
