/** Masks the source of a post, so that no cut between two messages hides a secret, and then the rendered content. */

import { isUtf8 } from "node:buffer";
import type { AnswerBlock, StoredContent } from "../../thread/prompt.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import type { MessageId } from "../../machine/id.ts";
import { LIVE } from "../../thread/post.ts";
import { countMasks, createLiveMask, maskSecrets } from "../../text/secrets/known-forms.ts";
import { maskTexts } from "../../text/secrets/mask-texts.ts";
import type { PendingReview, ReviewRenderer } from "../../ports/review.ts";
import type { Below, Content, Progress, Renderer, RenderScene } from "../../ports/surface.ts";

export const withMaskedSecrets = (renderer: Renderer): Renderer => ({
  ...renderer,
  post: (post, scene, limits) => {
    const pieces = renderer
      .post(post, maskedScene(scene), limits)
      .map((piece) => ({ ...piece, content: maskedContent(piece.content) }));
    const count = pieces.reduce((sum, { content }) => sum + countIn(content), 0);
    const last = pieces.at(-1);
    if (count === 0 || last === undefined) return pieces;
    return [...pieces.slice(0, -1), { ...last, content: withBelow(last.content, renderer.masked(count)) }];
  },
  open: (turn, scene, ...more) =>
    renderer
      .open(turn, maskedScene(scene, LIVE), ...more)
      .map((piece) => ({ ...piece, content: maskedContent(piece.content) })),
  progress: (progress, limits) => maskedContent(renderer.progress(progress, limits)),
});

export const maskingReview = (renderer: ReviewRenderer): ReviewRenderer => ({
  review: (held, limits) =>
    renderer
      .review("post" in held.shown ? { ...held, shown: maskedShown(held.shown) } : held, limits)
      .map(maskedContent),
});

type Shown = Extract<PendingReview["shown"], { readonly post: unknown }>;

const maskedShown = (shown: Shown): Shown => ({ ...shown, scene: maskedScene(shown.scene) });

/** `but`: id of text that was masked while it grew. */
const maskedScene = (scene: RenderScene, but: MessageId | null = null): RenderScene => ({
  ...scene,
  words: new Map([...scene.words].map(([id, one]) => [id, id === but ? one : maskedWords(one)])),
});

export const createProgressMask = (): ((progress: Progress) => Progress) => {
  const live = createLiveMask();
  return (progress) => {
    const { agents, setUp } = progress.status;
    return {
      ...progress,
      live: live.next(progress.live),
      status: {
        ...progress.status,
        ...omitUndefined(maskTexts({ agents, setUp }, maskSecrets)),
      },
    };
  };
};

export const maskedBytes = (bytes: Uint8Array): { readonly bytes: Uint8Array; readonly count: number } => {
  const text = textOf(bytes);
  const masked = text === null ? null : maskSecrets(text);
  return masked === null || masked === text
    ? { bytes, count: 0 }
    : { bytes: Buffer.from(masked), count: countMasks(masked) };
};

export const withBelow = (content: Content, line: Below): Content => ({
  ...content,
  below: [...(content.below ?? []), line],
});

const maskedContent = (content: Content): Content => ({
  ...content,
  text: maskSecrets(content.text),
  ...omitUndefined(maskTexts({ lead: content.lead, below: content.below }, maskSecrets)),
});

const countIn = ({ lead = "", text, below = [], files = [] }: Content): number =>
  [
    lead,
    text,
    ...below.flatMap(textsOf),
    ...files.flatMap(({ source }) => (source.kind === "text" ? source.text : [])),
  ]
    .map(countMasks)
    .reduce((sum, count) => sum + count, 0);

const textsOf = (below: Below): readonly string[] =>
  below.kind === "steps" ? below.rows.map(({ title }) => title) : [below.text];

/** Hashes are no secrets, and the mask leaves them unchanged. */
const maskedWords = (words: StoredContent): StoredContent => {
  if (words.kind === "answer") return { ...words, blocks: maskedBlocks(words.blocks) };
  if (words.kind !== "result") return maskTexts(words, maskSecrets);
  // Tool output stays unmasked: no post shows it, and Steps masks it separately.
  const { text, ...shown } = words;
  return { ...maskTexts(shown, maskSecrets), text };
};

/** Masks the texts of one answer together: a secret may be split between two of them. */
const maskedBlocks = (blocks: readonly AnswerBlock[]): readonly AnswerBlock[] => {
  const whole = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("");
  const masked = maskSecrets(whole);
  let isFirst = true;
  return blocks.map((block): AnswerBlock => {
    if (block.kind === "toolUse") return { ...block, input: maskTexts(block.input, maskSecrets) };
    if (block.kind !== "text" || masked === whole) return block;
    const text = isFirst ? masked : "";
    isFirst = false;
    return { ...block, text };
  });
};

/** Null if the bytes are not UTF-8 text. */
const textOf = (bytes: Uint8Array): string | null =>
  isUtf8(bytes) && !bytes.includes(0) ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : null;
