/** Decodes the text of a page, without the parser of `page.ts`. */

export interface PageSource {
  /** Final address after redirects. */
  readonly address: string;
  readonly isHtml: boolean;
  readonly text: string;
}

const HTML: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);

export const pageTypeOf = (type: string): string => /^[^;\s]*/.exec(type.toLowerCase())?.[0] ?? "";

/** Null if the content is not a text, whatever type the server claims. */
export const pageSourceOf = (
  { type, bytes }: { readonly type: string; readonly bytes: Buffer },
  address: string,
): PageSource | null => {
  if (bytes.subarray(0, 4_096).includes(0)) return null;
  const named =
    /charset=["']?([\w-]{1,40})/i.exec(type) ??
    /<meta[^>]{0,100}charset=["']?([\w-]{1,40})/i.exec(bytes.toString("latin1", 0, 2_048));
  return { address, isHtml: HTML.has(pageTypeOf(type)), text: decoded(bytes, named?.[1] ?? "utf-8") };
};

const decoded = (bytes: Buffer, charset: string): string => {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString();
  }
};
