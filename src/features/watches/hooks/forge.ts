/** An event of a forge, whichever it is, and the watches that hear it. Pure. */

import * as z from "zod";
import {
  BECAME,
  type PullOutcome,
  type ForgeSource,
  type ForgeEventKind,
  type Watch,
} from "../store/watches.ts";
import type { WebhookEvent } from "./generic.ts";

/** As a forge's own reader gives it. */
export interface Happened extends WebhookEvent, PullHead {
  readonly kind: Exclude<ForgeEventKind, "follow"> | "reviewed" | "merged";
  /** Host and path in lower case: `github.com/acme/api`. */
  readonly repo: string;
  /** Of an issue, all that it has now; of others none. */
  readonly labels: readonly string[];
  /** An issue has just been given a label. */
  readonly isLabelled: boolean;
  /** What people wrote with it. */
  readonly words: string;
  /** Of what is told once, however often it is sent: the commit, or an id. */
  readonly once: string | null;
}

/** The head of a pull request that it is about. */
export interface PullHead {
  /** The branch that it is on; null where that says nothing. */
  readonly branch: string | null;
  /** The forge says that the branch is the repository's own, and no fork's. */
  readonly isHere: boolean;
  readonly pull: number | null;
}

/** The branches of pull requests that a Parley opened. */
const OWN_BRANCH = /^parley\/(?:(c-[\w-]{1,60})$)?/;
/** What stands below all that a Parley writes to a forge. */
const OWN_WORDS = /\n---\n\*Written by Parley[^\n]*\(conversation c-[\w-]+\)\.\*\s*$/;

export const isOwnBranch = (branch: string | null): boolean => branch !== null && OWN_BRANCH.test(branch);

/** Whether a Parley did it, this one or another: none hears the other, or they would talk for ever. */
const isOwn = ({ kind, branch, words }: Happened): boolean =>
  OWN_WORDS.test(words) || (isOwnBranch(branch) && kind !== "mentions");

/** Null where it is about no pull request of a conversation, and where the branch may be a stranger's of that name. */
export const followsOf = ({ kind, repo, branch, isHere, pull, words }: Happened): PullOutcome | null => {
  const conversation = conversationId.safeParse(OWN_BRANCH.exec(branch ?? "")?.[1]).data;
  const what = BECAME.find((one) => one === kind);
  if (conversation === undefined || what === undefined || !isHere || OWN_WORDS.test(words)) return null;
  return { conversation, what, repo, pull };
};

const conversationId = z.templateLiteral(["c-", z.string()]);

const hears = (source: ForgeSource, happened: Happened): boolean => {
  const { kind, labels, isLabelled, words } = happened;
  if (kind === "reviewed" || kind === "merged" || !source.hears.includes(kind)) return false;
  if (kind === "mentions") return mentions(words, source.called);
  if (kind !== "issues") return true;
  return source.label === null ? !isLabelled : labels.includes(source.label);
};

type ReposOf = (watch: Watch) => readonly string[];
type ForgeWatch = Watch & { readonly source: ForgeSource };

const watchesOf = (
  watches: readonly Watch[],
  forge: ForgeSource["forge"],
  reposOf: ReposOf,
  { repo }: Happened,
): readonly ForgeWatch[] =>
  watches.filter(
    (watch): watch is ForgeWatch =>
      watch.source.kind === "forge" && watch.source.forge === forge && reposOf(watch).includes(repo),
  );

/** Those of the forge that hear it in the channels of its repository. */
export const watchesFor = (...given: Parameters<typeof watchesOf>): readonly Watch[] => {
  const happened = given[3];
  return isOwn(happened) ? [] : watchesOf(...given).filter(({ source }) => hears(source, happened));
};

/** One of each channel of the repository, where there is one that looks into it by itself. */
export const followers = (...given: Parameters<typeof watchesOf>): readonly Watch[] => {
  const there = watchesOf(...given)
    .filter(({ standing }) => standing.kind !== "off")
    .toSorted((a, b) => Number(looks(b)) - Number(looks(a)));
  const channels = new Map(there.toReversed().map((one) => [`${one.surface}/${one.place}`, one]));
  return [...channels.values()];
};

const looks = ({ source }: ForgeWatch): boolean => source.hears.includes("follow");

const mentions = (words: string, name: string): boolean =>
  words
    .toLowerCase()
    .split(/[^\w@[\]-]+/)
    .some((word) => word === `@${name.toLowerCase()}` || word === `@${name.toLowerCase()}[bot]`);

export type WebhookReader = (body: unknown) => Happened | null;

/** Of bodies of one form; null for any other. */
export const reader =
  <S extends z.ZodType>(schema: S, read: (body: z.output<S>) => Happened | null): WebhookReader =>
  (body) => {
    const { data } = schema.safeParse(body);
    return data === undefined ? null : read(data);
  };

/** What most events have, and nothing of a pull request. `address`: of the repository's page. */
export const happened = (
  kind: Happened["kind"],
  address: string,
  link: string,
  words: string | null | undefined,
) => ({
  kind,
  repo: repoAt(address),
  link,
  words: words ?? "",
  labels: [],
  isLabelled: false,
  branch: null,
  isHere: false,
  pull: null,
  once: null,
});

/** Host and path of a page of the forge. */
export const repoAt = (address: string): string =>
  address
    .replace(/^https?:\/\//i, "")
    .replace(/(\.git)?\/*$/, "")
    .toLowerCase();
