/**
 * A place as an answer cites it: lines of the repository, `path:10`, `path:10-20`, `path#L10-L20`, or a page by its address, with
 * the words that it quotes from there as the link's label. Pure.
 */

interface Cited {
  /** As the answer names it; the address of a page. */
  readonly path: string;
  /** Lines, counted from 1; the last one included. 0 for a page. */
  readonly from: number;
  readonly to: number;
  /** Of a page, and of nothing else: the words that are quoted from it, or none. */
  readonly quote?: string;
}

/** A citation that was looked up before the answer was posted, and what was found. */
export interface Citation extends Cited {
  /**
   * `found`: the file has these lines at the conversation's commit. `changed`: not at the commit, but in the checkout as
   * the agent has left it. `missing`: in neither. `unread`: that could not be found out.
   */
  readonly status: "found" | "changed" | "missing" | "unread";
  /** From the repository's root; null where it is none of its files. */
  readonly file: string | null;
  /** Git's name of the file as it was at the commit; absent if it was not read there. */
  readonly blob?: string;
  /** The commit at which it was looked up, where another conversation did so before; absent: its own conversation's. */
  readonly at?: string;
  /** What became of it since the answer was posted; absent where it stands as it stood. */
  readonly now?: CitationChange;
}

export type CitationChange =
  /** The same lines stand elsewhere. `commit`: a later one, in which they were found there. */
  | {
      readonly kind: "moved";
      readonly file: string;
      readonly from: number;
      readonly to: number;
      readonly commit: string;
    }
  /** The lines are not what they were. `commit`: the one that changed them; null for a page, and where it is not known. */
  | { readonly kind: "changed"; readonly commit: string | null };

/** As it was when the answer was posted. */
export const withoutSince = (citation: Citation): Citation => {
  const { now: _, ...cited } = citation;
  return cited;
};

export interface ParsedCitation extends Cited {
  /** False for what may as well be something else: a host and its port, an image and its tag. */
  readonly certain: boolean;
}

/** One word of an answer; null for what cites nothing. */
export const parseCitation = (word: string): ParsedCitation | null => {
  if (word.length > MAX_WORD) return null;
  const [, path = "", line, last, anchor, lastAnchor] = CITATION.exec(word) ?? [];
  const from = Number(line ?? anchor);
  if (path === "" || !isPath(path)) return null;
  const to = Number(last ?? lastAnchor ?? from);
  return { path, from, to, certain: isCertain(path, from) };
};

/**
 * A citation whose name may have blanks, brackets, commas and equals signs. Never certain: whether it is one depends on the names
 * that the checkout has. Null for what cites nothing, and for what `parseCitation` reads.
 */
export const parseOddName = (words: string): ParsedCitation | null => {
  if (words.length > MAX_WORD || !/[\s()[\]{},=;'!?*&]/u.test(words)) return null;
  const [, path = "", line, last, anchor, lastAnchor] = CITATION.exec(words) ?? [];
  if (path === "" || path !== path.trim() || !isPath(path.replaceAll(" ", "_"))) return null;
  const from = Number(line ?? anchor);
  return { path, from, to: Number(last ?? lastAnchor ?? from), certain: false };
};

/** A page that is linked to; null for what is no address. `label`: the link's; its words in quotation marks are quoted. */
export const parseLink = (target: string, label = ""): ParsedCitation | null => {
  if (target.length > MAX_LINK || !/^https?:\/\/[^\s/]/i.test(target)) return null;
  const [, quote = ""] = /^[\s*_]*["“„«](.{1,600}?)["”“»][\s*_]*$/su.exec(label) ?? [];
  return { path: target, from: 0, to: 0, quote: quote.trim(), certain: false };
};

const MAX_LINK = 500;

/** Of two citations that name the same place alike. */
export const citationKey = ({ path, from, to }: Cited): string => `${path}:${from}-${to}`;

/** As people write it. */
export const citedText = ({ path, from, to, quote }: Cited): string =>
  quote !== undefined
    ? path.replace(/^https?:\/\//, "")
    : from === to
      ? `${path}:${from}`
      : `${path}:${from}-${to}`;

/** The file that a citation means, from the repository's root; null where it lies outside. `root`: the working directory. */
export const fileOf = (path: string, root: string): string | null => {
  const inside = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const parts = inside.split("/").filter((part, index) => part !== "." || index > 0);
  const usable = parts.length > 0 && parts.every((part) => part !== "" && part !== "." && part !== "..");
  return usable ? parts.join("/") : null;
};

const MAX_WORD = 300;

/** A column may stand behind the line. */
const CITATION = /^(.+?)(?::(\d{1,7})(?:[-–](\d{1,7})|:\d{1,5})?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$/u;

/** Times, versions, addresses and numbers are none. */
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

/** How files are called that are named without a directory: `example.com:443` is none. */
const ENDINGS: ReadonlySet<string> = new Set(
  `bash bat c cc cfg clj cljs cmake conf cpp cs css csv cts cxx dart diff dts ejs env erl ex exs fish go gradle graphql
  groovy h hbs hcl hh hpp hs htm html ini ipynb java jl js json jsonc jsx kt kts less lock log lua m md mdx mjs mk ml mli
  mm mts nim nix patch php pl pm proto ps1 py pyi r rb rs rst s sass scala scss sh snap sol sql svelte svg swift tcl tex
  tf toml ts tsx txt vim vue wasm xml yaml yml zig zsh`.split(/\s+/),
);

const DOMAINS: ReadonlySet<string> = new Set(["cc", "md", "mk", "ml", "pl", "py", "rs", "sh"]);
const PORTS: ReadonlySet<number> = new Set([22, 25, 53, 80, 443, 3000, 5432, 6379, 8000, 8080, 8443]);
