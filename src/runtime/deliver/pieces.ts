/** What a thread should show, from stored posts: pieces with the hash of their content. Pure but for the hash. */

import { createHash } from "node:crypto";
import type { MessageId } from "../../machine/id.ts";
import type { PostRow } from "../../ports/store.ts";
import type { Content, Limits, Renderer, RenderScene } from "../../ports/surface.ts";
import { canonical } from "../../text/canonical.ts";
import type { Post } from "../../thread/post.ts";
import { shownBy } from "../../thread/proposal.ts";
import type { Wanted } from "./plan.ts";

export const piecesOf = (
  rows: readonly PostRow[],
  scene: RenderScene,
  renderer: Renderer,
  limits: Limits,
): readonly Wanted[] =>
  rows.flatMap(({ post }) =>
    renderer
      .post(post, scene, limits)
      .map((piece) => ({ piece, post: post.key, hash: hashOf(piece.content) })),
  );

export const hashOf = (content: Content): string =>
  createHash("sha256").update(canonical(content)).digest("hex");

/** The messages whose words a renderer may need for a post. */
export const wordsOf = ({ body }: Post): readonly MessageId[] => {
  switch (body.kind) {
    case "opening":
    case "notice":
      return [];
    case "summary":
      return body.message === null ? [] : [body.message];
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
      return [body.message, ...shownBy(body.ask), ...(comment === null ? [] : [comment])];
    }
  }
};
