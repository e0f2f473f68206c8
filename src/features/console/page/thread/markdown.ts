/**
 * Shows a model's Markdown as elements that can run nothing, load nothing and imitate nothing. HTML is shown as text, pictures
 * become links, each link shows its real host, and only the tags listed here are allowed.
 */

import DOMPurify from "dompurify";
import { Marked, type Token, type TokensList } from "marked";
import { h, icon } from "../../../../../adapters/page/dom.ts";
import { say } from "../../../../../adapters/page/words.ts";
import { copyButton } from "./copy.ts";
import { lex } from "./lexer.ts";

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text === "" ? say("picture") : text)}</a>`,
    checkbox: ({ checked }) => `<ins>${checked ? "x" : ""}</ins>`,
  },
});

const CLEAN = {
  ALLOWED_TAGS: [
    ..."p br hr h1 h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li".split(" "),
    ..."table thead tbody tr th td a".split(" "),
    // The only `ins` element in the output is a task list's checkbox, because HTML is escaped.
    "ins",
  ],
  ALLOWED_ATTR: ["href", "start", "align"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
};

interface Shown {
  readonly shown: { readonly raw: string; readonly nodes: readonly ChildNode[] }[];
  readonly links: string;
}

const KEPT = new WeakMap<HTMLElement, Shown>();

/** Shows `text` in `container`; blocks that did not change since the last call keep their elements. */
export const showMarkdown = (container: HTMLElement, text: string): void => {
  const tokens = lex(marked, text);
  const links = JSON.stringify(tokens.links);
  const kept = KEPT.get(container) ?? { shown: [], links };
  const { shown } = kept;
  let same = 0;
  // A link definition that arrives late turns text of earlier blocks into links.
  if (kept.links !== links) for (const { nodes } of shown.splice(0)) for (const node of nodes) node.remove();
  while (same < shown.length && shown[same]?.raw === tokens[same]?.raw) same += 1;
  for (const { nodes } of shown.splice(same)) for (const node of nodes) node.remove();
  for (const token of tokens.slice(same)) {
    const nodes = [...blockOf(token, tokens.links).childNodes];
    container.append(...nodes);
    shown.push({ raw: token.raw, nodes });
  }
  KEPT.set(container, { shown, links });
};

const blockOf = (token: Token, links: TokensList["links"]): DocumentFragment => {
  const fragment = DOMPurify.sanitize(marked.parser(Object.assign([token], { links })), {
    ...CLEAN,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll("a")) harmless(link);
  for (const box of fragment.querySelectorAll("ins")) box.replaceWith(checkbox(box.textContent !== ""));
  for (const table of fragment.querySelectorAll("table")) {
    const frame = h("div.table", { tabindex: "0", role: "region", "aria-label": say("Table") });
    table.replaceWith(frame);
    frame.append(table);
  }
  for (const text of fragment.querySelectorAll<HTMLElement>(TEXTS)) text.dir = "auto";
  for (const pre of fragment.querySelectorAll("pre")) addCopy(pre, "lang" in token ? token.lang : "");
  return fragment;
};

const checkbox = (isDone: boolean): HTMLElement =>
  h(
    "span.task",
    { role: "img", "aria-label": isDone ? say("done") : say("not done") },
    icon(isDone ? "boxOn" : "boxOff"),
  );

/**
 * A link without an absolute address becomes plain text; other links open in a new tab and show their host.
 */
const harmless = (link: HTMLAnchorElement): void => {
  const url = URL.parse(link.getAttribute("href") ?? "");
  if (url === null) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow";
  const host = url.protocol === "mailto:" ? url.pathname : url.host;
  if (!saysWhere(link.textContent, url)) link.append(h("span.host", host));
};

/** Whether the text is an address on the link's own host. In this case the host is not added. */
const saysWhere = (text: string, url: URL): boolean => {
  const typed = text.trim();
  if (url.protocol === "mailto:") return typed === url.pathname;
  const address = /^https?:\/\//i.test(typed) ? typed : `${url.protocol}//${typed}`;
  return (
    !/\s/.test(typed) && URL.canParse(address) && new URL(address).host === url.host && !typed.includes("@")
  );
};

/** Elements whose direction follows their text; code is always read from the left. */
const TEXTS = "p, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, table, th, td";

const addCopy = (pre: HTMLPreElement, language = ""): void => {
  const frame = h("div.panel.code");
  const label = h("span.lang", language.split(/\s/, 1).join().slice(0, 20));
  pre.replaceWith(frame);
  pre.tabIndex = 0;
  pre.dir = "ltr";
  const button = copyButton("Copy this code", () => pre.textContent);
  frame.append(h("div.line.fine.code-bar", label, button), pre);
};
