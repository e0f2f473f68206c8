/** `answer_review`: answers a comment on the pull request that the turn looks after, once for each comment. */

import { createHash } from "node:crypto";
import { z } from "zod";
import { defineTool, failure, success, textField, type Tool, unless, valueOf } from "../../../tools/tool.ts";
import { maskTexts } from "../../../text/secrets/mask-texts.ts";
import { quietText } from "../api/quiet-text.ts";
import { tendProject } from "./forge-facts.ts";
import type { LateTending } from "./open.ts";
import { tendSpeaker } from "./turn-text.ts";

const MAX_TEXT = 2_000;

const schema = z.object({
  comment: z
    .string()
    .max(60)
    .regex(/^[a-z]\d+$/, "must be an id such as c12, as quoted with the comment")
    .describe("Id of the comment, as quoted."),
  text: textField.min(1).max(MAX_TEXT).describe("Markdown: the answer, in two sentences at most."),
});

export const createAnswerReviewTool = (late: LateTending, redact: (text: string) => string): Tool =>
  defineTool({
    name: "answer_review",
    description:
      "Answer a comment on the pull request that you look after, in the comment's thread. Only in a turn that such comments began, and once for each comment.",
    origin: "forge",
    look: {
      past: "Answered the comment {object}",
      now: "answering the comment {object}",
      fields: ["comment"],
      icon: "branch",
      face: "prose",
    },
    judge: null,
    schema,
    tooLarge: "Shorten the text.",
    run: async (input, { conversation, asker, signal }) => {
      const { comment, text } = maskTexts(input, redact);
      const own = late.context;
      const pull = own?.rows.of(conversation.id) ?? null;
      if (own === null || pull === null || pull.ended !== null || own.clock.now() >= pull.ends)
        return failure(NOBODY);
      // The row may still say that the turn is due, if a process ended when the turn began.
      if (asker !== tendSpeaker(pull).id || !pull.cause.remarks.includes(comment))
        return failure("Nothing was posted: no comment with this id began this turn.");
      const place = tendProject(own.forges, conversation.repo);
      if (place === null) return failure(NOBODY);
      return unless(
        async () => {
          const remarks = valueOf(await place.project.remarks(pull.number, signal));
          const remark = remarks.find(({ id }) => id === comment);
          if (remark === undefined) return failure("Nothing was posted: the comment is gone.");
          const key = createHash("sha256").update(`${pull.id} ${comment}`).digest("hex").slice(0, 32);
          const mark = { key, since: remark.at, again: true };
          const signed = `${quietText(text)}\n\n*Written by Parley.*`;
          const { number } = pull;
          const posted =
            remark.thread === null
              ? await place.desk.comment({ number, isPull: true }, signed, mark, signal)
              : await place.desk.reply({ number, thread: remark.thread }, signed, mark, signal);
          return success(`Answered: ${valueOf(posted).url}`);
        },
        ({ message }) => failure(message),
      );
    },
  });

const NOBODY = "Nothing was posted: nobody lets you look after a pull request of this conversation.";
