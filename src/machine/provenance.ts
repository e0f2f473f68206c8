/**
 * Where the words come from that a conversation has read, and what it may do after that. The host counts: nothing here is
 * the model's word. Private data, words of others and an effect outside never meet without a click that shows all three
 * (L15): what a click allowed beyond its own call holds as long as nothing has been read that its card did not name. Pure.
 */

import { english, type Label, type Say, type Sentence } from "../i18n/say.ts";
import { given } from "../text/given.ts";
import type { Entry } from "./transcript.ts";
import type {
  Category,
  Permission,
  Quoted,
  Reached,
  ResultOrigin,
  Speaker,
  ThreadGrant,
  Untrusted,
} from "./words.ts";

/** The author of an entry's words. `approver`: a person who may approve; `member`: who may have changes made; `stranger`: who may only ask. */
export type Origin = "approver" | "member" | "stranger" | "event" | ResultOrigin;

/** What the state has of it. */
interface Reading {
  readonly permission: Permission;
  readonly safeMode: boolean;
  readonly grants: readonly Category[];
  readonly standing?: readonly ThreadGrant[];
  readonly untrusted?: Untrusted;
  readonly shown?: Untrusted;
}

/** Granted, either of the first two opens the network; all of them go outside. */
const NETWORKED: ReadonlySet<Category> = new Set(["NETWORK_RISK", "DEPS_INSTALL_UPDATE"]);
const OUTWARD: ReadonlySet<Category> = new Set([...NETWORKED, "GIT_PUBLISH"]);

/** Others' words were read that nobody was shown who let commands use the network: each use of it is asked for. */
export const isSealed = ({ shown, untrusted }: Pick<Reading, "shown" | "untrusted">): boolean =>
  !covers(shown, untrusted);

/** Of what people granted for the thread, what still holds. */
export const heldGrants = (state: Reading): readonly Category[] =>
  isSealed(state) ? state.grants.filter((category) => !OUTWARD.has(category)) : state.grants;

/** What still holds of what a person let through for the thread. */
export const heldStanding = (
  { standing = [], untrusted }: Reading,
  scope: string | undefined,
): ThreadGrant | undefined => {
  const grant = standing.find((one) => one.scope === scope);
  return grant === undefined || !covers(grant.shown, untrusted) ? undefined : grant;
};

/** Which of the categories of an Unrestricted call need a person's word first. */
export const toBeAsked = (
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

/** Whether a command may reach the network: the kernel gives none else, whatever anybody thought of the command's text. */
export const mayReachNetwork = ({ permission, safeMode, sealed, grants }: Call): boolean =>
  permission === "unrestricted" &&
  ((!safeMode && sealed !== true) || grants.some((category) => NETWORKED.has(category)));

type Counting = Partial<Pick<Reading, "untrusted" | "shown">>;

export const withQuoted = <S extends Counting>(state: S, quoted: Quoted | undefined): S =>
  quoted === undefined
    ? state
    : { ...state, untrusted: combined(state.untrusted ?? NONE, quoted, (a, b) => a + b) };

export const withReached = <S extends Counting>(state: S, reached: readonly Reached[]): S => {
  const before = state.untrusted ?? NONE;
  const after = joined(before, namesOf(reached));
  return after === before ? state : { ...state, untrusted: after };
};

/** A click that opens the network to commands covers what they read there. `origin`: of their result. */
export const withAnswers = <S extends Counting & Reading>(
  state: S,
  reached: readonly Reached[],
  origin: ResultOrigin,
): S => {
  const isWeb = origin === "checkout";
  const isOpen = isWeb && !isSealed(state) && mayReachNetwork(state);
  const after = withReached(state, reached);
  return isOpen && after !== state ? withShown(after) : after;
};

/** What a sub-agent has read, its conversation has read; it began with what that had read before. */
export const withRead = <S extends Counting>(state: S, read: Untrusted | undefined): S => {
  if (read === undefined) return state;
  const most = combined(state.untrusted ?? NONE, read, Math.max);
  return { ...state, untrusted: joined(most, read.hosts) };
};

/** A person lets commands use the network, on a card that names all that was read. */
export const withShown = <S extends Counting>(state: S): S => ({ ...state, ...shownOf(state) });

/** For what a person lets through for the thread. */
export const shownOf = ({ untrusted }: Counting): { readonly shown?: Untrusted } =>
  given({ shown: untrusted });

/** Whose words an entry brings, apart from what they quote. */
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

const speakerOrigin = ({ id, mayApprove, mayDrive }: Speaker): Origin => {
  if (id.startsWith("watch:")) return "event";
  return mayApprove ? "approver" : mayDrive ? "member" : "stranger";
};

const HOSTS = 10;

const NONE: Untrusted = { messages: 0, previews: 0, files: 0, pictures: 0, hosts: [] };

const covers = (shown: Untrusted = NONE, read: Untrusted = NONE): boolean =>
  KINDS.every((kind) => (read[kind] ?? 0) <= (shown[kind] ?? 0)) &&
  read.hosts.every((host) => shown.hosts.includes(host));

const KINDS = ["messages", "previews", "files", "pictures", "summaries", "events", "others"] as const;

/** Of what most conversations have none nothing is said. */
const combined = (
  before: Untrusted,
  more: Quoted & Pick<Untrusted, "others">,
  how: (before: number, more: number) => number,
): Untrusted => {
  const counts = KINDS.map((kind) => [kind, how(before[kind] ?? 0, more[kind] ?? 0)] as const);
  return { ...before, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) };
};

const namesOf = (reached: readonly Reached[]): readonly string[] =>
  reached.flatMap(({ host, allowed }) => (allowed ? [host] : []));

/** Hosts that have no place any more are counted, so that nothing is read without a trace. */
const joined = (before: Untrusted, names: readonly string[]): Untrusted => {
  const hosts = [...new Set([...before.hosts, ...names])];
  if (hosts.length === before.hosts.length) return before;
  const kept = hosts.slice(0, HOSTS);
  const left = hosts.length - kept.length;
  return { ...before, hosts: kept, ...(left === 0 ? {} : { others: (before.others ?? 0) + left }) };
};

/** For people: `none`, or `2 quoted messages, 1 file`; `code` writes names of hosts. */
export const untrustedRead = (
  untrusted: Untrusted | undefined,
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
    ...(events === 0 ? [] : [say("the event that started it")]),
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
