import * as z from "zod";
import type { Handler } from "./handler.ts";
import type { SearchPage } from "../render/api-types.ts";
import { urlQueryOf } from "../../../../adapters/http/body.ts";

/** `before`: `next` of the previous page. */
const searchQuery = z.object({
  q: z.string().max(400),
  limit: z.coerce.number().int().min(1).max(50).default(20),
  before: z.coerce.number().int().min(1).optional(),
});

/** Messages, answers and titles of all surfaces that contain the words `q`, newest first: `limit` (20) of them, before `before`. */
export const answerSearch: Handler = async ({ search: index }, c) => {
  const { q, limit, before = null } = urlQueryOf(c.req.raw, searchQuery, USAGE);
  await index.catchUp();
  const hits = index.find(q, limit, before);
  const last = hits.at(-1);
  const page: SearchPage = {
    hits: hits.map((hit) => {
      const { at: _, ...shown } = hit;
      return shown;
    }),
    next: hits.length < limit || last === undefined ? null : last.at,
  };
  return c.json(page);
};

const USAGE = "q is what is searched for (at most 400 characters), limit a number from 1 to 50.";
