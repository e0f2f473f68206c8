/**
 * Who watches a conversation and judges for itself (L15): it notes what was read and what each click showed, without a
 * look at what the state says of that, and tells of every effect outside that no click had shown.
 */

import type { Effect } from "../../../src/machine/effect.ts";
import type { Event } from "../../../src/machine/event.ts";
import type { State } from "../../../src/machine/state.ts";
import type { Step } from "../../../src/machine/step.ts";
import type { Category, QuotedContent, NetworkDestination } from "../../../src/machine/vocabulary.ts";

const OPENS: ReadonlySet<Category> = new Set(["NETWORK_RISK", "DEPS_INSTALL_UPDATE"]);
const HOSTED = /^(?:read_|search_issues|mcp_)/;

/** `began`: the conversation before its first event. */
export const createWitness = (began: State) => {
  const read = new Set<string>();
  let network = new Set<string>();
  let standing = new Map<string, ReadonlySet<string>>();
  /** The call that runs may use the network. */
  let reaches = false;
  let isOnline = false;
  let isGuarded = began.guarded === true;

  const isShown = (shown: ReadonlySet<string> | undefined): boolean =>
    shown !== undefined && [...read].every((source) => shown.has(source));

  /** Files of the latest speaker, which are another's as soon as somebody else speaks (D54). */
  let owned: { readonly by: string; readonly files: readonly string[] } = { by: "", files: [] };

  const counted = ({ hosts = [], ...what }: Partial<Omit<QuotedContent, "own">>, seq: number): void => {
    for (const host of hosts) read.add(host);
    for (const [kind, count] of Object.entries(what))
      for (let no = 0; no < count; no += 1) read.add(`${kind} ${seq} ${no}`);
  };

  const quoted = ({ own = 0, ...what }: Partial<QuotedContent>, by: string, seq: number): void => {
    if (owned.by !== by) {
      for (const file of owned.files) read.add(file);
      owned = { by, files: [] };
    }
    const files = Array.from({ length: own }, (_, no) => `own ${seq} ${no}`);
    owned = { by, files: [...owned.files, ...files] };
    counted(what, seq);
  };

  /** Files that another person adds to the requester's turn are another's at once. */
  const added = (
    { own = 0, files = 0, ...what }: Partial<QuotedContent>,
    by: string,
    requester: string | undefined,
    seq: number,
  ): void => {
    if (by === requester) return quoted({ own, files, ...what }, by, seq);
    counted({ ...what, files: files + own }, seq);
  };

  const heard = (before: State, reached: readonly NetworkDestination[], isWeb: boolean): void => {
    const opened = isWeb && isShown(network) && mayReach(before, before.grants, false);
    for (const { host, allowed } of reached) {
      if (!allowed) continue;
      read.add(host);
      if (opened) network.add(host);
    }
  };

  const clicked = (before: State, event: Event & { readonly kind: "decided" }): void => {
    if (before.phase.kind !== "awaitingApproval") return;
    const { question } = before.phase;
    const opens =
      question.kind === "danger" && event.choice === "session" && question.categories.some(isOpening);
    const upgrades = question.kind === "upgrade" && event.choice === "approve" && !before.safeMode;
    if (opens || upgrades) network = new Set(read);
    if (question.kind === "write" && event.choice === "session")
      standing.set(question.scope ?? "", new Set(read));
  };

  /** Sentences; none where all is well. */
  const judged = (event: Event, state: State, effect: Effect & { readonly kind: "run" }, ends: boolean) => {
    const problems: string[] = [];
    if (
      effect.approved !== undefined &&
      event.kind === "proposed" &&
      !isShown(standing.get(event.scope ?? ""))
    )
      problems.push(`${effect.call.name} was done for the thread after more had been read`);
    reaches = false;
    if (effect.approved !== undefined || effect.permission === "restricted") return problems;
    const isOfClick = event.kind === "decided" && effect.fingerprint !== undefined;
    reaches = mayReach(state, effect.grants, effect.sealed === true);
    if (reaches && !isOfClick && !isShown(network))
      problems.push(`${effect.call.name} may use the network after more had been read`);
    if (isOnline && !ends && !isShown(network)) problems.push("what uses the network went on");
    return problems;
  };

  return {
    /** What an accepted event of the conversation breaks. */
    saw: (before: State, event: Event, { state, effects }: Step): readonly string[] => {
      const { phase } = before;
      if (event.kind === "woken") {
        standing = new Map();
        isOnline = false;
        if (!isGuarded) network = new Set(read);
        isGuarded = true;
      }
      if (event.kind === "restricted") isOnline = false;
      if (event.kind === "said") quoted(event.quoted ?? {}, event.speaker.id, state.seq);
      if (event.kind === "added")
        added(event.quoted ?? {}, event.speaker.id, before.turn.speaker?.id, state.seq);
      if (event.kind === "queued" && state.waiting === before.waiting)
        quoted(event.quoted ?? {}, event.speaker.id, state.seq);
      if (event.kind === "waitingStarted") {
        const [first] = before.waiting ?? [];
        quoted(first?.quoted ?? {}, event.speaker.id, state.seq);
      }
      if (event.kind === "reached") heard(before, event.reached, true);
      if (event.kind === "agentReported") for (const host of event.end.read?.hosts ?? []) read.add(host);
      if (event.kind === "ran" && phase.kind === "running") {
        heard(before, event.reached, !HOSTED.test(phase.call.name));
        isOnline ||= event.background && reaches;
      }
      if (event.kind === "decided") clicked(before, event);
      const ends = effects.some(({ kind }) => kind === "killBackground");
      const runs = effects.flatMap((effect) => (effect.kind === "run" ? [effect] : []));
      const problems = isGuarded ? runs.flatMap((effect) => judged(event, state, effect, ends)) : [];
      if (ends) isOnline = false;
      return problems;
    },
  };
};

const isOpening = (category: Category): boolean => OPENS.has(category);

/** The kernel's own rule, told again. */
const mayReach = (
  { permission, safeMode }: Pick<State, "permission" | "safeMode">,
  grants: readonly Category[],
  sealed: boolean,
): boolean => permission === "unrestricted" && ((!safeMode && !sealed) || grants.some(isOpening));
