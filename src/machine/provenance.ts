/** Private data, untrusted content and outside effects meet only after a decision whose card shows all three (L15). */

import { english, type Label, type Say, type Sentence } from "../i18n/say.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import type { PersonId } from "./id.ts";
import type { Entry } from "./transcript.ts";
import type {
  Category,
  Permission,
  QuotedContent,
  NetworkDestination,
  ResultOrigin,
  Speaker,
  SpeakerOrigin,
  ThreadGrant,
  UntrustedContent,
} from "./vocabulary.ts";

/** Author of an entry's text. */
export type Origin = SpeakerOrigin | ResultOrigin;

interface Reading {
  readonly permission: Permission;
  readonly safeMode: boolean;
  readonly grants: readonly Category[];
  readonly standing?: readonly ThreadGrant[];
  readonly untrusted?: UntrustedContent;
  readonly shown?: UntrustedContent;
}

/** Either of these categories, if granted, opens the network. All categories in OUTWARD have effects outside. */
const NETWORKED: ReadonlySet<Category> = new Set(["NETWORK_RISK", "DEPS_INSTALL_UPDATE"]);
const OUTWARD: ReadonlySet<Category> = new Set([...NETWORKED, "GIT_PUBLISH"]);

/** Whether content was read that no card for network access has named. Each use of the network then needs a decision. */
export const needsNetworkApproval = ({ shown, untrusted }: Pick<Reading, "shown" | "untrusted">): boolean =>
  !covers(shown, untrusted);

export const validGrants = (state: Reading): readonly Category[] =>
  needsNetworkApproval(state) ? state.grants.filter((category) => !OUTWARD.has(category)) : state.grants;

export const validThreadGrant = (
  { standing = [], untrusted }: Reading,
  scope: string | undefined,
): ThreadGrant | undefined => {
  const grant = standing.find((one) => one.scope === scope);
  return grant === undefined || !covers(grant.shown, untrusted) ? undefined : grant;
};

export const categoriesToApprove = (
  { safeMode, sealed }: { readonly safeMode: boolean; readonly sealed?: boolean },
  grants: readonly Category[],
  categories: readonly Category[],
): readonly Category[] => {
  const missing = categories.filter((category) => !grants.includes(category));
  if (safeMode) return missing;
  return sealed === true ? missing.filter((category) => OUTWARD.has(category)) : [];
};

interface Call {
  readonly permission: Permission;
  readonly safeMode: boolean;
  readonly sealed?: boolean;
  readonly grants: readonly Category[];
}

/** Whether a command may reach the network. The kernel blocks all other commands, however their text was rated. */
export const mayReachNetwork = ({ permission, safeMode, sealed, grants }: Call): boolean =>
  permission === "unrestricted" &&
  ((!safeMode && sealed !== true) || grants.some((category) => NETWORKED.has(category)));

type Counting = Partial<Pick<Reading, "untrusted" | "shown">>;

export const withQuoted = <S extends Counting>(state: S, quoted: QuotedContent | undefined): S =>
  quoted === undefined
    ? state
    : {
        ...state,
        untrusted: joined(
          combined(state.untrusted ?? NONE, quoted, (a, b) => a + b),
          quoted.hosts ?? [],
        ),
      };

export const withReached = <S extends Counting>(state: S, reached: readonly NetworkDestination[]): S => {
  const before = state.untrusted ?? NONE;
  const after = joined(before, namesOf(reached));
  return after === before ? state : { ...state, untrusted: after };
};

/** Approved network access covers the content that commands read through it. `origin`: author of the call's result. */
export const withAnswers = <S extends Counting & Reading>(
  state: S,
  reached: readonly NetworkDestination[],
  origin: ResultOrigin,
): S => {
  const isWeb = origin === "checkout";
  const isOpen = isWeb && !needsNetworkApproval(state) && mayReachNetwork(state);
  const after = withReached(state, reached);
  return isOpen && after !== state ? withShownContent(after) : after;
};

/** The sub-agent started with its conversation's counts, so the larger count is used. */
export const withRead = <S extends Counting>(state: S, read: UntrustedContent | undefined): S => {
  if (read === undefined) return state;
  const most = combined(state.untrusted ?? NONE, read, Math.max);
  return { ...state, untrusted: joined(most, read.hosts) };
};

/** Records that network access was approved on a card that names everything read so far. */
export const withShownContent = <S extends Counting>(state: S): S => ({ ...state, ...shownContentOf(state) });

export const shownContentOf = ({ untrusted }: Counting): { readonly shown?: UntrustedContent } =>
  omitUndefined({ shown: untrusted });

/** Returns the author of an entry's text, quoted content excluded. */
export const originOf = (entry: Entry): Origin => {
  switch (entry.kind) {
    case "said":
      return (entry.quoted?.summaries ?? 0) > 0 ? "model" : speakerOrigin(entry.speaker);
    case "result":
      return entry.origin;
    case "answer":
    case "summary":
      return "model";
    case "asked":
    case "granted":
    case "note":
    case "notice":
      return "host";
  }
};

export const speakerOrigin = ({ id, mayApprove, mayDrive }: Speaker): SpeakerOrigin => {
  if (isWatch(id)) return "event";
  return mayApprove ? "approver" : mayDrive ? "member" : "stranger";
};

/** Whether the id belongs to a watch, not to a person. */
export const isWatch = (id: PersonId): boolean => id.startsWith("watch:");

const HOSTS = 10;

const NONE: UntrustedContent = { messages: 0, previews: 0, files: 0, pictures: 0, hosts: [] };

const covers = (shown: UntrustedContent = NONE, read: UntrustedContent = NONE): boolean =>
  KINDS.every((kind) => (read[kind] ?? 0) <= (shown[kind] ?? 0)) &&
  read.hosts.every((host) => shown.hosts.includes(host));

const KINDS = ["messages", "previews", "files", "pictures", "summaries", "events", "others"] as const;

const combined = (
  before: UntrustedContent,
  more: QuotedContent & Pick<UntrustedContent, "others">,
  how: (before: number, more: number) => number,
): UntrustedContent => {
  const counts = KINDS.map((kind) => [kind, how(before[kind] ?? 0, more[kind] ?? 0)] as const);
  return { ...before, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) };
};

const namesOf = (reached: readonly NetworkDestination[]): readonly string[] =>
  reached.flatMap(({ host, allowed }) => (allowed ? [host] : []));

/** Hosts beyond the limit are counted, so that no reading goes unrecorded. */
const joined = (before: UntrustedContent, names: readonly string[]): UntrustedContent => {
  const hosts = [...new Set([...before.hosts, ...names])];
  if (hosts.length === before.hosts.length) return before;
  const kept = hosts.slice(0, HOSTS);
  const left = hosts.length - kept.length;
  return { ...before, hosts: kept, ...(left === 0 ? {} : { others: (before.others ?? 0) + left }) };
};

/** Such as `none` or `2 quoted messages, 1 file`. `code` formats host names. */
export const untrustedRead = (
  untrusted: UntrustedContent | undefined,
  code: (text: string) => string,
  say: Say = english,
): string => {
  const {
    messages,
    previews,
    files,
    pictures,
    hosts,
    others = 0,
    summaries = 0,
    events = 0,
  } = untrusted ?? NONE;
  const more = others === 0 ? "" : ` ${say("and others ({count})", { count: others })}`;
  const counted = (count: number, one: Label, many: Many): readonly string[] =>
    count === 0 ? [] : [count === 1 ? say(one) : say(many, { count })];
  const read = [
    ...(events === 0 ? [] : [say("the event that started this thread")]),
    ...(summaries === 0 ? [] : [say("the summary of an earlier conversation")]),
    ...counted(messages, "1 quoted message", "{count} quoted messages"),
    ...counted(previews, "1 link preview", "{count} link previews"),
    ...counted(files, "1 file", "{count} files"),
    ...counted(pictures, "1 picture", "{count} pictures"),
    ...(hosts.length === 0
      ? []
      : [`${say("answers from {hosts}", { hosts: hosts.map(code).join(", ") })}${more}`]),
  ];
  return read.length === 0 ? say("none") : read.join(", ");
};

type Many = Extract<Sentence, `{count} ${string}`>;
