/** Paths made of words: split, normalized by text alone (no file system), with patterns kept. */
import { type Word, wordSize } from "./word.ts";

/** One name. In `pattern`, `*`, `?` and `[` are live if they were active, otherwise escaped by `\`. */
export interface Component {
  readonly pattern: string;
  /** Whether part of the name is unknown; `pattern` is then the text after the unknown part. */
  readonly unknown: boolean;
}

export interface Path {
  /** `unknown`: the path starts with an unknown value. */
  readonly root: "absolute" | "home" | "cwd" | "unknown";
  /** Number of `..` steps above the start (none above `/`). */
  readonly ups: number;
  readonly components: readonly Component[];
}

/** Longer than any path that the kernel accepts (PATH_MAX is 4,096 bytes), with room for patterns. */
const MAX_LENGTH = 8_192;

/** Resolves `.`, `//` and `name/..`. Null if no program can open the path, because it is empty or too long. */
export const readPath = (word: Word): Path | null => {
  const size = wordSize(word);
  if (size === 0 || size > MAX_LENGTH) return null;
  const { root, names } = splitNames(word);
  const components: Component[] = [];
  let ups = 0;
  for (const name of names) {
    if (!name.unknown && (name.pattern === "" || name.pattern === ".")) continue;
    if (name.unknown || name.pattern !== "..") components.push(name);
    else if (components.length > 0) components.pop();
    else if (root !== "absolute") ups += 1;
  }
  return { root, ups, components };
};

export const isPlain = ({ pattern, unknown }: Component): boolean =>
  !unknown && !/[*?[]/.test(pattern.replaceAll(/\\./gs, ""));

interface Split {
  readonly root: Path["root"];
  readonly names: readonly Component[];
}

const splitNames = (word: Word): Split => {
  const names: Component[] = [{ pattern: "", unknown: false }];
  let root: Path["root"] = "cwd";
  for (const [at, piece] of word.pieces.entries()) {
    const atRoot = names.every(({ pattern, unknown }) => pattern === "" && !unknown);
    if (piece.kind === "text") {
      if (at === 0 && piece.text.startsWith("/")) root = "absolute";
      const [first = "", ...more] = piece.text.split("/").map((text) => (piece.active ? text : escape(text)));
      const last = names.pop();
      names.push({ pattern: (last?.pattern ?? "") + first, unknown: last?.unknown ?? false });
      for (const pattern of more) names.push({ pattern, unknown: false });
    } else if (piece.kind === "place" && atRoot) {
      root = piece.place;
    } else {
      if (at === 0) root = "unknown";
      names[names.length - 1] = { pattern: "", unknown: true };
    }
  }
  return { root, names };
};

export const escape = (text: string): string => text.replaceAll(/[*?[\\]/g, "\\$&");
