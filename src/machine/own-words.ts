/**
 * Whose a message's text is. The host composes it from three parts: what others wrote before, what the message itself
 * showed and brought, and the person's own words. They are told apart by offset and never by what they say, because a
 * person may write what the host writes. Pure.
 */

/** Offsets in UTF-16 code units. A text without them is all the person's own. */
interface OwnWords {
  /** Here begins what the message showed and brought. */
  readonly brought: number;
  /** Here begin the person's own words. */
  readonly said: number;
}

export interface Composed {
  readonly text: string;
  readonly own?: OwnWords;
}

/** Stands before the person's own words where anything stands before them. */
export const OWN_TITLE = "[Parley] The message:";

/** The same text with each part changed by itself, so that the offsets stay right. */
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

/** What others wrote before it, and what goes with the message. */
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

/** The person's own words can open no line of the host and no quote. Done twice it changes nothing more. */
export const escapeOwn = ({ text, own }: Composed): string => {
  const said = own?.said ?? 0;
  return `${text.slice(0, said)}${escapeLines(text.slice(said))}`;
};

const escapeLines = (said: string): string =>
  said
    .replaceAll(/(^|[\n\r\u2028\u2029])([\p{Cf}\p{Zs}\t\v\f]*)(?=\[parley\])/giu, "$1$2\\")
    .replaceAll(/<(?=\/?untrusted-quote)/gi, "&lt;");
