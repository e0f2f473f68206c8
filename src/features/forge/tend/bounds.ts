/**
 * Bounds of looking after a pull request (D56): one branch, a number of pushes, an amount of money, an end. Pure. Every push
 * under the click passes `pushVerdict` before its decision and `holdVerdict` at the moment of the push.
 */

import type { ConversationId, Millis, PersonId } from "../../../machine/id.ts";
import type { Delicate } from "../../../thread/draft.ts";
import type { MicroUsd } from "../../../ports/money.ts";

export const TEND_DAYS = 7;

export interface TendedPull {
  readonly id: string;
  readonly conversation: ConversationId;
  readonly surface: string;
  readonly place: string;
  /** Approver who clicked. */
  readonly by: PersonId;
  readonly byName: string | null;
  /** The approver's account on the forge at the click; null if the approver was not connected. */
  readonly account: string | null;
  /** As in `acme/shop#12`. */
  readonly name: string;
  readonly number: number;
  readonly branch: string;
  readonly began: Millis;
  readonly ends: Millis;
  readonly pushes: number;
  readonly budget: MicroUsd;
  /** Commit of the branch after the last push of this conversation. */
  readonly head: string;
  /** Commit of a push whose result is not stored yet; null if there is none. */
  readonly expected: string | null;
  /** Ids of remarks and of failed checks that were handled. */
  readonly seen: readonly string[];
  readonly turn: number;
  readonly tries: number;
  readonly phase: TendPhase;
  readonly cause: TendCause;
  /** Time of the first of the latest failed requests to the forge. */
  readonly trouble: Millis | null;
  readonly ended: TendEnd | null;
  readonly told: boolean;
}

/** `due`: a turn is to begin. `running`: its turn has begun. */
export const TEND_PHASES = ["watching", "due", "running"] as const;
export type TendPhase = (typeof TEND_PHASES)[number];

export interface TendCause {
  readonly checks: boolean;
  readonly remarks: readonly string[];
  /** Whether the draft had edits before the turn that nobody has approved. */
  readonly hadEdits?: boolean;
}

export const TEND_ENDS = [
  "merged",
  "closed",
  "time",
  "money",
  "pushes",
  "moved",
  "stopped",
  "access",
  "connection",
  "forge",
  "thread",
] as const;
export type TendEnd = (typeof TEND_ENDS)[number];

/** `admitted`: decided under the click, and perhaps pushed. */
export interface TendedPush {
  readonly no: number;
  readonly fingerprint: string;
  readonly commit: string | null;
  readonly standing: "admitted" | "landed" | "void";
  readonly told: boolean;
}

export const pushesLeft = ({ pushes }: Pick<TendedPull, "pushes">, made: readonly TendedPush[]): number =>
  Math.max(0, pushes - made.filter(({ standing }) => standing !== "void").length);

export interface PushFacts {
  readonly now: Millis;
  readonly spent: MicroUsd;
  readonly made: readonly TendedPush[];
  /** Commit of the branch on the forge; null if the branch is gone. */
  readonly head: string | null;
  /** Whether the pull request is neither merged nor closed. */
  readonly isOpen: boolean;
  readonly delicate: readonly Delicate[];
  readonly unlisted: number;
  readonly isDiffCut: boolean;
  /** Paths of the change that have code owners. */
  readonly owned: readonly string[];
  readonly testFailed: boolean;
  /** Whether a person has added words to the turn. */
  readonly isSteered: boolean;
  readonly hadEdits: boolean;
  readonly mayApprove: boolean;
}

/** Why the change needs a click of its own. */
export type PushReason =
  | { readonly kind: "ended" }
  | { readonly kind: "pushes" }
  | { readonly kind: "money" }
  | { readonly kind: "moved" }
  | { readonly kind: "workflow"; readonly path: string }
  | { readonly kind: "owners"; readonly path: string }
  | { readonly kind: "size" }
  | { readonly kind: "test" }
  | { readonly kind: "added" }
  | { readonly kind: "edits" }
  | { readonly kind: "right" };

export type PushVerdict = { readonly kind: "push" } | { readonly kind: "ask"; readonly why: PushReason };

/** Whether the change on a card may be pushed without a new click. */
export const pushVerdict = (pull: TendedPull, facts: PushFacts): PushVerdict => {
  const over = overReason(pull, facts);
  if (over !== null) return ask(over);
  if (!facts.isOpen) return ask({ kind: "ended" });
  if (!facts.mayApprove) return ask({ kind: "right" });
  if (facts.isSteered) return ask({ kind: "added" });
  if (facts.hadEdits) return ask({ kind: "edits" });
  if (pushesLeft(pull, facts.made) === 0) return ask({ kind: "pushes" });
  if (facts.head !== pull.head) return ask({ kind: "moved" });
  const guarded = facts.delicate.find(({ why }) => why === "workflow" || why === "owners");
  if (guarded !== undefined) return ask({ kind: "workflow", path: guarded.path });
  const [owned] = facts.owned;
  if (owned !== undefined) return ask({ kind: "owners", path: owned });
  if (facts.unlisted > 0 || facts.isDiffCut) return ask({ kind: "size" });
  return facts.testFailed ? ask({ kind: "test" }) : { kind: "push" };
};

const ask = (why: PushReason): PushVerdict => ({ kind: "ask", why });

const overReason = (
  { ended, ends, budget }: TendedPull,
  { now, spent }: Pick<PushFacts, "now" | "spent">,
): PushReason | null => {
  if (ended !== null || now >= ends) return { kind: "ended" };
  return spent > budget ? { kind: "money" } : null;
};

export interface HeldPush {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/** Repeats the check when the commit is about to leave. A push that has arrived already is not held again. */
export const holdVerdict = (
  pull: TendedPull,
  made: readonly TendedPush[],
  own: TendedPush,
  push: HeldPush,
  { now, spent }: Pick<PushFacts, "now" | "spent">,
): PushVerdict => {
  const over = overReason(pull, { now, spent });
  if (over !== null) return ask(over);
  if (own.standing === "void" || made.filter(({ standing }) => standing !== "void").length > pull.pushes)
    return ask({ kind: "pushes" });
  const isAgain = push.to === pull.head || push.to === pull.expected;
  return push.branch === pull.branch && (push.from === pull.head || isAgain)
    ? { kind: "push" }
    : ask({ kind: "moved" });
};

export interface PullFacts {
  readonly now: Millis;
  readonly spent: MicroUsd;
  readonly made: readonly TendedPush[];
  /** `open`, `draft`, `closed` or `merged`. */
  readonly state: string;
  readonly head: string | null;
  readonly checks: "failed" | "pending" | "passed";
  /** Ids of the failed checks. A check that runs again has another id. */
  readonly failing: readonly string[];
  /** New remarks of people who may write to the repository, and of others. */
  readonly remarks: readonly string[];
  readonly ignored: readonly string[];
}

export type TendStep =
  | { readonly kind: "end"; readonly why: TendEnd }
  /** The push whose result was lost has arrived. */
  | { readonly kind: "arrived"; readonly head: string }
  /** `seen`: ids that are handled from now on. */
  | { readonly kind: "turn"; readonly cause: TendCause; readonly seen: readonly string[] }
  | { readonly kind: "wait"; readonly ignored: readonly string[] };

/** The next step for the state of the pull request, while no turn runs. */
export const tendStep = (pull: TendedPull, facts: PullFacts): TendStep => {
  const { state, head, made } = facts;
  if (pull.ended !== null) return { kind: "end", why: pull.ended };
  if (state === "merged" || state === "closed") return { kind: "end", why: state };
  if (facts.now >= pull.ends) return { kind: "end", why: "time" };
  if (head !== null && head === pull.expected && head !== pull.head) return { kind: "arrived", head };
  if (head !== pull.head) return { kind: "end", why: "moved" };
  if (facts.spent >= pull.budget) return { kind: "end", why: "money" };
  if (pushesLeft(pull, made) === 0) return { kind: "end", why: "pushes" };
  const isNew = (id: string): boolean => !pull.seen.includes(id);
  const failing = facts.checks === "failed" ? facts.failing.filter(isNew) : [];
  const cause = { checks: failing.length > 0, remarks: facts.remarks.filter(isNew) };
  const ignored = facts.ignored.filter(isNew);
  return cause.checks || cause.remarks.length > 0
    ? { kind: "turn", cause, seen: [...cause.remarks, ...failing, ...ignored] }
    : { kind: "wait", ignored };
};
