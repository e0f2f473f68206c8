/** Citations name lines of the repository as `path:10`, `path:10-20` or `path#L10-L20`, or a page by its address. */

interface Cited {
  /** File name as in the answer; address of a page. */
  readonly path: string;
  /** Lines, counted from 1, the last one included; 0 for a page. */
  readonly from: number;
  readonly to: number;
  /** Set only for a page: the quoted text, possibly empty. */
  readonly quote?: string;
}

export interface Citation extends Cited {
  /** `found`: the lines exist at the conversation's commit. `changed`: only in the current checkout. `unread`: not checked. */
  readonly status: "found" | "changed" | "missing" | "unread";
  /** Path from the repository's root; null if the repository has no such file. */
  readonly file: string | null;
  /** Git's blob id of the file at the commit; absent if it was not read there. */
  readonly blob?: string;
  /** Commit of the check, if another conversation made it; absent for the conversation's own commit. */
  readonly at?: string;
  /** Change since the answer was posted; absent if there is none. */
  readonly now?: CitationChange;
}

export type CitationChange =
  /** `commit`: a later commit in which the lines were found. */
  | {
      readonly kind: "moved";
      readonly file: string;
      readonly from: number;
      readonly to: number;
      readonly commit: string;
    }
  /** `commit`: the commit that changed the lines; null for a page, and if unknown. */
  | { readonly kind: "changed"; readonly commit: string | null };

export const withoutSince = (citation: Citation): Citation => {
  const { now: _, ...cited } = citation;
  return cited;
};

export interface ParsedCitation extends Cited {
  /** False if the text may be something else, such as a host with its port or an image with its tag. */
  readonly certain: boolean;
}

export const parseCitation = (word: string): ParsedCitation | null => {
  if (word.length > MAX_WORD) return null;
  const [, path = "", line, last, anchor, lastAnchor] = CITATION.exec(word) ?? [];
  const from = Number(line ?? anchor);
  if (path === "" || !isPath(path)) return null;
  const to = Number(last ?? lastAnchor ?? from);
  return { path, from, to, certain: isCertain(path, from) };
};

/** Parses names with blanks, brackets, commas and equals signs. Never certain: the files of the checkout decide. */
export const parseOddName = (words: string): ParsedCitation | null => {
  if (words.length > MAX_WORD || !/[\s()[\]{},=;'!?*&]/u.test(words)) return null;
  const [, path = "", line, last, anchor, lastAnchor] = CITATION.exec(words) ?? [];
  if (path === "" || path !== path.trim() || !isPath(path.replaceAll(" ", "_"))) return null;
  const from = Number(line ?? anchor);
  return { path, from, to: Number(last ?? lastAnchor ?? from), certain: false };
};

/** `label`: the link's text, which may quote the page. */
export const parseLink = (target: string, label = ""): ParsedCitation | null => {
  if (target.length > MAX_LINK || !/^https?:\/\/[^\s/]/i.test(target)) return null;
  const [, quote = ""] = /^[\s*_]*["“„«](.{1,600}?)["”“»][\s*_]*$/su.exec(label) ?? [];
  return { path: target, from: 0, to: 0, quote: quote.trim(), certain: false };
};

const MAX_LINK = 500;

export const citationKey = ({ path, from, to }: Cited): string => `${path}:${from}-${to}`;

export const citedText = ({ path, from, to, quote }: Cited): string =>
  quote !== undefined
    ? path.replace(/^https?:\/\//, "")
    : from === to
      ? `${path}:${from}`
      : `${path}:${from}-${to}`;

/** Path from the repository's root; null if the file is outside. `root`: the working directory. */
export const fileOf = (path: string, root: string): string | null => {
  const inside = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const parts = inside.split("/").filter((part, index) => part !== "." || index > 0);
  const usable = parts.length > 0 && parts.every((part) => part !== "" && part !== "." && part !== "..");
  return usable ? parts.join("/") : null;
};

const MAX_WORD = 300;

/** A column may follow the line. */
const CITATION = /^(.+?)(?::(\d{1,7})(?:[-–](\d{1,7})|:\d{1,5})?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$/u;

/** Times, versions, addresses and numbers are no paths. */
const isPath = (path: string): boolean =>
  !path.includes("://") && /^[^\s:`<>"|\\]+$/u.test(path) && /\p{L}/u.test(path.split("/").at(-1) ?? "");

const isCertain = (path: string, line: number): boolean => {
  const name = path.split("/").at(-1) ?? "";
  const [, ending] = /[^.].*\.([a-z][a-z0-9]{0,9})$/iu.exec(name) ?? [];
  if (ending === undefined) return false;
  if (path.includes("/")) return true;
  const lower = ending.toLowerCase();
  return ENDINGS.has(lower) && !(DOMAINS.has(lower) && PORTS.has(line));
};

/** Endings of files that are cited without a directory; `example.com:443` is no file. */
const ENDINGS: ReadonlySet<string> = new Set(
  `bash bat c cc cfg clj cljs cmake conf cpp cs css csv cts cxx dart diff dts ejs env erl ex exs fish go gradle graphql
  groovy h hbs hcl hh hpp hs htm html ini ipynb java jl js json jsonc jsx kt kts less lock log lua m md mdx mjs mk ml mli
  mm mts nim nix patch php pl pm proto ps1 py pyi r rb rs rst s sass scala scss sh snap sol sql svelte svg swift tcl tex
  tf toml ts tsx txt vim vue wasm xml yaml yml zig zsh`.split(/\s+/),
);

const DOMAINS: ReadonlySet<string> = new Set(["cc", "md", "mk", "ml", "pl", "py", "rs", "sh"]);
const PORTS: ReadonlySet<number> = new Set([22, 25, 53, 80, 443, 3000, 5432, 6379, 8000, 8080, 8443]);
