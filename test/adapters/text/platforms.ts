/**
 * What chat platforms make of a text, as far as it matters for harm: who is pinged, what can be clicked, what is code.
 * Two readings stand for all: CommonMark with GFM as `marked` reads it, and Discord's, which takes code by pattern
 * wherever it stands.
 */

import { lexer, type Token } from "marked";

export interface Link {
  readonly shown: string;
  readonly href: string;
}

export interface Reading {
  readonly links: readonly Link[];
  readonly images: number;
  readonly html: readonly string[];
  readonly definitions: number;
  /** Everything that is shown as text, blocks apart. */
  readonly prose: readonly string[];
}

export const readMarkdown = (text: string): Reading => {
  const links: Link[] = [];
  const html: string[] = [];
  const prose: string[] = [];
  let images = 0;
  let definitions = 0;
  const walk = (token: Token): void => {
    switch (token.type) {
      case "link":
        links.push({ shown: String(token["text"]), href: String(token["href"]) });
        break;
      case "image":
        images += 1;
        break;
      case "html":
        html.push(token.raw);
        break;
      case "def":
        definitions += 1;
        break;
      case "text":
      case "escape":
        if (!("tokens" in token)) prose.push(String(token["text"]));
        break;
    }
    for (const child of childrenOf(token)) walk(child);
  };
  for (const token of lexer(text)) walk(token);
  return { links, images, html, definitions, prose };
};

const childrenOf = (token: Token): readonly Token[] => {
  if (token.type === "table") {
    const cells = [...token["header"], ...token["rows"].flat()] as readonly { readonly tokens: Token[] }[];
    return cells.flatMap(({ tokens }) => tokens);
  }
  if (token.type === "list") return token["items"] as readonly Token[];
  return "tokens" in token ? (token.tokens ?? []) : [];
};

/** The text that Discord does not take for code: escapes first, then blocks, then spans, from left to right. */
export const discordProse = (text: string): string => {
  let out = "";
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const skipped = /^\\[^0-9A-Za-z\s]/.exec(rest)?.[0];
    const code =
      /^```(?:[a-z0-9_+\-.#]+?\n)?\n*[^\n][\s\S]*?\n*```/i.exec(rest)?.[0] ??
      /^(`+)[\s\S]*?[^`]\1(?!`)/.exec(rest)?.[0];
    if (skipped === undefined && code !== undefined) {
      at += code.length;
      out += "\u0000";
    } else {
      out += skipped ?? rest[0] ?? "";
      at += skipped?.length ?? 1;
    }
  }
  return out;
};
