/**
 * Maintains the sockets of Socket Mode. A host alone has two sockets, so that each can replace the other. A host in a cluster
 * has one socket, because Slack allows an app ten sockets. If Slack announces the end of a socket, a new socket opens before
 * the old one closes; a broken socket is reopened at once. A refused token is reported and retried from time to time, because
 * an operator may correct it. No other part of the host waits for these retries.
 */

import type { App, Receiver } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import { atMost, type Clock, type Log } from "../../../src/ports/host.ts";
import { createSocket, type Socket } from "./socket.ts";
import { tokenRefusalOf } from "../api/token-trouble.ts";

const LINES = 2;
/**
 * Waits after consecutive failures, so that missed messages are answered within a minute of the last failure.
 */
const FIRST_WAIT: Millis = 500;
const LONGEST_WAIT: Millis = 15_000;
/** Minimum duration of a socket whose end does not count as a failure. */
const HELD: Millis = 10_000;
const REFUSED_WAIT: Millis = 5 * 60_000;
/** Time for which Slack may still count an ended socket. */
const COUNTED: Millis = 2 * 60_000;

interface SocketsDeps {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  /** Whether no other host has sockets of the same app. */
  readonly isAlone: boolean;
  /** Whether an outgoing proxy is set for the process. */
  readonly isProxied: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Called after each change with the number of open sockets; `refusal` describes a problem with the app's
   * token.
   */
  readonly changed: (open: number, refusal: string | null) => void;
}

interface Slot {
  current: Socket | null;
  failures: number;
  cancel: () => void;
}

/** Implements Bolt's receiver. `start` resolves when the first socket is open or has failed. */
export const createSockets = (deps: SocketsDeps): Receiver => {
  const { clock, log } = deps;
  const slots: readonly Slot[] = Array.from({ length: deps.isAlone ? LINES : 1 }, () => ({
    current: null,
    failures: 0,
    cancel: () => undefined,
  }));
  const lines = new Set<Socket>();
  const leaving = new WeakSet<Socket>();
  const ended: Millis[] = [];
  let app: App | null = null;
  let refusal: string | null = null;
  let closed = false;

  const tellChange = (): void => deps.changed(openCount(), refusal);
  const openCount = (): number => slots.filter(({ current }) => current !== null).length;

  /** Opens a socket, which replaces the slot's current socket. */
  const connect = async (slot: Slot): Promise<void> => {
    if (closed || app === null) return;
    const line: Socket = createSocket({
      ...deps,
      app,
      greeted: (connections) => compare(connections),
      ending: (reason) => replace(slot, line, reason),
    });
    lines.add(line);
    void line.over.then(() => ending(slot, line));
    try {
      await line.open;
    } catch (error) {
      return again(slot, waitAfter(error, slot.failures++));
    }
    const before = slot.current;
    slot.current = line;
    refusal = null;
    clock.after(HELD, () => {
      if (slot.current === line) slot.failures = 0;
    });
    before?.stop();
    tellChange();
    if (leaving.has(line)) renew(slot, line);
  };

  const replace = (slot: Slot, line: Socket, reason: string): void => {
    log.info("slack: connection renewal requested", { reason });
    leaving.add(line);
    if (slot.current === line) renew(slot, line);
  };

  /** Waits longer with each socket that Slack ends at once. */
  const renew = (slot: Slot, line: Socket): void => {
    const wait = slot.failures === 0 ? 0 : waitOf(slot.failures);
    slot.failures += 1;
    slot.cancel();
    slot.cancel = clock.after(wait, () => {
      if (slot.current === line) void connect(slot);
    });
  };

  const ending = (slot: Slot, line: Socket): void => {
    lines.delete(line);
    ended.push(clock.now());
    if (slot.current !== line) return;
    slot.current = null;
    tellChange();
    again(slot, slot.failures === 0 ? 0 : waitOf(slot.failures));
    slot.failures += 1;
  };

  const again = (slot: Slot, wait: Millis): void => {
    if (closed || slot.current !== null) return;
    slot.cancel();
    slot.cancel = clock.after(wait, () => void connect(slot));
  };

  const waitAfter = (error: unknown, failures: number): Millis => {
    const told = tokenRefusalOf(error);
    if (told.kind === "passing") {
      const wait = Math.max(told.retryAfter, waitOf(failures));
      log.warn("slack: connection not opened, retry scheduled", { why: told.why, wait });
      return wait;
    }
    const { why, remedy } = told;
    if (refusal !== why) log.error("slack: app-level token refused", { why, remedy });
    refusal = told.why;
    tellChange();
    return REFUSED_WAIT;
  };

  /**
   * Reports foreign connections, because they receive a share of the events that would silently be missing
   * here.
   */
  const compare = (connections: number): void => {
    while ((ended[0] ?? Infinity) < clock.now() - COUNTED) ended.shift();
    const ours = lines.size + ended.length;
    if (!deps.isAlone || connections <= ours) return;
    log.error("slack: app token used by another process, events split between the processes", {
      connections,
      ours,
      remedy: "Stop the other process, or create a separate Slack app for it.",
    });
  };

  return {
    init: (bolt) => {
      app = bolt;
    },
    start: async () => {
      await Promise.race(slots.map(connect));
    },
    stop: async () => {
      closed = true;
      for (const slot of slots) slot.cancel();
      for (const line of lines) line.stop();
      await atMost(clock, 1_000, Promise.all([...lines].map(({ over }) => over)));
    },
  };
};

const waitOf = (failures: number): Millis => Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 10));
