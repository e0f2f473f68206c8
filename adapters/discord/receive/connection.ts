/**
 * The connection to Discord: one process, all shards of the bot.
 *
 * C1 No error of Discord or the network throws or ends the process. A connection that fails permanently is
 * off and says what to do; the other surfaces continue.
 * C2 A session survives any number of refused reconnections. If a session is still lost, another READY
 * reports that events may be missing, like the first one.
 * C3 A connection without traffic for 60 seconds is replaced, with the sessions of the old one (40.B).
 * C4 A refused token is tried again every five minutes, and Discord's acceptance restarts the connection.
 * C5 If the gateway cannot be reached at start, retries follow at growing intervals.
 */

import { type WebSocketManager, WebSocketShardEvents as Events } from "@discordjs/ws";
import { GatewayCloseCodes } from "discord-api-types/v10";
import * as z from "zod";
import type { Millis } from "../../../src/machine/id.ts";
import { atMost, type Clock } from "../../../src/ports/host.ts";
import { type DiscordCalls, type CallsOptions, createDiscordCalls } from "../api/calls.ts";
import { createDiscordGateway, createMemory, type GatewaySettings } from "./gateway.ts";
import { createLiveness } from "./liveness.ts";
import {
  intentsProblem,
  malformedToken,
  missingIntents,
  type ConnectionProblem,
  problemOfClose,
  problemOfLogin,
  reasonOf,
} from "./problem.ts";

const FIRST_WAIT: Millis = 1_000;
const LONGEST_WAIT: Millis = 60_000;
/** The client's own close never ends while it is between two connections. */
const CLOSE_GRACE: Millis = 2_000;
const DISALLOWED: number = GatewayCloseCodes.DisallowedIntents;
/** Wait after a 401, because the first one may be a passing fault of Discord. */
const VERIFY_AFTER: Millis = 1_000;
const TRY_TOKEN_EVERY: Millis = 300_000;

export const createDiscordConnection = (
  settings: GatewaySettings & Pick<CallsOptions, "timeout">,
  /**
   * Receives every gateway event and must not throw. READY starts a session, and earlier events may be
   * missing.
   */
  hear: (type: string, data: unknown) => void,
  /** Called when Discord accepts the token again. */
  recovered: () => void = () => undefined,
) => {
  const { clock, log, token } = settings;
  const decided = Promise.withResolvers<void>();
  /** Shards that have had a session, and those of them without a connection now. */
  const met = new Set<number>();
  const away = new Set<number>();
  let shards = 0;
  let standing = "connecting";
  let isOver = false;
  let gateway: WebSocketManager | null = null;
  let isVerifying = false;
  let round = 0;
  /** Whether the token is refused and will be tried again. */
  let isRefused = false;
  const memory = createMemory();
  const liveness = createLiveness(() => void renew(), settings.heartbeats);

  /** `last`: final status of the connection. */
  const finish = async (last: string): Promise<void> => {
    if (!isOver) {
      isOver = true;
      standing = last;
      decided.resolve();
    }
    liveness.end();
    memory.current = null;
    // The gateway may have connected in between.
    await end(gateway, clock);
  };

  const fail = async ({ message, remedy, isPassing }: ConnectionProblem): Promise<void> => {
    if (isOver) return;
    if (!isRefused) log.error("discord: off", { why: message, remedy });
    if (isPassing === true) return refuse(`off: ${message}. ${remedy}`);
    await finish(`off: ${message}. ${remedy}`);
  };

  /** Disconnects until Discord accepts the token again, for example after an incident at Discord. */
  const refuse = async (last: string): Promise<void> => {
    standing = last;
    decided.resolve();
    if (isRefused) return;
    isRefused = true;
    liveness.end();
    const old = gateway;
    gateway = null;
    memory.current = null;
    clock.after(TRY_TOKEN_EVERY, () => void tryToken());
    await end(old, clock);
  };

  const tryToken = async (): Promise<void> => {
    if (isOver) return;
    const answer = await calls.call("GET", "/users/@me").then(
      () => "taken" as const,
      () => null,
    );
    if (isOver) return;
    if (answer === null) {
      clock.after(TRY_TOKEN_EVERY, () => void tryToken());
      return;
    }
    isRefused = false;
    standing = "connecting";
    log.info("discord: token accepted again");
    recovered();
    await connect(FIRST_WAIT);
  };

  /** Replaces a connection without traffic. */
  const renew = async (): Promise<void> => {
    if (isOver || isRefused || gateway === null) return;
    log.warn("discord: silent connection replaced");
    standing = "reconnecting";
    liveness.end();
    const old = gateway;
    gateway = null;
    memory.current = null;
    await end(old, clock);
    await connect(FIRST_WAIT);
  };

  const calls = createDiscordCalls({
    ...settings,
    onUnauthorized: () => {
      if (isVerifying || isOver || isRefused) return;
      isVerifying = true;
      clock.after(VERIFY_AFTER, () => void verify());
    },
  });

  /**
   * A single 401 proves nothing; a second one does. Any other response leaves the decision to the next check.
   */
  const verify = async (): Promise<void> => {
    const error = await calls.call("GET", "/users/@me").then(
      () => null,
      (reason: unknown) => reason,
    );
    isVerifying = false;
    const problem = problemOfLogin(error);
    if (problem !== null) await fail(problem);
  };

  const settle = (): void => {
    if (met.size < shards || isOver || isRefused) return;
    standing = away.size === 0 ? "on" : "reconnecting";
    if (away.size === 0) decided.resolve();
  };

  const back = (shard: number): void => {
    met.add(shard);
    away.delete(shard);
    settle();
  };

  const attend = (one: WebSocketManager): void => {
    one.on(Events.HeartbeatComplete, (_, shard) => {
      if (met.has(shard) && !away.has(shard)) liveness.sign(shard);
    });
    one.on(Events.Dispatch, (packet, shard) => {
      if (one !== gateway) return;
      liveness.sign(shard);
      const dispatch = dispatchSchema.safeParse(packet);
      if (!dispatch.success || isOver) return;
      hear(dispatch.data.t, dispatch.data.d);
    });
    one.on(Events.Ready, (_, shard) => {
      if (one === gateway) back(shard);
    });
    one.on(Events.Resumed, (shard) => {
      if (one === gateway) back(shard);
    });
    one.on(Events.Closed, (code, shard) => {
      if (one !== gateway) return;
      if (code === DISALLOWED) return void namedIntents(calls).then(fail);
      const problem = problemOfClose(code);
      if (problem !== null) return void fail(problem);
      away.add(shard);
      settle();
    });
  };

  /** Tries one login with a new client, because a failed client cannot be reused. */
  const attempt = async (): Promise<Millis | null> => {
    const one = createDiscordGateway(settings, memory, liveness);
    gateway = one;
    met.clear();
    away.clear();
    attend(one);
    const login = async (): Promise<null> => {
      shards = await one.getShardCount();
      liveness.begin(shards);
      await one.connect();
      return null;
    };
    const error = await login().catch((reason: unknown) => reason);
    if (error === null || isOver || one !== gateway) return null;
    // No traffic can arrive before the next attempt.
    liveness.end();
    const problem = problemOfLogin(error);
    if (problem !== null) {
      await fail(problem);
      return null;
    }
    log.warn("discord: connection not opened, retry scheduled", { why: reasonOf(error) });
    return FIRST_WAIT;
  };

  /** `of`: round of attempts. An older round stops once a newer one has started. */
  const connect = async (wait: Millis, of = (round += 1)): Promise<void> => {
    if (isOver || isRefused || of !== round) return;
    const again = await attempt();
    if (again === null || isOver) return;
    clock.after(wait, () => void connect(Math.min(LONGEST_WAIT, wait * 2), of));
  };

  return {
    calls,
    /** Status text for display: `on`, or the missing requirement. */
    standing: () => standing,
    /** Resolves once the connection is on, or permanently off. */
    start: async (): Promise<void> => {
      // Not awaited, because an abandoned client never resolves its login.
      if (TOKEN_FORM.test(token)) void connect(FIRST_WAIT);
      else await fail(malformedToken);
      await decided.promise;
    },
    close: async () => {
      await finish("off");
      calls.close();
    },
  };
};

/** Three parts separated by dots. A client secret or an application's public key has no dots. */
const TOKEN_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const dispatchSchema = z.object({ t: z.string(), d: z.unknown() });

const applicationSchema = z.object({ id: z.string(), flags: z.int() });

/** The gateway does not name the refused intent, but the application's flags do. */
const namedIntents = async (calls: DiscordCalls): Promise<ConnectionProblem> => {
  const answer = await calls.call("GET", "/applications/@me").catch(() => null);
  const { data } = applicationSchema.safeParse(answer);
  return data === undefined ? intentsProblem([], null) : intentsProblem(missingIntents(data.flags), data.id);
};

const end = async (gateway: WebSocketManager | null, clock: Clock): Promise<void> => {
  if (gateway !== null) await atMost(clock, CLOSE_GRACE, destroyed(gateway));
};

const destroyed = async (gateway: WebSocketManager): Promise<void> => {
  try {
    await gateway.destroy();
  } catch {
    // The gateway has ended as far as possible.
  }
};
