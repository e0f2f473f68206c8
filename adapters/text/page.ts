/**
 * Splits a page into sections by headings, and collects its links. Pure, and linear in the page, because any input is possible.
 * Navigation, scripts and forms are skipped. If a page marks its main part, the rest is skipped too.
 */

import { Parser } from "htmlparser2";
import type { PageSource } from "./page-source.ts";

export interface Section {
  /** Address of the heading. */
  readonly address: string;
  readonly title: string;
  readonly text: string;
}

export interface PageRead {
  /** Whether the page asks not to be indexed. */
  readonly isHidden: boolean;
  readonly sections: readonly Section[];
  readonly links: readonly string[];
  readonly version: string | null;
}

const MOST_SECTIONS = 100;
const MOST_LINKS = 2_000;
/** Maximum depth of nested elements. The parser's time grows with the depth, and browsers stop at 512. */
const MOST_DEPTH = 1_000;
const MOST_TEXT = 300_000;

export const readPage = (page: PageSource): PageRead => (page.isHtml ? readHtml(page) : readPlain(page));

/** In plain text, addresses count as links, for example in a list of pages. */
const readPlain = ({ address, text }: PageSource): PageRead => {
  const [first = ""] = text.trimStart().slice(0, MOST_TITLE).split("\n", 1);
  const title = clean(first) || address;
  const links = Array.from(text.matchAll(/https?:\/\/[^\s<>()"'`\]]{1,500}/g), ([link]) => link);
  return {
    isHidden: false,
    sections: [{ address, title, text: text.slice(0, MOST_TEXT) }],
    links: [...new Set(links)].slice(0, MOST_LINKS),
    version: versionIn(address),
  };
};

const SKIPPED: ReadonlySet<string> = new Set(
  "script style noscript template svg nav aside footer form iframe object select button dialog head".split(
    " ",
  ),
);
const BLOCKS: ReadonlySet<string> = new Set(
  "address article blockquote br dd details div dl dt figcaption figure hr li main ol p pre section summary table tr ul".split(
    " ",
  ),
);
const HEADING = /^h[1-4]$/;

interface Draft {
  readonly id: string | null;
  heading: string;
  text: string;
  readonly isMain: boolean;
}

const readHtml = ({ address, text: html }: PageSource): PageRead => {
  const links = new Set<string>();
  let base = address;
  let title = "";
  let version = versionIn(address);
  let isHidden = false;
  let size = 0;
  /** Names of open elements that are skipped, and the depth within the main part. */
  const skipped: string[] = [];
  let main = 0;
  let pre = 0;
  let within: "title" | "heading" | "text" = "text";
  let draft: Draft = { id: null, heading: "", text: "", isMain: false };
  const drafts: Draft[] = [draft];

  const begin = (id: string | null): void => {
    if (drafts.length >= MOST_SECTIONS) return;
    draft = { id, heading: "", text: "", isMain: main > 0 };
    drafts.push(draft);
  };
  const write = (text: string): void => {
    if (size > MOST_TEXT) return;
    size += text.length;
    if (within === "heading") draft.heading += text;
    else draft.text += text;
  };
  const meta = ({ name = "", content = "" }: Readonly<Record<string, string>>): void => {
    if (/^(?:robots|parley)$/i.test(name) && /\b(?:noindex|none)\b/i.test(content)) isHidden = true;
    if (/^docsearch:version$/i.test(name) && content !== "") version = content.slice(0, 40);
  };
  const link = (href: string | undefined): void => {
    const target = href === undefined || links.size >= MOST_LINKS ? null : URL.parse(href, base);
    if (target === null || !/^https?:$/.test(target.protocol)) return;
    target.hash = "";
    links.add(target.href);
  };

  let depth = 0;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      depth += 1;
      // The rest of the page is skipped; the text so far counts.
      if (depth > MOST_DEPTH) parser.pause();
      if (name === "base") base = URL.parse(attributes["href"] ?? "", address)?.href ?? address;
      if (name === "meta") meta(attributes);
      if (name === "a") link(attributes["href"]);
      if (name === "title" && title === "") within = "title";
      const isMain = name === "main" || name === "article" || attributes["role"] === "main";
      if (isMain && skipped.length === 0) {
        if (main === 0) begin(null);
        main += 1;
      } else if (main > 0) main += 1;
      const isSkipped =
        SKIPPED.has(name) || (name === "header" && main === 0) || attributes["hidden"] !== undefined;
      if (isSkipped || skipped.length > 0) {
        skipped.push(name);
        return;
      }
      if (HEADING.test(name)) {
        begin(attributes["id"] ?? null);
        within = "heading";
      }
      if (name === "pre") pre += 1;
      if (BLOCKS.has(name)) write(name === "li" ? "\n- " : "\n");
      if (name === "td" || name === "th") write(" | ");
    },
    ontext: (text) => {
      if (within === "title") title += text;
      else if (skipped.length === 0) write(pre > 0 ? text : text.replaceAll(/\s+/g, " "));
    },
    onclosetag: (name) => {
      depth -= 1;
      if (name === "title" && within === "title") within = "text";
      if (main > 0) main -= 1;
      if (skipped.length > 0) {
        skipped.pop();
        return;
      }
      if (HEADING.test(name)) within = "text";
      if (name === "pre") pre = Math.max(0, pre - 1);
      if (BLOCKS.has(name)) write("\n");
    },
  });
  parser.end(html);

  const hasMain = drafts.some(({ isMain, text }) => isMain && text.trim() !== "");
  const named = clean(title) || address;
  const sections = drafts
    .filter(({ isMain, text, heading }) => (isMain || !hasMain) && `${text}${heading}`.trim() !== "")
    .map(({ id, heading, text }) => ({
      address: id === null || id.length > MOST_TITLE ? address : new URL(`#${id}`, address).href,
      title: headed(named, clean(heading)),
      text: tidy(text),
    }));
  return { isHidden, sections, links: [...links], version };
};

const MOST_TITLE = 200;

const clean = (text: string): string =>
  text
    .replaceAll(/[\s¶#]+/g, " ")
    .trim()
    .slice(0, MOST_TITLE)
    .toWellFormed();

const headed = (title: string, heading: string): string =>
  heading === "" || title.startsWith(heading) ? title : `${title} › ${heading}`;

const tidy = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();

/** Version in the address of a page, for sites with several versions. */
const versionIn = (address: string): string | null =>
  /\/(v?\d{1,3}(?:\.(?:\d{1,4}|x)){0,3}|stable|latest|next|dev|main)\//.exec(address)?.[1] ?? null;
