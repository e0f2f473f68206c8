/** Agent sessions (WS14): each belongs to one thread, and is made by the first call that names the thread. */

import type { FakeClock } from "../shared/clock.ts";

export const sessionStatuses = ["active", "processing", "suspended", "closed"] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export interface Session {
  readonly status: SessionStatus;
  /** Empty until the app gives one. */
  readonly title: string;
  readonly initiator: string | undefined;
  /** Every status so far, with the time of the fake's clock. */
  readonly history: readonly { readonly status: SessionStatus; readonly at: number }[];
}

export interface Sessions {
  of(channel: string, root: string): Session | undefined;
  /** `first`: what counts only if the session is new. */
  set(
    channel: string,
    root: string,
    status: SessionStatus,
    first?: { readonly title?: string | undefined; readonly initiator?: string | undefined },
  ): Session;
  /** False where there is no session. */
  rename(channel: string, root: string, title: string): boolean;
}

export const createSessions = (clock: FakeClock, lifetimeMs: number): Sessions => {
  const known = new Map<string, Session>();
  const of = (channel: string, root: string): Session | undefined => {
    const session = known.get(`${channel}/${root}`);
    const since = session?.history.at(-1)?.at ?? 0;
    return session?.status === "processing" && clock.now() - since >= lifetimeMs
      ? { ...session, status: "active" }
      : session;
  };
  return {
    of,
    set: (channel, root, status, first = {}) => {
      // Slack writes no colon into the title of a new session.
      const { title, initiator, history } = of(channel, root) ?? {
        title: first.title?.replaceAll(":", "_") ?? "",
        initiator: first.initiator,
        history: [],
      };
      const session = { status, title, initiator, history: [...history, { status, at: clock.now() }] };
      known.set(`${channel}/${root}`, session);
      return session;
    },
    rename: (channel, root, title) => {
      const session = of(channel, root);
      if (session !== undefined) known.set(`${channel}/${root}`, { ...session, title });
      return session !== undefined;
    },
  };
};
