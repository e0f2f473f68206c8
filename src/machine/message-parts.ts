/** Offsets separate the parts of a message, never markers in the text, because an author could write the same markers. */

/** Offsets in UTF-16 code units. A text without offsets is entirely the author's own. */
interface OwnWords {
  /** Start of the content that the message displayed or attached. Earlier text of other people comes first. */
  readonly brought: number;
  /** Start of pages that the message links to; absent if none. They end where the author's own text starts. */
  readonly pages?: number;
  readonly said: number;
}

export interface Composed {
  readonly text: string;
  readonly own?: OwnWords;
}

/** Used if other parts come before the author's own text. */
export const OWN_TITLE = "[Parley] The message:";

/** Applies `change` to each part separately, so that the offsets stay correct. */
export const mapParts = ({ text, own }: Composed, change: (part: string) => string): Composed => {
  if (own === undefined) return { text: change(text) };
  const { brought, pages, said } = own;
  const [before, around, linked] = [
    change(text.slice(0, brought)),
    change(text.slice(brought, pages ?? said)),
    pages === undefined ? "" : change(text.slice(pages, said)),
  ];
  const linkedFrom = before.length + around.length;
  return {
    text: `${before}${around}${linked}${change(text.slice(said))}`,
    own: {
      brought: before.length,
      ...(pages === undefined ? {} : { pages: linkedFrom }),
      said: linkedFrom + linked.length,
    },
  };
};

/** Also removes attachments. The earlier text of other people remains. */
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

/** Whether {@link withoutOwn} removed the author's own text. */
export const isDeleted = ({ text, own }: Composed): boolean =>
  own?.said === text.length && text.endsWith(DELETED);

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
