import { familyOf } from "../../machine/agent.ts";
import type { EventKind } from "../../machine/event.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { Failure } from "../../machine/vocabulary.ts";
import type { Workspaces } from "../../ports/workspaces.ts";
import type { SetupStatus } from "../../thread/post.ts";
import type { Live } from "./conversation.ts";

export interface OpenDeps {
  readonly workspaces: Workspaces;
  /** Posts an event that no effect of the conversation waits for. */
  readonly later: (id: ConversationId, event: EventKind) => void;
  readonly setUpShown: (id: ConversationId, setUp: SetupStatus | null) => void;
}

/** A host that has just become the owner runs approved calls before the model is asked again. */
export const reopen = async (deps: OpenDeps, live: Live, signal: AbortSignal): Promise<Failure | null> => {
  if (await deps.workspaces.stands(familyOf(live.state().id))) return null;
  const opened = await openWorkspace(deps, live, signal);
  return opened.kind === "failed" ? opened.failure : null;
};

/** A sub-agent reads the checkout of its parent, which is open. */
export const openWorkspace = async (deps: OpenDeps, live: Live, signal: AbortSignal) => {
  const { base } = live.conversation();
  if (live.state().kind === "subagent" && base !== null) return { kind: "ready", base } as const;
  const opened = await deps.workspaces.open(live.conversation(), {
    signal,
    onProgress: (line) => live.progress(line),
    onSetUp: (setUp) => deps.later(live.state().id, { kind: "setUp", setUp }),
    onPutBack: (putBack) => deps.later(live.state().id, { kind: "putBack", putBack }),
    onSetUpProgress: (setUp) => deps.setUpShown(live.state().id, setUp),
  });
  live.progress(null);
  if (opened.kind !== "ready" || live.conversation().base !== null) return opened;
  const failure = await live.setBase(opened.base);
  return failure === null
    ? opened
    : ({
        kind: "failed",
        failure: {
          kind: "workspace",
          message: `The checkout could not be noted: ${failure.message}. Try again when it can be written.`,
          retryAfter: null,
        },
      } as const);
};
