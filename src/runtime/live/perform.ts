/** An aborted request posts nothing, because nothing waits for it. A killed tool posts its end, which bounds the stop (C3). */

import type { Effect } from "../../machine/effect.ts";
import type { EffectId } from "../../machine/id.ts";
import type { Live } from "./conversation.ts";
import type { Agents } from "./agents.ts";
import { createHistory, type History } from "./history.ts";
import { ENDING, run, type RunDeps } from "./run.ts";
import { startWaiting, type StartWaitingDeps } from "./start-waiting.ts";
import { summarize } from "./summarize.ts";
import { think, type ThinkDeps } from "./think.ts";

export interface PerformDeps extends ThinkDeps, RunDeps, StartWaitingDeps {
  readonly agents: Agents;
  /** Reports a new thread with a `branched` event. Must not throw or reject. */
  readonly branch: (live: Live, effect: Effect & { readonly kind: "branch" }) => Promise<void>;
}

export const createPerformer = (deps: PerformDeps) => {
  const running = new Map<string, AbortController>();
  const work = new Set<Promise<void>>();
  let starts = 0;
  const histories = new WeakMap<Live, { readonly history: History; readonly erasures: number }>();

  const historyOf = (live: Live): History => {
    const known = histories.get(live);
    if (known?.erasures === live.erasures()) return known.history;
    const history = createHistory(deps.store, live.state().id);
    histories.set(live, { history, erasures: live.erasures() });
    return history;
  };

  const keep = (task: Promise<void>): void => {
    const done = task.finally(() => work.delete(done));
    work.add(done);
  };

  const begin = (
    live: Live,
    id: EffectId | `start${number}`,
    task: (signal: AbortSignal) => Promise<void>,
  ): void => {
    const key = `${live.state().id}/${id}`;
    const controller = new AbortController();
    running.set(key, controller);
    keep(task(controller.signal).finally(() => running.delete(key)));
  };

  const abort = (live: Live, id: EffectId): void => running.get(`${live.state().id}/${id}`)?.abort();

  const handlers: { readonly [K in Effect["kind"]]: (live: Live, effect: EffectOf<K>) => void } = {
    think: (live, { id }) => begin(live, id, (signal) => think(deps, live, historyOf(live), id, signal)),
    summarize: (live, effect) =>
      begin(live, effect.id, (signal) => summarize(deps, live, historyOf(live), effect, signal)),
    abortThinking: (live, { target }) => abort(live, target),
    run: (live, effect) =>
      begin(live, effect.id, (signal) => run(deps, live, historyOf(live), effect, signal)),
    kill: (live, { target }) => abort(live, target),
    spawn: (live, effect) => begin(live, effect.id, (signal) => deps.agents.spawn(live, effect, signal)),
    hurryAgents: (live) => deps.agents.hurry(live),
    endAgents: (live) => deps.agents.end(live),
    branch: (live, effect) => keep(deps.branch(live, effect)),
    startWaiting: (live, effect) => {
      starts += 1;
      begin(live, `start${starts}`, (signal) => startWaiting(deps, live, effect, signal));
    },
    killBackground: (live) => keep(deps.tools.stopBackground(live.state().id)),
  };

  const dispatch = <K extends Effect["kind"]>(live: Live, kind: K, effect: EffectOf<K>): void =>
    handlers[kind](live, effect);

  return {
    perform: (live: Live, effect: Effect) => dispatch(live, effect.kind, effect),
    close: async () => {
      for (const controller of running.values()) controller.abort(ENDING);
      await Promise.all(work);
    },
  };
};

type EffectOf<K extends Effect["kind"]> = Extract<Effect, { readonly kind: K }>;
