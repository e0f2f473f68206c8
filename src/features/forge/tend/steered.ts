/** Whether a person has added words to the latest turn. The click does not cover such words. */

import type { Detail } from "../../../ports/bot.ts";
import type { TendedPush } from "./bounds.ts";

/** Counts messages, written answers, and comments with decisions, except the host's own comments under the click. */
export const isSteeredTurn = (
  { state: { turn }, posts }: Pick<Detail, "state" | "posts">,
  made: readonly TendedPush[],
): boolean => {
  const own = new Set(made.flatMap(({ standing, fingerprint }) => (standing === "void" ? [] : fingerprint)));
  return (
    (turn.authors ?? []).length > 0 ||
    posts.some(({ post: { body } }) => {
      if (body.kind !== "question" || body.turn !== turn.no || body.decision === null) return false;
      return (
        body.decision.comment !== null && !(body.ask?.kind === "result" && own.has(body.ask.fingerprint))
      );
    })
  );
};
