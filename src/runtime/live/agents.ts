/**
 * A1 The start is stored before the sub-agents are started (BED-008). They are started once: the next process reads unfinished
 * ones back and never starts them again (D14). A2 Any error of a sub-agent is its end.
 */

import type { AgentEnd } from "../../machine/agent.ts";
import type { Effect } from "../../machine/effect.ts";
import type { ConversationId, EffectId, MessageId } from "../../machine/id.ts";
import { initial, type State } from "../../machine/state.ts";
import { noUsage, type Speaker } from "../../machine/vocabulary.ts";
import type { Conversation, Prefix } from "../../ports/conversation.ts";
import type { Clock, RandomId } from "../../ports/host.ts";
import type { Model } from "../../ports/model.ts";
import type { Store } from "../../ports/store.ts";
import type { AgentStatus } from "../../thread/post.ts";
import { agentTasks, briefTask } from "../../thread/visible-text.ts";
import { until } from "./stop-and-settle.ts";
import type { Live } from "./conversation.ts";
import { askConversation, deliveredEvent } from "./mailbox.ts";
import { endOf, agentResults } from "./agent-results.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

interface AgentsDeps {
  readonly store: Pick<Store, "create" | "load" | "words" | "history">;
  readonly clock: Clock;
  readonly randomId: RandomId;
  readonly model: Pick<Model, "window">;
  readonly prefix: Prefix;
  readonly open: (id: ConversationId) => Live | null;
}

export type Agents = ReturnType<typeof createAgents>;

export const createAgents = (deps: AgentsDeps) => {
  /** Resolves when all sub-agents have ended; if aborted, when all are stopped. */
  const spawn = async (
    live: Live,
    effect: Effect & { readonly kind: "spawn" },
    signal: AbortSignal,
  ): Promise<void> => {
    const tasks = tasksOf(deps, live.state());
    const speaker = live.state().turn.speaker;
    const crew = effect.agents.map(
      (_, index): AgentStatus => ({ ...WAITING, task: briefTask(tasks[index] ?? "") }),
    );
    const show = (index: number, status: AgentStatus): void => {
      crew[index] = status;
      live.show({ agents: [...crew] });
    };
    const follow = async (agent: (typeof effect.agents)[number], index: number): Promise<void> => {
      const said = { task: tasks[index] ?? "", speaker };
      const known = { ...WAITING, task: briefTask(said.task) };
      const end = await work(deps, live, { ...agent, ...said }, signal, (state) =>
        show(index, { ...known, ...stepOf(state) }),
      );
      show(index, { ...known, step: "ended", how: end.how, costMicroUsd: end.usage.costMicroUsd });
      live.post(deliveredEvent({ kind: "agentReported", by: effect.id, agent: index, end }));
    };
    await Promise.all(effect.agents.map(follow));
    await until(live, isTold);
    live.show({ agents: [] });
    finish(deps, live, effect.id);
  };

  return {
    spawn,
    /** Asks running sub-agents for a final response. */
    hurry: (live: Live): void => {
      for (const agent of atWork(deps, live)) agent.post(deliveredEvent({ kind: "hurried" }));
    },
    end: (live: Live): void => {
      const by = live.state().turn.speaker?.id ?? live.conversation().createdBy;
      for (const agent of atWork(deps, live))
        agent.post(deliveredEvent({ kind: "stopped", by, then: null, why: "time" }));
    },
  };
};

const isTold = ({ phase }: State): boolean =>
  phase.kind !== "awaitingAgents" || phase.agents.every(({ end }) => end !== null);

interface Work {
  readonly id: ConversationId;
  readonly model: string;
  readonly task: string;
  readonly speaker: Speaker | null;
}

const work = async (
  deps: AgentsDeps,
  parent: Live,
  { id, model, task, speaker }: Work,
  signal: AbortSignal,
  seen: (state: State) => void,
): Promise<AgentEnd> => {
  if (signal.aborted || speaker === null) return { how: "stopped", usage: noUsage };
  const made = await deps.store.create(
    childOf(deps, parent, id, briefTask(task)),
    stateOf(deps, parent, id, model),
    deps.prefix,
  );
  const agent = made.kind === "failed" ? null : deps.open(id);
  if (agent === null) {
    return { how: "failed", usage: noUsage, why: made.kind === "failed" ? made.message : NOT_MADE };
  }
  const { promise: ended, resolve } = Promise.withResolvers<AgentEnd>();
  const unsubscribe = agent.subscribe((change) => {
    if (change.kind !== "state") return;
    const { state } = change.overview;
    seen(state);
    if (state.phase.kind === "ended") resolve(endOf(state));
  });
  const stop = (): void => agent.post(deliveredEvent({ kind: "stopped", by: speaker.id, then: null }));
  const message: MessageId = `m-${deps.randomId()}`;
  const words = [{ id: message, words: { kind: "said", text: task, images: [] } as const }];
  const settled = await askConversation(agent, { kind: "said", message, speaker, images: 0 }, speaker.id, {
    words,
  });
  if (settled.kind !== "accepted") resolve({ how: "failed", usage: noUsage, why: NOT_MADE });
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  const end = await ended;
  signal.removeEventListener("abort", stop);
  unsubscribe();
  return end;
};

const finish = (deps: AgentsDeps, live: Live, by: EffectId): void => {
  const { phase } = live.state();
  const gathered = agentResults(deps, live.state());
  if (gathered === null || phase.kind !== "awaitingAgents") {
    const message: MessageId = `m-${deps.randomId()}`;
    return live.post(deliveredEvent({ kind: "ran", by, message, isError: true, ...NOTHING }));
  }
  const { message, isError } = gathered.agents;
  live.post(deliveredEvent({ kind: "ran", by, message, isError, ...NOTHING }, gathered.words));
};

const NOTHING = { origin: "model", background: false, reached: [] } as const;

const childOf = (
  { clock, prefix }: AgentsDeps,
  parent: Live,
  id: ConversationId,
  title: string,
): Conversation => {
  const { surface, repo, createdBy, base } = parent.conversation();
  const now = clock.now();
  return {
    id,
    surface,
    repo,
    title,
    createdBy,
    base,
    createdAt: now,
    updatedAt: now,
    prefix: prefix.hash,
    origin: null,
  };
};

const stateOf = (
  { model: { window } }: AgentsDeps,
  parent: Live,
  id: ConversationId,
  model: string,
): State => {
  const { confinement, mode, safeMode, id: from, untrusted, shown } = parent.state();
  return {
    ...initial({ id, confinement, mode, safeMode, model, window: window(model), parent: from }),
    // The task was written after its conversation had read this content.
    ...omitUndefined({ untrusted, shown }),
  };
};

const atWork = ({ open }: AgentsDeps, live: Live): readonly Live[] => {
  const { phase } = live.state();
  const agents = phase.kind === "awaitingAgents" ? phase.agents : [];
  return agents.flatMap(({ id, end }) => (end === null ? (open(id) ?? []) : []));
};

const tasksOf = ({ store }: AgentsDeps, { phase }: State): readonly string[] =>
  phase.kind === "awaitingAgents" || phase.kind === "stopping"
    ? agentTasks(store.words([phase.message]).get(phase.message), phase.call.id)
    : [];

const stepOf = ({ phase, usage: { costMicroUsd } }: State): Partial<AgentStatus> => {
  if (phase.kind === "running" || phase.kind === "stopping")
    return { costMicroUsd, step: "running", tool: phase.call.name };
  if (phase.kind === "ended") return { costMicroUsd, step: "ended", how: phase.how };
  return { costMicroUsd, step: phase.kind === "thinking" ? "thinking" : "waiting" };
};

const WAITING: AgentStatus = { task: "", step: "waiting", tool: null, how: null, costMicroUsd: 0 };

const NOT_MADE = "It could not be started.";
