import { lookText, readLook } from "../../../../src/features/watches/people/first-look-prompt.ts";
import type { LookDecisionKind } from "../../../../src/features/watches/store/first-looks.ts";
import { KNOWN, type LabeledPost } from "./labeled.ts";

export const TASK = "Bug reports, incidents and questions about our code: find the cause or the answer.";

/** Asks about each post as the product does. An invalid answer is silence. */
export const judgeAll = async (
  ask: (text: string) => Promise<string>,
  posts: readonly LabeledPost[],
): Promise<readonly (LabeledPost & { readonly decided: LookDecisionKind })[]> => {
  const judged: (LabeledPost & { readonly decided: LookDecisionKind })[] = [];
  for (const one of posts) {
    const question = { instructions: TASK, post: one.text, matters: KNOWN, notes: [], corrections: [] };
    const read = readLook(await ask(lookText(question)), question);
    judged.push({ ...one, decided: read?.decision.kind ?? "nothing" });
  }
  return judged;
};
