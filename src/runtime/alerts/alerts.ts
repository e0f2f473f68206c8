/**
 * Alerts: each is stored and told once when it begins, and once more when it is over, whatever restarts come between. One
 * that comes back before its end was told goes on, and one that nobody was told of ends unsaid. Where the disk refuses
 * them they are told all the same.
 */

import type { Millis } from "../../machine/id.ts";
import type { AlertFacts, AlertRow, AlertRows, Line } from "../../ports/alerts.ts";
import type { PutResult } from "../../ports/chat-platform.ts";
import type { Clock, Log } from "../../ports/host.ts";
import { beganText, overText } from "./text.ts";

const AGAIN: Millis = 30_000;

interface AlertDeps {
  readonly rows: Pick<AlertRows, "alerts" | "putAlert" | "dropAlert">;
  /** Null where the log and the status page are all there is. */
  readonly tell: ((line: Line) => Promise<PutResult>) | null;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Alerts {
  /** What is wrong now; null: nothing. Said again and again, it is told once. */
  set(key: string, facts: AlertFacts | null): void;
  /** What lasts, the oldest first. */
  open(): readonly AlertRow[];
  /** Tells what is stored and was not told. */
  start(): void;
  /** Tells nothing more; settles when what was being told has ended. */
  close(): Promise<void>;
}

export const createAlerts = ({ rows, tell, clock, log }: AlertDeps): Alerts => {
  const known = new Map<string, AlertRow>(rows.alerts().map((row) => [row.key, row]));
  /** Not on the disk as they are. */
  const unstored = new Set<string>();
  let telling: Promise<void> | null = null;
  let stale = false;
  let closed = false;
  let isRefused = false;
  let cancel: (() => void) | null = null;

  const open = (): readonly AlertRow[] =>
    [...known.values()].filter(({ ended }) => ended === null).toSorted((a, b) => a.began - b.began);

  const change = (row: AlertRow): void => {
    known.set(row.key, row);
    unstored.add(row.key);
    wake();
  };

  const set: Alerts["set"] = (key, facts) => {
    const row = known.get(key);
    if (facts !== null && (row === undefined || row.ended !== null)) {
      log.warn(beganText(facts), { alert: facts.kind });
      const before = row?.told === "began" ? row : null;
      change({
        key,
        facts,
        began: before?.began ?? clock.now(),
        ended: null,
        told: before?.told ?? "nothing",
      });
    } else if (facts === null && row?.ended === null) {
      log.info(overText(row.facts) ?? "over", { alert: row.facts.kind });
      change({ ...row, ended: clock.now() });
    }
  };

  const wake = (): void => {
    stale = true;
    if (closed || telling !== null) return;
    telling = tellAll().finally(() => {
      telling = null;
      if (stale) wake();
    });
  };

  const later = (): void => {
    cancel?.();
    cancel = clock.after(AGAIN, wake);
  };

  const tellAll = async (): Promise<void> => {
    stale = false;
    for (const row of [...known.values()].toSorted((a, b) => a.began - b.began)) {
      if (closed) return;
      await store(row);
      if (!(await bring(row))) return later();
    }
    if (unstored.size > 0) later();
  };

  /** False where the channel does not take it now. */
  const bring = async (row: AlertRow): Promise<boolean> => {
    const text = owed(row);
    if (text === null) {
      if (row.ended !== null) await drop(row);
      return true;
    }
    const isOver = row.ended !== null;
    const id = `alert ${row.key} ${row.began} ${isOver ? "over" : "began"}`;
    const told = tell === null ? null : await tell({ id, text, isOver });
    if (told?.kind === "refused") {
      if (!isRefused) log.error("the operator could not be told; it is tried again", { why: told.why });
      isRefused = true;
      return false;
    }
    isRefused = false;
    if (isOver) {
      await drop(row);
      return true;
    }
    // It may have ended meanwhile.
    const now = known.get(row.key) ?? row;
    known.set(row.key, { ...now, told: "began" });
    unstored.add(row.key);
    await store(known.get(row.key) ?? row);
    if (now.ended !== null) stale = true;
    return true;
  };

  const store = async (row: AlertRow): Promise<void> => {
    if (!unstored.has(row.key)) return;
    unstored.delete(row.key);
    const done = await rows.putAlert(row);
    if (done.kind === "failed") unstored.add(row.key);
  };

  /** Unless it came back while its end was being told: then it begins anew. */
  const drop = async (row: AlertRow): Promise<void> => {
    const now = known.get(row.key);
    if (now !== row) {
      if (now !== undefined) change({ ...now, told: "nothing", began: clock.now() });
      return;
    }
    known.delete(row.key);
    unstored.delete(row.key);
    const done = await rows.dropAlert(row.key);
    if (done.kind === "failed") log.warn("an alert that is over could not be dropped", { code: done.code });
  };

  return {
    set,
    open,
    start: wake,
    close: async () => {
      closed = true;
      cancel?.();
      await telling;
    },
  };
};

/** What has to be told of it now; null: nothing. */
const owed = ({ facts, ended, told }: AlertRow): string | null => {
  if (ended === null) return told === "nothing" ? beganText(facts) : null;
  return told === "began" ? overText(facts) : null;
};
