/** Shows the decision about a proposed note in the message of its turn. */

import * as z from "zod";
import type { Core } from "../../feature.ts";
import { encode } from "../../store/base/codec.ts";
import { messageIdSchema } from "../../store/schema/id.ts";
import type { NoteOffer } from "../../thread/prompt.ts";
import type { NoteProposal } from "./rows.ts";

type Decision = Pick<NoteOffer, "state" | "by"> & Partial<Pick<NoteOffer, "number" | "text">>;

export type ShowDecision = (proposal: NoteProposal, decision: Decision) => Promise<void>;

export const createShowDecision = ({
  rows,
  answerChanged,
  log,
}: Pick<Core, "rows" | "answerChanged" | "log">): ShowDecision => {
  const selectResult = rows.select(`
    SELECT id FROM messages WHERE conversation = @conversation AND kind = 'result' AND json_valid(words)
      AND words ->> '$.note.id' = @proposal`);
  const selectPosts = rows.select(
    "SELECT key FROM posts WHERE conversation = @conversation AND instr(body, @message) > 0",
  );

  return async ({ id: proposal, conversation }, decision) => {
    const found = results.parse(selectResult({ conversation, proposal })).at(0);
    if (found === undefined) return;
    const { id: message } = found;
    const keys = posts.parse(selectPosts({ conversation, message: encode(message) }));
    const stored = await rows.write([
      { sql: SET, values: { message, conversation, decision: encode(decision) } },
      ...keys.flatMap(({ key }) => [
        { sql: RENEW, values: { conversation, key } },
        { sql: COUNT, values: { conversation } },
      ]),
      { sql: BEHIND, values: { conversation } },
    ]);
    if (stored.kind === "failed") log.warn("memory: decision not shown", { code: stored.code });
    else answerChanged({ conversation, message });
  };
};

const results = z.array(z.object({ id: messageIdSchema }));
const posts = z.array(z.object({ key: z.string() }));

const SET = `
  UPDATE messages SET words = json_set(words, '$.note', json_patch(words -> '$.note', @decision))
  WHERE id = @message AND conversation = @conversation`;
const RENEW = `
  UPDATE posts SET revision = (SELECT revision + 1 FROM conversations WHERE id = @conversation)
  WHERE conversation = @conversation AND key = @key`;
const COUNT = "UPDATE conversations SET revision = revision + 1 WHERE id = @conversation";
const BEHIND = "UPDATE threads SET behind = 1 WHERE conversation = @conversation AND behind = 0";
