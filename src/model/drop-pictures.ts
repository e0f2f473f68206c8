/** Which pictures a request does without after the provider refused it for its size or for its pictures (D61). */

import type { LoadedPictures } from "./images.ts";

/** Hashes of the pictures that were sent, the newest first. */
export const sentPictures = (pictures: LoadedPictures): readonly string[] =>
  [...pictures].flatMap(([hash, source]) => (source === "refused" ? [] : [hash]));

/** The oldest ones: twice as many after each refusal, so that few requests are needed however many there are. */
export const oldestOf = (sent: readonly string[], refusals: number): readonly string[] =>
  sent.slice(-(2 ** (refusals - 1)));

/** Whether a provider's complaint about a request is about its pictures. */
export const isOfPictures = (complaint: string | null): boolean =>
  /\b(image|picture|vision|multimodal)/i.test(complaint ?? "");
