/** Pictures that a request omits after the provider refused it for its size or its pictures (D61). */

import type { LoadedPictures } from "./images.ts";

/** Newest first. */
export const sentPictures = (pictures: LoadedPictures): readonly string[] =>
  [...pictures].flatMap(([hash, source]) => (source === "refused" ? [] : [hash]));

/** The oldest pictures: twice as many after each refusal, so that few requests are needed for any number of pictures. */
export const oldestOf = (sent: readonly string[], refusals: number): readonly string[] =>
  sent.slice(-(2 ** (refusals - 1)));

export const isOfPictures = (complaint: string | null): boolean =>
  /\b(image|picture|vision|multimodal)/i.test(complaint ?? "");
