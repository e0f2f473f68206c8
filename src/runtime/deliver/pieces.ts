import { createHash } from "node:crypto";
import type { PostRow } from "../../ports/store.ts";
import type { Content, Limits, Renderer, RenderScene } from "../../ports/surface.ts";
import { canonical } from "../../text/canonical.ts";
import { postTextsOf } from "../../thread/post-words.ts";
import type { WantedMessage } from "./plan.ts";

export const piecesOf = (
  rows: readonly PostRow[],
  scene: RenderScene,
  renderer: Pick<Renderer, "post">,
  limits: Limits,
): readonly WantedMessage[] =>
  rows.flatMap(({ post }) =>
    renderer
      .post(post, scene, limits)
      .map((piece) => ({ piece, post: post.key, hash: pieceHashOf(piece.content) })),
  );

/**
 * A message that an earlier version posted, and that this version shows inside another one, stays unless its words were erased.
 * The card of a question that ended without a decision is removed, because the question becomes a step of its turn.
 */
export const touched = (
  rows: readonly PostRow[],
  wanted: readonly WantedMessage[],
  { words }: Pick<RenderScene, "words">,
): readonly string[] => {
  const shown = new Set(wanted.map(({ post }) => post));
  const isErased = ({ post }: PostRow): boolean =>
    postTextsOf(post).some((id) => words.get(id)?.kind === "gone");
  return rows.flatMap((row) =>
    shown.has(row.post.key) || isStep(row) || isErased(row) ? [row.post.key] : [],
  );
};

const isStep = ({ post }: PostRow): boolean => post.body.kind === "activity";

/** The reply target cannot change after the message is sent. */
export const pieceHashOf = (content: Content): string =>
  createHash("sha256")
    .update(canonical({ ...content, reply: undefined }))
    .digest("hex");
