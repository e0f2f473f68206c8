/**
 * Pages that a message links to, as the message's text contains them. The lines of the host are found again by the offsets of
 * the message's parts, and every line of a page follows a bar, so that no author can write such a line.
 */

import { type Composed, OWN_TITLE } from "../machine/message-parts.ts";

export interface LinkedPage {
  /** Without secrets of known forms. */
  readonly address: string;
  readonly outcome: LinkOutcome;
}

type LinkOutcome =
  /** `text`: quotes, and lines of the host between them. */
  | { readonly kind: "read"; readonly text: string }
  /** The conversation already contains the page. */
  | { readonly kind: "known" }
  /** `why`: the rest of a sentence. */
  | { readonly kind: "unread"; readonly why: string };

export const linkedPageText = ({ address, outcome }: LinkedPage): string => {
  const page = `${HOST}${address}`;
  switch (outcome.kind) {
    case "read":
      return `${page}:\n${outcome.text}`;
    case "known":
      return `${page}${KNOWN}`;
    case "unread":
      return `${page}${UNREAD}${outcome.why}`;
  }
};

export const linkedPagesIn = ({ text, own }: Composed): readonly LinkedPage[] => {
  if (own?.pages === undefined) return [];
  const part = text.slice(own.pages, own.said);
  const heads = [...part.matchAll(HEAD)];
  return heads.map((head, index) => {
    const [line, address = "", rest = ""] = head;
    if (rest === KNOWN) return { address, outcome: { kind: "known" } };
    if (rest !== ":") return { address, outcome: { kind: "unread", why: rest.slice(UNREAD.length) } };
    const end = heads[index + 1]?.index ?? part.lastIndexOf(OWN_TITLE);
    return { address, outcome: { kind: "read", text: part.slice(head.index + line.length, end).trim() } };
  });
};

export const withoutLinkedPages = ({ text, own }: Composed): string =>
  own?.pages === undefined ? text : text.slice(0, own.pages) + text.slice(own.said);

const HOST = "[Parley] Page ";
const KNOWN = " was read earlier in this conversation.";
const UNREAD = " was not read: ";
const HEAD = /^\[Parley\] Page (\S+?)(:| was read earlier in this conversation\.| was not read: .*)$/gm;
