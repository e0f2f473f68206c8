/** Runs under the stricter of the stamped and the current permission (D12). A fingerprint binds an approval to the input. */

import { createHash } from "node:crypto";
import { familyOf } from "../../machine/agent.ts";
import type { Effect } from "../../machine/effect.ts";
import type { EventKind } from "../../machine/event.ts";
import type { EffectId, MessageId } from "../../machine/id.ts";
import { validGrants, needsNetworkApproval, categoriesToApprove } from "../../machine/provenance.ts";
import { CANCELLED } from "../../machine/round.ts";
import { effectivePermission } from "../../machine/state.ts";
import { unsureOf } from "../../machine/unconfirmed-writes.ts";
import type {
  WriteApproval,
  Call,
  Category,
  Permission,
  ResultOrigin,
  WriteOutcome,
} from "../../machine/vocabulary.ts";
import type { RandomId } from "../../ports/host.ts";
import type { ProposedWrite, ToolOutcome, ToolRun, Tools } from "../../ports/tools.ts";
import { canonical } from "../../text/canonical.ts";
import type { DangerContent, Proposal } from "../../thread/prompt.ts";
import { draftProposal } from "../../thread/proposal.ts";
import type { Live } from "./conversation.ts";
import { type DeliveredEvent, deliveredEvent } from "./mailbox.ts";
import type { History } from "./history.ts";
import { type OpenDeps, reopen } from "./open-workspace.ts";
import type { Slots } from "./slots.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export interface RunDeps extends OpenDeps {
  readonly tools: Tools;
  readonly toolSlots: Slots;
  readonly randomId: RandomId;
}

type Run = Effect & { readonly kind: "run" };

export const run = async (
  deps: RunDeps,
  live: Live,
  history: History,
  effect: Run,
  signal: AbortSignal,
): Promise<void> => {
  const release = await deps.toolSlots.take(signal, familyOf(live.state().id));
  const tried = release === null ? untold(CANCELLED) : await use(deps, live, history, effect, signal);
  release?.();
  // The checkout is kept, because a person's answer may take days.
  if (tried.kind !== "done") await deps.workspaces.keep(live.state().id, signal);
  // If the end of the process interrupted an approved call, the next process tries it again (D6).
  const isDurable = effect.approved !== undefined || effect.confirmed !== undefined;
  if (isDurable && signal.reason === ENDING) return;
  live.post(eventOf(effect.id, `m-${deps.randomId()}`, tried));
};

export const ENDING = "the process ends";

type Tried =
  | {
      readonly kind: "done";
      readonly result: ToolOutcome;
      readonly origin: ResultOrigin;
      readonly skipped: readonly Category[];
      readonly wrote?: WriteOutcome;
    }
  /** Nothing is written yet. */
  | {
      readonly kind: "proposed";
      readonly proposed: ProposedWrite & { readonly kind: "proposal" | "result" };
      /** Reason why the approval of the write is void. */
      readonly voided?: string;
    }
  /** Nothing has run. */
  | { readonly kind: "held"; readonly dangers: readonly DangerContent[]; readonly fingerprint: string };

const use = async (
  deps: RunDeps,
  live: Live,
  history: History,
  effect: Run,
  signal: AbortSignal,
): Promise<Tried> => {
  const conversation = live.conversation();
  const input = inputOf(live, history, effect.call);
  if (input === null || conversation.base === null) return untold(INPUT_LOST);
  const fingerprint = sha256(canonical({ name: effect.call.name, input: input.value }));
  if (effect.fingerprint !== undefined && effect.fingerprint !== fingerprint) return untold(VOID);
  const failure = await reopen(deps, live, signal);
  if (failure !== null) return untold(failure.message);
  const { safeMode, writes } = live.state();
  // As with the permission, the stricter of the stamped and the current value applies. An approval for this call stays valid.
  const isApart = effect.fingerprint === undefined && needsNetworkApproval(live.state());
  const grants = isApart ? validGrants({ ...live.state(), grants: effect.grants }) : effect.grants;
  const sealed = effect.sealed === true || isApart ? ({ sealed: true } as const) : {};
  const links = history.linkable(conversation)(canonical(input.value ?? null));
  const call: ToolRun = {
    conversation,
    base: conversation.base,
    name: effect.call.name,
    input: input.value,
    permission: stricter(effect.permission, effectivePermission(live.state())),
    grants,
    safeMode,
    ...omitUndefined({ writes, confirmed: effect.confirmed, links: links.length === 0 ? undefined : links }),
    ...omitUndefined({ asker: live.state().turn.speaker?.id }),
    ...sealed,
    ...(live.state().kind === "subagent" ? { isSubAgent: true } : {}),
  };
  if (effect.approved !== undefined) {
    return write(deps, live, call, { ...effect, approved: effect.approved }, signal);
  }
  const proposed = (await deps.tools.writes?.propose(call, { signal })) ?? { kind: "none" };
  if (proposed.kind === "proposal" || proposed.kind === "result") return { kind: "proposed", proposed };
  if (proposed.kind === "refused") return done(deps, call, proposed.outcome);
  const dangers = call.permission === "restricted" ? [] : await deps.tools.dangers(call, { signal });
  if (signal.aborted) return untold(CANCELLED);
  const missing = dangers.filter(({ category }) => !grants.includes(category));
  const asked = categoriesToApprove(
    call,
    grants,
    missing.map(({ category }) => category),
  );
  if (asked.length > 0) return { kind: "held", dangers: missing, fingerprint };
  const result = await deps.tools.run(call, {
    signal,
    onReached: (reached) => deps.later(conversation.id, { kind: "reached", reached }),
  });
  return { ...done(deps, call, result), skipped: missing.map(({ category }) => category) };
};

const write = async (
  deps: RunDeps,
  live: Live,
  call: ToolRun,
  { id, approved, again }: Run & { readonly approved: WriteApproval },
  signal: AbortSignal,
): Promise<Tried> => {
  const { tools } = deps;
  const { speaker } = live.state().turn;
  const asker = speaker === null ? null : { id: speaker.id, ...omitUndefined({ name: speaker.name }) };
  // A write that equals one with an unknown outcome is another try of that write.
  const unsure = unsureOf(live.state(), approved);
  const first = unsure ?? { effect: id, approved };
  const of = { conversation: call.conversation.id, id: first.effect, approved: first.approved };
  const errand = {
    approved,
    asker,
    key: sha256(canonical(of)),
    since: first.approved.at,
    again: again === true || unsure !== null,
    interrupted: again === true,
  };
  if (tools.writes === undefined) return untold(NO_FORGE);
  const { outcome: result, wrote, anew } = await tools.writes.write(call, errand, { signal });
  if (anew !== undefined && wrote.kind === "void")
    return { kind: "proposed", proposed: anew, voided: wrote.why };
  return { ...done(deps, call, result), wrote };
};

const eventOf = (by: EffectId, message: MessageId, tried: Tried): DeliveredEvent => {
  const shown = message;
  switch (tried.kind) {
    case "done": {
      const { isError, exit, background, reached, rehearsed, ...words } = tried.result;
      const facts = omitUndefined({
        skipped: tried.skipped.length === 0 ? undefined : tried.skipped,
        changed: (words.diff !== null && rehearsed !== true) || undefined,
        files: words.files?.length,
        note: words.note === undefined ? undefined : (true as const),
        wrote: tried.wrote,
        exit,
      });
      return deliveredEvent(
        { kind: "ran", by, message, origin: tried.origin, isError, background, reached, ...facts },
        [{ id: message, words: { kind: "result", ...words } }],
      );
    }
    case "held": {
      const { dangers, fingerprint } = tried;
      const categories = dangers.map(({ category }) => category);
      return deliveredEvent({ kind: "blocked", by, categories, shown, fingerprint }, [
        { id: shown, words: { kind: "dangers", dangers } },
      ]);
    }
    case "proposed": {
      const [event, proposal] = proposalOf(tried.proposed);
      const { fingerprint } = tried.proposed;
      const { voided } = tried;
      return deliveredEvent(
        { kind: "proposed", by, shown, fingerprint, ...event, ...omitUndefined({ voided }) },
        [{ id: shown, words: { kind: "proposal", proposal } }],
      );
    }
  }
};

type Asked = Pick<
  EventKind & { readonly kind: "proposed" },
  "write" | "scope" | "pull" | "commits" | "review"
>;

const proposalOf = (proposed: (Tried & { kind: "proposed" })["proposed"]): readonly [Asked, Proposal] => {
  if (proposed.kind === "proposal") {
    const { write: what, scope, proposal } = proposed;
    const review = proposal.review && {
      comments: proposal.review.comments.length,
      mayRequest: proposal.review.mayRequest,
    };
    return [{ write: what, ...omitUndefined({ scope, review }) }, proposal];
  }
  const { project, folder, result } = proposed;
  const pull = project !== null || undefined;
  const commits = result.commits.length < 2 ? undefined : result.commits.length;
  const proposal = draftProposal(project ?? folder ?? "", proposed, result);
  return [{ write: "apply_draft", ...omitUndefined({ pull, commits }) }, proposal];
};

const done = (
  { tools }: Pick<RunDeps, "tools">,
  { name }: Pick<ToolRun, "name">,
  result: ToolOutcome,
): Tried & { kind: "done" } => ({ kind: "done", result, origin: tools.origin(name), skipped: [] });

const untold = (text: string): Tried => ({
  kind: "done",
  result: { text, images: [], diff: null, isError: true, background: false, reached: [] },
  origin: "host",
  skipped: [],
});

const inputOf = (live: Live, history: History, call: Call): { readonly value: unknown } | null => {
  const { phase } = live.state();
  return phase.kind === "running" || phase.kind === "stopping" ? history.input(phase.message, call.id) : null;
};

const stricter = (a: Permission, b: Permission): Permission =>
  a === "unrestricted" && b === "unrestricted" ? "unrestricted" : "restricted";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const VOID = "Not run: the call is not the one that was approved.";

const NO_FORGE = "Not done: this host can write to no forge.";

const INPUT_LOST = "Not run: the tool's input is no longer stored.";
