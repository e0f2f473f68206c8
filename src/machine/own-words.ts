/**
 * Separates the parts of a message's text: earlier text of other people, attached content, and the author's own text. The host
 * composes the three parts. Offsets separate them, never markers in the text, because an author could write the same markers.
 */

/** Offsets in UTF-16 code units. A text without offsets is entirely the author's own. */
interface OwnWords {
  /** Start of the content that the message displayed or attached. */
  readonly brought: number;
  /** Start of the author's own text. */
  readonly said: number;
}

export interface Composed {
  readonly text: string;
  readonly own?: OwnWords;
}

/** Title before the author's own text, used if other parts come first. */
export const OWN_TITLE = "[Parley] The message:";

/** Applies `change` to each part separately, so that the offsets stay correct. */
export const mapParts = ({ text, own }: Composed, change: (part: string) => string): Composed => {
  if (own === undefined) return { text: change(text) };
  const before = change(text.slice(0, own.brought));
  const brought = change(text.slice(own.brought, own.said));
  const said = before.length + brought.length;
  return {
    text: `${before}${brought}${change(text.slice(own.said))}`,
    own: { brought: before.length, said },
  };
};

/** Removes the message and its attachments, and keeps the earlier text of other people. */
export const withoutOwn = ({
  text,
  own,
}: Composed): { readonly left: Composed; readonly taken: readonly string[] } => {
  const around = text.slice(0, own?.brought ?? 0).trimEnd();
  const left = around === "" || around.endsWith(DELETED) ? around : `${around}\n\n${DELETED}`;
  const taken = text.slice(own?.brought ?? 0);
  return {
    left: { text: left, own: { brought: left.length, said: left.length } },
    taken: taken === "" ? [] : [taken],
  };
};

const DELETED = "[Parley] The message itself was deleted.";

/** Escapes the author's own text so that it cannot imitate a line of the host or open a quote. Idempotent. */
export const escapeOwn = ({ text, own }: Composed): string => {
  const said = own?.said ?? 0;
  return `${text.slice(0, said)}${escapeLines(text.slice(said))}`;
};

const escapeLines = (said: string): string =>
  said
    .replaceAll(/(^|[\n\r\u2028\u2029])([\p{Cf}\p{Zs}\t\v\f]*)(?=\[parley\])/giu, "$1$2\\")
    .replaceAll(/<(?=\/?untrusted-quote)/gi, "&lt;");
