/**
 * The sockets of Socket Mode, kept: two lines, so that one covers for the other, or one where other hosts have theirs, because
 * Slack gives an app ten. A line that Slack announces to end is replaced before it is let go; one that breaks is opened again at once. A refused token is named and tried again
 * now and then, because an operator may put it right; nothing else of the host waits for it.
 */

import type { App, Receiver } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import { atMost, type Clock, type Log } from "../../../src/ports/host.ts";
import { createSocket, type Socket } from "./socket.ts";
import { tokenRefusalOf } from "../api/token-trouble.ts";

const LINES = 2;
/** Waits after failures in a row: what was missed is to be answered within a minute of the last of them. */
const FIRST_WAIT: Millis = 500;
const LONGEST_WAIT: Millis = 15_000;
/** How long a line must hold for its end to be no failure. */
const HELD: Millis = 10_000;
const REFUSED_WAIT: Millis = 5 * 60_000;
/** How long Slack may go on counting a line that ended. */
const COUNTED: Millis = 2 * 60_000;

interface SocketsDeps {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  /** No other host has lines of the same app. */
  readonly isAlone: boolean;
  /** Whether an outgoing proxy is set for the process. */
  readonly isProxied: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** How many lines are open, after each change; `refusal` names what is wrong with the app's token. */
  readonly changed: (open: number, refusal: string | null) => void;
}

interface Slot {
  current: Socket | null;
  failures: number;
  cancel: () => void;
}

/** As Bolt starts and stops it. `start` settles when the first line is open or has failed. */
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

  /** Opens a line and puts it in place of the slot's own. */
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
    log.info("Slack renews a connection", { reason });
    leaving.add(line);
    if (slot.current === line) renew(slot, line);
  };

  /** Not faster with each that Slack takes back at once. */
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
      log.warn("a connection to Slack could not be opened; it is tried again", { why: told.why, wait });
      return wait;
    }
    if (refusal !== told.why) log.error(`Slack refuses the app-level token: ${told.why}. ${told.remedy}`);
    refusal = told.why;
    tellChange();
    return REFUSED_WAIT;
  };

  /** Somebody else's connections get a share of the events, and nobody notices but by what is missing. */
  const compare = (connections: number): void => {
    while ((ended[0] ?? Infinity) < clock.now() - COUNTED) ended.shift();
    const ours = lines.size + ended.length;
    if (!deps.isAlone || connections <= ours) return;
    log.error(
      "ANOTHER PROCESS USES THE SAME SLACK APP TOKEN: events are split between the two, and each misses some. " +
        "Stop the other process, or give it an app of its own.",
      { connections, ours },
    );
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
