/** What a thread should show, from stored posts: pieces with the hash of their content. Pure but for the hash. */

import { createHash } from "node:crypto";
import type { PostRow } from "../../ports/store.ts";
import type { Content, Limits, Renderer, RenderScene } from "../../ports/surface.ts";
import { canonical } from "../../text/canonical.ts";
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
