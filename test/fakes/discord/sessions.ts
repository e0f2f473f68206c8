/** Sessions of the gateway: who may start one, what each has been sent, and what a resumption brings back. */

import { GatewayCloseCodes as Close } from "discord.js";
import { z } from "zod";
import type { FakeClock } from "../shared/clock.ts";
import type { Times } from "./discord.ts";
import type { Dispatch } from "./gateway.ts";
import { shardOf } from "./ids.ts";
import type { Json } from "./world.ts";

export interface SessionRules {
  readonly times: Times;
  readonly token: string;
  isRevoked(): boolean;
  /** Privileged intents that the developer portal does not grant. */
  readonly disallowed: () => number;
  readonly maxConcurrency: number;
  readonly sessionLimit: number;
  guildCount(): number;
  readonly guildsPerShard: number;
}

export interface Session {
  readonly id: string;
  readonly shard: number;
  readonly shardCount: number;
  readonly intents: number;
  send(type: string, data: Json): void;
  /** Sends it where the intents ask for it. */
  take(dispatch: Dispatch): void;
  attach(send: (frame: object) => void): void;
  /** A close of the client's own with 1000 or 1001 ends it. */
  detach(code: number): void;
}

export type Start =
  | { readonly kind: "session"; readonly session: Session; readonly missed: readonly object[] }
  /** Op 9. */
  | { readonly kind: "invalid" }
  | { readonly kind: "closed"; readonly code: Close; readonly why: string };

export interface Sessions {
  identify(data: unknown): Start;
  resume(data: unknown): Start;
  dispatch(dispatch: Dispatch): void;
  remaining(): number;
  end(session: Session): void;
  forget(): void;
}

/** Events kept for a resumption. */
const KEPT = 2_000;
/** All the intents there are in version 10. */
const KNOWN_INTENTS = 0b11_0001_1111_1111_1111_1111_1111;
const DAY = 86_400_000;

export const createSessions = (clock: FakeClock, rules: SessionRules): Sessions => {
  interface Kept extends Session {
    readonly state: { seq: number; leftAt: number | null; log: { readonly s: number }[] };
  }
  const all = new Map<string, Kept>();
  let started: readonly { readonly at: number; readonly key: number }[] = [];
  let lastId = 0;

  const make = (shard: number, shardCount: number, intents: number): Kept => {
    const state: Kept["state"] = { seq: 0, leftAt: null, log: [] };
    let connection: ((frame: object) => void) | null = null;
    const session: Kept = {
      id: `session${(lastId += 1)}`,
      shard,
      shardCount,
      intents,
      state,
      send: (t, d) => {
        const frame = { op: 0, t, s: (state.seq += 1), d };
        state.log.push(frame);
        if (state.log.length > KEPT) state.log.shift();
        connection?.(frame);
      },
      take: (dispatch) => {
        if (dispatch.intent === 0 || (dispatch.intent & intents) !== 0)
          session.send(dispatch.type, dispatch.data(intents));
      },
      attach: (send) => {
        connection = send;
        state.leftAt = null;
      },
      detach: (code) => {
        connection = null;
        state.leftAt = clock.now();
        if (code === 1_000 || code === 1_001) all.delete(session.id);
      },
    };
    all.set(session.id, session);
    return session;
  };

  const usedToday = (): number => started.filter(({ at }) => at > clock.now() - DAY).length;

  return {
    identify: (given) => {
      const parsed = identifySchema.safeParse(given);
      if (!parsed.success) return closed(Close.DecodeError, "not an identify");
      const { token, intents, shard: [shard, shardCount] = [0, 1] } = parsed.data;
      if (token !== rules.token || rules.isRevoked())
        return closed(Close.AuthenticationFailed, "Authentication failed.");
      if (shard >= shardCount) return closed(Close.InvalidShard, "Invalid shard.");
      if (rules.guildCount() > rules.guildsPerShard * shardCount)
        return closed(Close.ShardingRequired, "Sharding required.");
      if ((intents & ~KNOWN_INTENTS) !== 0) return closed(Close.InvalidIntents, "Invalid intent(s).");
      if ((intents & rules.disallowed()) !== 0)
        return closed(Close.DisallowedIntents, "Disallowed intent(s).");
      if (usedToday() >= rules.sessionLimit)
        return closed(Close.AuthenticationFailed, "no sessions left today: the token was reset");
      const key = shard % rules.maxConcurrency;
      const isEarly = started.some(
        (one) => one.key === key && one.at > clock.now() - rules.times.identifyWindowMs,
      );
      if (isEarly) return { kind: "invalid" };
      started = [...started, { at: clock.now(), key }];
      return { kind: "session", session: make(shard, shardCount, intents), missed: [] };
    },
    resume: (given) => {
      const parsed = resumeSchema.safeParse(given);
      if (!parsed.success) return closed(Close.DecodeError, "not a resume");
      const { token, session_id: id, seq } = parsed.data;
      if (token !== rules.token || rules.isRevoked())
        return closed(Close.AuthenticationFailed, "Authentication failed.");
      const session = all.get(id);
      if (session === undefined) return { kind: "invalid" };
      const { state } = session;
      if (seq > state.seq) return closed(Close.InvalidSeq, "Invalid seq.");
      const isLate = state.leftAt !== null && clock.now() - state.leftAt > rules.times.resumeWindowMs;
      const isLost = (state.log[0]?.s ?? 1) > seq + 1;
      if (isLate || isLost) {
        all.delete(id);
        return { kind: "invalid" };
      }
      return { kind: "session", session, missed: state.log.filter(({ s }) => s > seq) };
    },
    dispatch: (dispatch) => {
      for (const session of all.values()) {
        const shard = dispatch.guild === null ? 0 : shardOf(dispatch.guild, session.shardCount);
        if (shard === session.shard) session.take(dispatch);
      }
    },
    remaining: () => rules.sessionLimit - usedToday(),
    end: ({ id }) => {
      all.delete(id);
    },
    forget: () => all.clear(),
  };
};

const closed = (code: Close, why: string): Start => ({ kind: "closed", code, why });

const identifySchema = z.object({
  token: z.string(),
  intents: z.int(),
  properties: z.record(z.string(), z.unknown()),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).optional(),
});

const resumeSchema = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });
