/** Locates a word as a path relative to the checkout, by text alone. Pure. */
import { type Component, escape, isPlain, type Path, readPath } from "../shell/path.ts";
import type { Word } from "../shell/word.ts";
import type { CheckoutFacts } from "./facts.ts";

export type Where =
  /** `path`: relative to the checkout, `.` for the checkout itself. `exact`: the path contains no pattern. */
  | { readonly kind: "inside"; readonly path: string; readonly exact: boolean }
  | { readonly kind: "outside"; readonly path: string }
  /** `/dev/null` and similar paths that are no files. */
  | { readonly kind: "device"; readonly path: string }
  /** A private temporary path of the command. The path is removed with the command, so changes there are harmless. */
  | { readonly kind: "scratch"; readonly path: string }
  /** The text does not determine the path, or the word is no path. */
  | { readonly kind: "unknown" };

export const isScratch = (word: Word, facts: CheckoutFacts): boolean =>
  whereIs(word, facts).kind === "scratch";

/** Relative paths start at the checkout, also after a `cd`. */
export const whereIs = (word: Word, facts: CheckoutFacts): Where => {
  if (isTemporary(word)) return { kind: "scratch", path: sourceOf(word) };
  const path = readPath(word);
  if (path === null) return { kind: "unknown" };
  if (isWindows(word)) return { kind: "outside", path: shown(path.components) };
  if (path.root === "unknown") return { kind: "unknown" };
  if (path.root === "home" && facts.home === null)
    return { kind: "outside", path: `~/${shown(path.components)}` };
  return placed(absolute(path, facts), facts);
};

const placed = (components: readonly Component[], facts: CheckoutFacts): Where => {
  const path = `/${shown(components)}`;
  const inside = below(components, facts.workspace);
  if (inside !== null) {
    return { kind: "inside", path: shown(inside) || ".", exact: inside.every(isPlain) };
  }
  if (below(components, SCRATCH) !== null) return { kind: "scratch", path };
  return DEVICE.test(path) ? { kind: "device", path } : { kind: "outside", path };
};

/** Private for each command (D27), like `$TMPDIR`. */
const SCRATCH = "/tmp";

const DEVICE = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd(?:\/\d+)?)$/;

const below = (components: readonly Component[], directory: string): readonly Component[] | null => {
  const names = namesOf(directory);
  return names.every((name, at) => isName(components[at], name)) ? components.slice(names.length) : null;
};

const isName = (component: Component | undefined, name: string): boolean =>
  component !== undefined && !component.unknown && component.pattern === escape(name);

const absolute = (path: Path, facts: CheckoutFacts): readonly Component[] => {
  if (path.root === "absolute") return path.components;
  const base = namesOf(path.root === "home" ? (facts.home ?? "/") : facts.workspace);
  const kept = base.slice(0, Math.max(0, base.length - path.ups));
  return [...kept.map((name) => ({ pattern: escape(name), unknown: false })), ...path.components];
};

const namesOf = (path: string): readonly string[] => path.split("/").filter((name) => name !== "");

const shown = (components: readonly Component[]): string =>
  components
    .map(({ pattern, unknown }) => (unknown ? "…" : "") + pattern.replaceAll(/\\(.)/gs, "$1"))
    .join("/");

/** `C:\…`: an absolute path on another system. */
const isWindows = ({ pieces: [first] }: Word): boolean =>
  first?.kind === "text" && /^[A-Za-z]:\\/.test(first.text);

const isTemporary = ({ pieces: [first] }: Word): boolean =>
  first?.kind === "unknown" && /^(?:\$\{?TMPDIR\b|(?:\$\(|`)\s*mktemp\b)/.test(first.source);

/** The source text names the same file while a script runs. */
const sourceOf = ({ pieces }: Word): string =>
  pieces
    .map((piece) => (piece.kind === "text" ? piece.text : piece.kind === "unknown" ? piece.source : "~"))
    .join("");
