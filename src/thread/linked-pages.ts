/**
 * Pages that a message links to, as the message's text contains them. Offsets delimit the part with the host's lines, and each
 * line of a page follows a bar. So no author can write a line of the host.
 */

import { type Composed, OWN_TITLE } from "../machine/message-parts.ts";

export interface LinkedPage {
  /** Secrets of known forms are masked. */
  readonly address: string;
  readonly outcome: LinkOutcome;
}

type LinkOutcome =
  /** `text`: quotes, and lines of the host between them. */
  | { readonly kind: "read"; readonly text: string }
  /** The conversation already contains the page. */
  | { readonly kind: "known" }
  /** `why` ends the sentence that begins with the address. */
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
