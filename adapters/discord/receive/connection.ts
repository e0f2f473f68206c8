/**
 * The connection to Discord: one process, all shards of the bot.
 *
 * C1 Whatever Discord or the network does, nothing here throws or ends the process: a connection that cannot work for good
 *    is off and says what to do; the other surfaces go on.
 * C2 A session survives any number of refused reconnections. Where one is lost all the same, another READY says that events may
 *    be missing, as the first one does.
 * C3 A connection from which nothing comes for 60 seconds is made anew, with the sessions of the one before it (40.B).
 * C4 A token that is refused is tried again every five minutes, and the connection is made as soon as it is taken.
 * C5 While the gateway cannot be reached at start it is tried again, ever more slowly.
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
/** The client never settles its own end while it is between two connections. */
const CLOSE_GRACE: Millis = 2_000;
const DISALLOWED: number = GatewayCloseCodes.DisallowedIntents;
/** After a 401: another might be a passing fault of Discord's. */
const VERIFY_AFTER: Millis = 1_000;
const TRY_TOKEN_EVERY: Millis = 300_000;

export const createDiscordConnection = (
  settings: GatewaySettings & Pick<CallsOptions, "timeout">,
  /** Hears all that the gateway tells; must not throw. READY is the first of a session: what happened before it was not told. */
  hear: (type: string, data: unknown) => void,
  /** Discord takes the token again. */
  recovered: () => void = () => undefined,
) => {
  const { clock, log, token } = settings;
  const decided = Promise.withResolvers<void>();
  /** Shards that have had a session, and those of them that have no connection now. */
  const met = new Set<number>();
  const away = new Set<number>();
  let shards = 0;
  let standing = "connecting";
  let isOver = false;
  let gateway: WebSocketManager | null = null;
  let isVerifying = false;
  let round = 0;
  /** The token is refused: it is tried again. */
  let isRefused = false;
  const memory = createMemory();
  const liveness = createLiveness(() => void renew(), settings.heartbeats);

  /** `last`: how it stands from now on. */
  const finish = async (last: string): Promise<void> => {
    if (!isOver) {
      isOver = true;
      standing = last;
      decided.resolve();
    }
    liveness.end();
    memory.current = null;
    // It may have connected since.
    await end(gateway, clock);
  };

  const fail = async ({ message, remedy, isPassing }: ConnectionProblem): Promise<void> => {
    if (isOver) return;
    if (!isRefused) log.error("discord: off", { why: message, remedy });
    if (isPassing === true) return refuse(`off: ${message}. ${remedy}`);
    await finish(`off: ${message}. ${remedy}`);
  };

  /** Nothing is connected until Discord takes the token again, as after an incident of its own. */
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
    log.info("discord: the token is taken again");
    recovered();
    await connect(FIRST_WAIT);
  };

  /** Nothing came for too long. */
  const renew = async (): Promise<void> => {
    if (isOver || isRefused || gateway === null) return;
    log.warn("discord: connection made anew, because nothing came from it");
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

  /** One 401 proves nothing; a second one does. Any other answer leaves it to the next. */
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

  /** One attempt to log in; a client that has failed cannot be used again. */
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
    // Nothing can come before the next try.
    liveness.end();
    const problem = problemOfLogin(error);
    if (problem !== null) {
      await fail(problem);
      return null;
    }
    log.warn("discord: cannot connect, trying again", { why: reasonOf(error) });
    return FIRST_WAIT;
  };

  /** `of`: the round of tries; one that another has followed tries nothing more. */
  const connect = async (wait: Millis, of = (round += 1)): Promise<void> => {
    if (isOver || isRefused || of !== round) return;
    const again = await attempt();
    if (again === null || isOver) return;
    clock.after(wait, () => void connect(Math.min(LONGEST_WAIT, wait * 2), of));
  };

  return {
    calls,
    /** For people: `on`, or what is missing. */
    standing: () => standing,
    /** Settles once the connection is on, or off for good. */
    start: async (): Promise<void> => {
      // Not awaited: a client that was given up never settles its login.
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

/** Three parts with dots between; a client secret or an application's public key has none. */
const TOKEN_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const dispatchSchema = z.object({ t: z.string(), d: z.unknown() });

const applicationSchema = z.object({ id: z.string(), flags: z.int() });

/** The gateway does not say which intent it refuses; the application's flags do. */
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
    // It has ended as far as it can.
  }
};
