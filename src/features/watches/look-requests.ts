/** Requests of the console: the decisions of a watch of people, and their corrections. */

import * as z from "zod";
import { jsonOf } from "../../../adapters/http/body.ts";
import { accepted, badRequest } from "../../../adapters/http/problem.ts";
import type { WatchesContext } from "./open.ts";
import { LOOK_DECISIONS, MOST_LISTED } from "./store/first-looks.ts";
import type { ListedLooks } from "./listed-looks.ts";
import { correctionId } from "./correction-id.ts";
import { readPostOn } from "./people/read-post.ts";

/** Maximum number of characters of an example. */
const MOST_TEXT = 4_000;

export const listLooks = ({ looks }: Pick<WatchesContext, "looks">, watch: string): Response => {
  const corrections = looks.corrections(watch);
  const listed: ListedLooks = {
    looks: looks
      .lately(watch, MOST_LISTED)
      .map(({ cost, author: _author, surface: _surface, watch: _watch, ...look }) => ({
        ...look,
        costUsd: cost / 1_000_000,
        correction:
          corrections.find(({ post, place }) => post === look.post && place === look.place)?.id ?? null,
      })),
    corrections: corrections.map(({ id, text, decided, correct, by, at }) => ({
      id,
      text,
      decided,
      correct,
      by,
      at,
    })),
  };
  return Response.json(listed);
};

/** The words of the post become an example, so they are read from the platform now. */
export const correctLook = async (
  { looks, threads, surfaces, operator, clock }: WatchesContext,
  watch: string,
  request: Request,
): Promise<Response> => {
  const { place, post, correct } = await jsonOf(request, correctionBody);
  const look = looks.find(watch, place, post);
  if (look === null) throw badRequest("unknown_look", "This watch has no decision about that post.");
  if (look.author === null || looks.isIgnored(look.surface, look.author))
    throw badRequest(
      "ignored_author",
      "The author is unknown or excluded from watches, so the post cannot become an example.",
    );
  const begun = look.conversation === null ? null : threads.thread(look.conversation);
  const read = begun === null ? await readPostOn(surfaces(), look.surface, place, post) : null;
  const text = begun?.event.text ?? (read?.kind === "read" ? read.text : "");
  if (text.trim() === "")
    throw badRequest("unread_post", "The post cannot be read any more, so it cannot become an example.");
  accepted(
    await looks.correct({
      id: correctionId(watch, place, post),
      watch,
      surface: look.surface,
      place,
      post,
      decided: look.decision.kind,
      correct,
      text: text.slice(0, MOST_TEXT).toWellFormed(),
      author: look.author,
      by: operator.id,
      at: clock.now(),
    }),
  );
  return listLooks({ looks }, watch);
};

export const uncorrectLook = async (
  context: WatchesContext,
  watch: string,
  id: string,
): Promise<Response> => {
  if (!context.looks.corrections(watch).some((one) => one.id === id))
    throw badRequest("unknown_correction", "This watch has no such example.");
  accepted(await context.looks.uncorrect(id));
  return listLooks(context, watch);
};

const correctionBody = z.strictObject({
  place: z.string().min(1).max(100),
  post: z.string().min(1).max(100),
  correct: z.enum(LOOK_DECISIONS),
});
