/**
 * Half-expanded words. An expansion may have several possible results (`Choice`), and one result may span
 * several words; both are settled only when a whole word has been read.
 */
import type { Piece } from "./word.ts";

/** `break`: a new word starts. `mark`: there is a word here even if it turns out empty (quotes were seen). */
export type Bit = Piece | { readonly kind: "break" } | { readonly kind: "mark" };

/** One possible result of an expansion. */
export type Choice = readonly Bit[];
