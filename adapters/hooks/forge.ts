/** An event of a forge, whichever it is, and the watches that hear it. Pure. */

import type { ForgeSource, Heard as Kind, Watch } from "../../src/ports/watch/watches.ts";
import type { Heard } from "./generic.ts";

/** As a forge's own reader gives it. */
export interface Happened extends Heard {
  readonly kind: Kind;
  /** Host and path in lower case: `github.com/acme/api`. */
  readonly repo: string;
  /** Of an issue, all that it has now; of others none. */
  readonly labels: readonly string[];
  /** An issue has just been given a label. */
  readonly isLabelled: boolean;
  /** What people wrote with it. */
  readonly words: string;
  /** The branch that it is on; null where that says nothing. */
  readonly branch: string | null;
}

/** The branches of pull requests that a Parley opened. */
const OWN_BRANCH = /^parley\//;
/** What stands below all that a Parley writes to a forge. */
const OWN_WORDS = /\n---\n\*Written by Parley[^\n]*\(conversation c-[\w-]+\)\.\*\s*$/;

/** Whether a Parley did it, this one or another: none hears the other, or they would talk for ever. */
export const isOwn = ({ kind, branch, words }: Happened): boolean =>
  OWN_WORDS.test(words) ||
  (branch !== null && OWN_BRANCH.test(branch) && kind !== "checks" && kind !== "mentions");

export const hears = (source: ForgeSource, happened: Happened): boolean => {
  const { kind, labels, isLabelled, words } = happened;
  if (!source.hears.includes(kind)) return false;
  if (kind === "mentions") return mentions(words, source.called);
  if (kind !== "issues") return true;
  return source.label === null ? !isLabelled : labels.includes(source.label);
};

/** Those of the forge that hear it in the channels of its repository. */
export const hearers = (
  watches: readonly Watch[],
  forge: ForgeSource["forge"],
  reposOf: (watch: Watch) => readonly string[],
  happened: Happened,
): readonly Watch[] =>
  isOwn(happened)
    ? []
    : watches.filter(
        (watch) =>
          watch.source.kind === "forge" &&
          watch.source.forge === forge &&
          reposOf(watch).includes(happened.repo) &&
          hears(watch.source, happened),
      );

const mentions = (words: string, name: string): boolean =>
  words
    .toLowerCase()
    .split(/[^\w@[\]-]+/)
    .some((word) => word === `@${name.toLowerCase()}` || word === `@${name.toLowerCase()}[bot]`);

/** Host and path of a page of the forge. */
export const repoAt = (address: string): string =>
  address
    .replace(/^https?:\/\//i, "")
    .replace(/(\.git)?\/*$/, "")
    .toLowerCase();
