import type { MessageId } from "../machine/id.ts";
import type { Post } from "./post.ts";
import { proposalShownBy } from "./proposal.ts";

export const postTextsOf = ({ body }: Post): readonly MessageId[] => {
  switch (body.kind) {
    case "opening":
    case "notice":
      return [];
    case "summary":
      return body.message === null ? [] : [body.message];
    case "turn": {
      const { said, changes, files, steps, note } = body;
      const results = changes.flatMap(({ outcome }) => (outcome.kind === "ran" ? [outcome.message] : []));
      const asked = [...changes, ...steps.rows].map(({ message }) => message);
      return [
        ...new Set([
          ...said,
          ...asked,
          ...results,
          ...files.map(({ message }) => message),
          ...(note === undefined ? [] : [note]),
        ]),
      ];
    }
    case "footer":
      return body.answer === undefined ? [] : [body.answer];
    case "user":
    case "answer":
    case "file":
      return [body.message];
    case "activity":
      return body.outcome?.kind === "ran" ? [body.message, body.outcome.message] : [body.message];
    case "question": {
      const comment = body.decision?.comment ?? null;
      return [body.message, ...proposalShownBy(body.ask), ...(comment === null ? [] : [comment])];
    }
  }
};
