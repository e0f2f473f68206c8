/** Events of any forge, and the watches that receive them. Pure. */

import * as z from "zod";
import {
  BECAME,
  type PullOutcome,
  type ForgeSource,
  type ForgeEventKind,
  type Watch,
} from "../store/watches.ts";
import type { WebhookEvent } from "./generic.ts";

export interface Happened extends WebhookEvent, PullHead {
  readonly kind: Exclude<ForgeEventKind, "follow"> | "reviewed" | "merged";
  /** Host and path in lower case: `github.com/acme/api`. */
  readonly repo: string;
  /** For an issue, all current labels; empty for other events. */
  readonly labels: readonly string[];
  /** Whether the issue has just received a label. */
  readonly isLabelled: boolean;
  /** Text that people wrote for the event. */
  readonly words: string;
  /** Key of an event that is reported only once even if it arrives repeatedly: the commit, or an id. */
  readonly once: string | null;
}

export interface PullHead {
  /** Branch of the head; null if the event contains no branch. */
  readonly branch: string | null;
  /** Whether the forge confirms that the branch belongs to the repository itself, not to a fork. */
  readonly isHere: boolean;
  readonly pull: number | null;
}

/** Branches of pull requests that a Parley opened. */
const OWN_BRANCH = /^parley\/(?:(c-[\w-]{1,60})$)?/;
/** Signature below all texts that a Parley writes to a forge. */
const OWN_WORDS = /\n---\n\*Written by Parley[^\n]*\(conversation c-[\w-]+\)\.\*\s*$/;

export const isOwnBranch = (branch: string | null): boolean => branch !== null && OWN_BRANCH.test(branch);

/**
 * Whether this or another Parley installation caused the event. Such events are ignored, because two installations would
 * otherwise answer each other forever.
 */
const isOwn = ({ kind, branch, words }: Happened): boolean =>
  OWN_WORDS.test(words) || (isOwnBranch(branch) && kind !== "mentions");

/**
 * The outcome of a conversation's pull request. Null if the event has no such pull request, or its branch may be a fork's
 * branch of the same name.
 */
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

/** Watches of the forge that receive the event, in the channels of its repository. */
export const watchesFor = (...given: Parameters<typeof watchesOf>): readonly Watch[] => {
  const happened = given[3];
  return isOwn(happened) ? [] : watchesOf(...given).filter(({ source }) => hears(source, happened));
};

/** One watch per channel of the repository, preferably a watch that looks into outcomes without a click. */
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

/** Reader for bodies that match the schema; null for any other body. */
export const reader =
  <S extends z.ZodType>(schema: S, read: (body: z.output<S>) => Happened | null): WebhookReader =>
  (body) => {
    const { data } = schema.safeParse(body);
    return data === undefined ? null : read(data);
  };

/** Common fields of an event, without a pull request. `address`: page of the repository. */
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

export const repoAt = (address: string): string =>
  address
    .replace(/^https?:\/\//i, "")
    .replace(/(\.git)?\/*$/, "")
    .toLowerCase();
