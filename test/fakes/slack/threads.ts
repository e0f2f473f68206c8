/** What belongs to an assistant thread beside its messages: status, title, suggested prompts. */

import type { FakeClock } from "../shared/clock.ts";

export interface Prompt {
  readonly title: string;
  readonly message: string;
}

export interface ThreadState {
  /** Empty when none is shown. */
  readonly status: string;
  readonly title: string;
  readonly prompts: readonly Prompt[];
}

export interface Threads {
  of(channel: string, root: string): ThreadState;
  /** An empty status clears it; a message of the app does too, and so does time. */
  setStatus(channel: string, root: string, status: string): void;
  setTitle(channel: string, root: string, title: string): void;
  /** No root: at the top of the Messages tab. */
  setPrompts(channel: string, root: string, prompts: readonly Prompt[]): void;
}

export const createThreads = (clock: FakeClock, statusLifetimeMs: number): Threads => {
  const known = new Map<string, ThreadState & { readonly statusAt: number }>();
  const of = (channel: string, root: string): ThreadState & { readonly statusAt: number } => {
    const state = known.get(`${channel}/${root}`) ?? { status: "", title: "", prompts: [], statusAt: 0 };
    return clock.now() - state.statusAt >= statusLifetimeMs ? { ...state, status: "" } : state;
  };
  const put = (
    channel: string,
    root: string,
    change: Partial<ThreadState & { readonly statusAt: number }>,
  ): void => {
    known.set(`${channel}/${root}`, { ...of(channel, root), ...change });
  };
  return {
    of,
    setStatus: (channel, root, status) => put(channel, root, { status, statusAt: clock.now() }),
    setTitle: (channel, root, title) => put(channel, root, { title }),
    setPrompts: (channel, root, prompts) => put(channel, root, { prompts }),
  };
};
