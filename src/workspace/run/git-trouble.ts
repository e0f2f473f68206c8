/** Git's raw output is read only here. */

import type { OutgoingFailure } from "../../ports/outgoing.ts";
import type { RunResult } from "../../../sandbox/types.ts";
import type { Millis } from "../../machine/id.ts";
import type { Log } from "../../ports/host.ts";

/** `expired` and `notGiven` concern a credential of the host. */
const PLAIN = {
  notFound: (name: string) => `${name} was not found.`,
  noAccess: (name: string) => `${name} does not exist, or this bot has no access to it.`,
  expired: (name: string) =>
    `Parley's credential for ${name} was refused: it has expired, was revoked or may not read code. The operator can renew it in the file that PARLEY_FORGES names.`,
  notGiven: (name: string) =>
    `${name} does not exist (any more), or Parley's credential does not open it: the operator can check the entry in the file that PARLEY_FORGES names.`,
  unreachable: (name: string) => `The host of ${name} could not be reached.`,
  closed: (name: string) =>
    `The host of ${name} is not one that this bot may reach; its operator can open it with PARLEY_EGRESS.`,
  untrusted: (name: string) =>
    `The host of ${name} could not prove who it is (certificate or host key). The operator can say whom to trust: NODE_EXTRA_CA_CERTS for a certificate of their own authority, knownHostsFile for a deploy key (docs/forges.md).`,
  noSpace: (name: string) =>
    `There is no space left on this machine for ${name}. The operator has to free some space; then ask again.`,
  notGit: (name: string) => `${name} is not a git repository.`,
  noCommits: (name: string) => `${name} has no commits yet.`,
  noBranch: (name: string) => `${name} names no default branch.`,
  borrows: (name: string) =>
    `${name} borrows objects from another repository (objects/info/alternates), which is not followed.`,
  stranger: (name: string) =>
    `${name} points to a repository that does not count it among its worktrees (a submodule, perhaps).`,
  partial: (name: string) =>
    `${name} is a partial clone: some of its objects are only in the repository that it was cloned from. Name that repository instead, or fetch the rest with git fetch --refetch --no-filter.`,
  damaged: (name: string) => `${name} has damaged or missing objects, so Parley did not copy the repository.`,
  tooManyRefs: (name: string) => `${name} has more branches and tags than can be handled here.`,
  gone: (name: string) => `The commit that this conversation works on is no longer in ${name}.`,
  noDraft: () => "No draft is open: call draft first.",
  shared: () =>
    "The files that other hosts stored for this thread cannot be reached now. Nothing is lost: ask again in a while. The operator finds the reason in the log.",
};

type Plain = keyof typeof PLAIN;

export type GitTrouble =
  | { readonly kind: Plain }
  | { readonly kind: "moved"; readonly to: string | null }
  | { readonly kind: "noRef"; readonly ref: string }
  | { readonly kind: "tooLarge"; readonly limit: number }
  | { readonly kind: "slow"; readonly minutes: number }
  /** `why` is shown after a colon. */
  | { readonly kind: "noCopy"; readonly why: string }
  | { readonly kind: "archive"; readonly why: keyof typeof ARCHIVE; readonly at: string }
  | { readonly kind: "sandbox"; readonly reason: string }
  | { readonly kind: "host"; readonly reason: string }
  | { readonly kind: "unknown"; readonly said: string };

/** The first match wins, so a specific line comes before its consequences. */
const SIGNS: readonly (readonly [RegExp, Plain])[] = [
  [
    /No space left on device|Disk quota exceeded|Out of diskspace|unable to write (file|new index)|unable to write .* ENOSPC|printf: I\/O error/i,
    "noSpace",
  ],
  [
    /SSL certificate problem|server certificate verification failed|Host key verification failed/i,
    "untrusted",
  ],
  [/(Received HTTP code|CONNECT tunnel failed, response) 403|Parley does not let commands reach/, "closed"],
  [
    /(Received HTTP code|CONNECT tunnel failed, response) 502|cannot be reached: |has no address in the DNS|Could not resolve host|Name or service not known|Temporary failure in name resolution|Failed to connect|Couldn't connect|Connection (refused|timed out|reset)|No route to host|Network is unreachable|Operation timed out|Empty reply from server|returned error: 5\d\d/i,
    "unreachable",
  ],
  [/returned error: 404|Repository not found|repository '[^']*' not found/i, "notFound"],
  [
    /Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission denied \(|returned error: 40[13]|access denied/i,
    "noAccess",
  ],
  [/lazy fetching disabled|could not fetch [0-9a-f]{40,64} from promisor remote/i, "partial"],
  [
    /fsck error|error in object|did not send all necessary objects|is corrupt|corrupt loose object|bad object|missing (blob|tree|commit|object)|unable to read [0-9a-f]{40}|inflate: data stream error|invalid index-pack output|index-pack failed|garbage at end of|remote did not send|not our ref|packfile .* (cannot|does not)|upload-pack: not our ref|early EOF|bad pack/i,
    "damaged",
  ],
  [/trying to write ref .* with nonexistent object/, "gone"],
  [
    /does not appear to be a git repository|not a git repository|valid: is this a git repository|is this a git repository/i,
    "notGit",
  ],
];

/** `output` must be in the C locale. */
export const gitTroubleOf = (output: string): GitTrouble => {
  for (const [sign, kind] of SIGNS) if (sign.test(output)) return { kind };
  return { kind: "unknown", said: saidBy(output) };
};

export const sentence = (trouble: GitTrouble, name: string): string => {
  if (isPlain(trouble)) return PLAIN[trouble.kind](name);
  switch (trouble.kind) {
    case "moved":
      return `${name} has moved${trouble.to === null ? "" : ` to ${trouble.to}`}: bind the channel to it under its new name.`;
    case "noRef":
      return `${name} has no branch or tag called ${trouble.ref}. Choose another version for this place, then ask in a new thread.`;
    case "tooLarge":
      return `${name} is larger than the ${Math.floor(trouble.limit / 2 ** 20)} MiB that are allowed here.`;
    case "slow":
      return `${name} was not fetched within ${trouble.minutes} minutes.`;
    case "noCopy":
      return `The checkout cannot be drafted: ${trouble.why}, and all of it would have to be copied. Remove what was built or installed in it, or ask for Unrestricted.`;
    case "archive":
      return ARCHIVE[trouble.why](name, trouble.at);
    case "sandbox":
      return `The sandbox for git could not be set up: ${trouble.reason}.`;
    case "host":
      return `The data directory could not be used: ${trouble.reason}.`;
    case "unknown":
      return trouble.said === ""
        ? `git failed on ${name} without saying why.`
        : `git failed on ${name}: ${trouble.said}`;
  }
};

const isPlain = (trouble: GitTrouble): trouble is { readonly kind: Plain } =>
  Object.hasOwn(PLAIN, trouble.kind);

const ARCHIVE = {
  gone: (name: string, at: string) =>
    `The changes of this thread are stored, but cannot be restored: their commit is no longer in ${name}. The operator finds the changes as work.tar.gz in ${at} of the data directory.`,
  damaged: (_: string, at: string) =>
    `This thread was inactive, and its stored changes are damaged. Nothing was deleted: the operator finds the archive in ${at} of the data directory. Ask again to continue without the changes, in a fresh checkout of the commit.`,
  draft: (_: string, at: string) =>
    `Another host had this thread, and a part of its draft is lost or damaged. Nothing was deleted: the operator finds the rest in ${at} of the data directory. Ask again to continue without the draft.`,
};

/** Git's first fatal error line: cut, without control characters or credentials. */
const saidBy = (output: string): string => {
  const line = output
    .split(/[\r\n]/)
    .find((l) => /^(fatal|error): /.test(l) && !l.startsWith("fatal: remote error"));
  return (line ?? "")
    .replace(/^(fatal|error): /, "")
    .replace(/\/\/[^/@\s]*@/g, "//")
    .replace(/[^\x20-\x7e]/g, "?")
    .slice(0, 200);
};

/** Error with a trouble; thrown within the workspace, returned as a value at its edge. */
export class InTheWay extends Error {
  readonly trouble: GitTrouble;
  constructor(trouble: GitTrouble) {
    super(trouble.kind);
    this.trouble = trouble;
  }
}

/** The caller aborted. */
export class BrokenOff extends Error {}

/** Returns the result of a run that ended by itself; throws for any other. */
export const ended = (ran: RunResult, timeout: Millis, signal?: AbortSignal) => {
  if (signal?.aborted === true || ran.kind === "killed") throw new BrokenOff();
  if (ran.kind === "failed") throw new InTheWay({ kind: "sandbox", reason: ran.reason });
  if (ran.kind === "timedOut") throw new InTheWay({ kind: "slow", minutes: Math.round(timeout / 60_000) });
  const bytes = Buffer.concat([ran.head, ran.tail]);
  return { ...ran, bytes, text: bytes.toString("utf8") };
};

export type AttemptResult<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "trouble"; readonly trouble: GitTrouble }
  | { readonly kind: "aborted" };

/** Turns errors into values. A file system error becomes its system code, or its message if it has no code. */
export const attemptGit = async <T>(work: () => Promise<T>): Promise<AttemptResult<T>> => {
  try {
    return { kind: "done", value: await work() };
  } catch (error) {
    return error instanceof BrokenOff
      ? { kind: "aborted" }
      : { kind: "trouble", trouble: troubleOfError(error) };
  }
};

const troubleOfError = (error: unknown): GitTrouble => {
  if (error instanceof InTheWay) return error.trouble;
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  if (code === "ENOSPC" || code === "EDQUOT") return { kind: "noSpace" };
  return { kind: "host", reason: code ?? (error instanceof Error ? error.message : String(error)) };
};

export const attemptLogged = async <T>(
  log: Pick<Log, "warn">,
  what: string,
  whom: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<AttemptResult<T>> => {
  const answer = await attemptGit(work);
  if (answer.kind === "trouble") log.warn(what, { ...whom, trouble: answer.trouble.kind });
  return answer;
};

export const valueOr = <T>(answer: AttemptResult<T>, name: string): T | OutgoingFailure => {
  if (answer.kind === "done") return answer.value;
  const message = answer.kind === "aborted" ? "It was cancelled." : sentence(answer.trouble, name);
  return { kind: "failed", message };
};
