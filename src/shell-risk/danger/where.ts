/** Where a word, taken for a path, leads: by text alone, against the checkout. Pure. */
import { type Component, escape, isPlain, type Path, readPath } from "../shell/path.ts";
import type { Word } from "../shell/word.ts";
import type { CheckoutFacts } from "./facts.ts";

export type Where =
  /** `path` from the checkout on, `.` for itself; a pattern in it is kept, `exact` says there is none. */
  | { readonly kind: "inside"; readonly path: string; readonly exact: boolean }
  | { readonly kind: "outside"; readonly path: string }
  /** `/dev/null` and what else is no file of anybody. */
  | { readonly kind: "device"; readonly path: string }
  /** A temporary place of the command's own: it vanishes with the command, and what is done there concerns nobody. */
  | { readonly kind: "scratch"; readonly path: string }
  /** The text does not tell, or it is no path at all. */
  | { readonly kind: "unknown" };

/** Whether a word names a temporary place of the command's own. */
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

/** Of every command its own (D27), as `$TMPDIR` is. */
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

/** `C:\…`: another system's absolute path. */
const isWindows = ({ pieces: [first] }: Word): boolean =>
  first?.kind === "text" && /^[A-Za-z]:\\/.test(first.text);

/** Under `$TMPDIR`, or made by `mktemp`. */
const isTemporary = ({ pieces: [first] }: Word): boolean =>
  first?.kind === "unknown" && /^(?:\$\{?TMPDIR\b|(?:\$\(|`)\s*mktemp\b)/.test(first.source);

/** The same text is the same file for as long as a script runs. */
const sourceOf = ({ pieces }: Word): string =>
  pieces
    .map((piece) => (piece.kind === "text" ? piece.text : piece.kind === "unknown" ? piece.source : "~"))
    .join("");
