/**
 * Alerts: each is stored, and reported once at its start and once at its end, across restarts. An alert that returns before its
 * end was reported continues, and an alert whose start was never reported ends silently. News without an end is over once
 * reported. If the disk refuses alerts, they are reported anyway.
 *
 * Each host reports its own problems. The leader reports shared problems, and unreported or unfinished alerts of hosts that
 * have left.
 */

import { DAY, type Millis } from "../../machine/id.ts";
import type { AlertFacts, HostMessage } from "../../ports/alerts.ts";
import type { PutResult } from "../../ports/chat-platform.ts";
import type { HostRole } from "../../ports/ownership.ts";
import type { Ambient } from "../../ports/host.ts";
import { createRepeatingTask } from "../../runtime/bot/repeating-task.ts";
import { type AlertRow, type AlertRows, nameOfAlert } from "./ports.ts";
import { beganText, overText, alertStartedText, alertEndedText } from "./text.ts";

const AGAIN: Millis = 30_000;

interface AlertDeps extends Ambient {
  readonly rows: Pick<AlertRows, "alerts" | "putAlert" | "dropAlert">;
  /** Posts to the operator; null if alerts appear only in the log and on the status page. */
  readonly tell: ((line: HostMessage) => Promise<PutResult>) | null;
  readonly among: HostRole;
}

/** First words of the keys of alerts that concern one host rather than all. */
const OWN: ReadonlySet<string> = new Set([
  "disk",
  "fault",
  "forge",
  "model",
  "sandbox",
  "stronger",
  "writes",
] satisfies AlertFacts["kind"][]);

/** Something that happened once. Without a channel for the operator, the status page shows it for a day. */
const NEWS: ReadonlySet<AlertFacts["kind"]> = new Set(["watchJoined"]);
const SHOWN: Millis = DAY;

export type Alerts = ReturnType<typeof createAlerts>;

export const createAlerts = ({ rows, tell, clock, log, among }: AlertDeps) => {
  const { host } = among;
  const known = new Map<string, AlertRow>();
  /** Names of alerts whose current state is not on disk. */
  const unstored = new Set<string>();
  let isRefused = false;
  let isLeading = false;

  const isMine = (row: AlertRow): boolean =>
    row.host === host || (isLeading && row.host === null && !OWN.has(row.facts.kind));
  /** Whether the alert belongs to a host that has left, or that ran alone at the time. */
  const isGone = (row: AlertRow): boolean =>
    row.host !== host && (row.host === null ? OWN.has(row.facts.kind) : !among.members().includes(row.host));

  const take = (row: AlertRow): void => void known.set(nameOfAlert(row), row);

  const lead = (): void => {
    if (isLeading || !among.leads()) return;
    isLeading = true;
    for (const row of rows.alerts().filter(isMine)) if (!known.has(nameOfAlert(row))) take(row);
  };
  for (const row of rows.alerts().filter(isMine)) take(row);
  lead();

  const change = (row: AlertRow): void => {
    take(row);
    unstored.add(nameOfAlert(row));
    rounds.wake();
  };

  const nameOf = (key: string): Pick<AlertRow, "key" | "host"> => ({
    key,
    host: OWN.has(key.split(" ", 1)[0] ?? "") ? host : null,
  });

  /** Sets the current problem of a key; null: no problem. Repeated calls are reported once. */
  const set = (key: string, facts: AlertFacts | null): void => {
    lead();
    const name = nameOf(key);
    const row = known.get(nameOfAlert(name));
    if (facts !== null && (row === undefined || row.ended !== null)) {
      log.warn("alerts: alert started", { alert: facts.kind, text: beganText(facts) });
      const before = row?.told === "began" ? row : null;
      change({
        ...name,
        facts,
        began: before?.began ?? clock.now(),
        ended: null,
        told: before?.told ?? "nothing",
      });
    } else if (facts === null && row?.ended === null) {
      log.info("alerts: alert ended", { alert: row.facts.kind, text: overText(row.facts) });
      change({ ...row, ended: clock.now() });
    }
  };

  /** Takes over alerts of hosts that have left: reports them if needed, and ends them at the second check in a row. */
  const lookAfter = (): void => {
    lead();
    for (const [name, row] of known) if (!isMine(row) && !isGone(row)) known.delete(name);
    for (const row of rows.alerts().filter(isGone)) {
      const before = known.get(nameOfAlert(row));
      if (before === undefined) take(row);
      else if (before.ended === null) change({ ...before, ended: clock.now() });
    }
    rounds.wake();
  };

  const rounds = createRepeatingTask(clock, async () => {
    for (const row of [...known.values()].toSorted((a, b) => a.began - b.began)) {
      if (rounds.ending.aborted) return;
      await store(row);
      if (!(await bring(row))) return rounds.wakeAfter(AGAIN);
    }
    if (unstored.size > 0) rounds.wakeAfter(AGAIN);
  });

  /** Posts the due text; false if the channel does not accept the text now. */
  const bring = async (row: AlertRow): Promise<boolean> => {
    const text = owed(row, isGone(row));
    if (text === null) {
      const isOld = NEWS.has(row.facts.kind) && (tell !== null || clock.now() - row.began >= SHOWN);
      if (row.ended !== null || isOld) await drop(row);
      return true;
    }
    const isOver = row.ended !== null;
    const id = `alert ${nameOfAlert(row)} ${row.began} ${isOver ? "over" : "began"}`;
    const told = tell === null ? null : await tell({ id, text });
    if (told?.kind === "refused") {
      if (!isRefused) log.error("alerts: operator not notified, retry scheduled", { why: told.why });
      isRefused = true;
      return false;
    }
    isRefused = false;
    const isReported = told !== null && NEWS.has(row.facts.kind);
    if (isOver || isReported) {
      await drop(row);
      return true;
    }
    // The alert may have ended during the post.
    const after: AlertRow = { ...(known.get(nameOfAlert(row)) ?? row), told: "began" };
    change(after);
    await store(after);
    return true;
  };

  const store = async (row: AlertRow): Promise<void> => {
    const name = nameOfAlert(row);
    if (!unstored.delete(name)) return;
    const done = await rows.putAlert(row);
    if (done.kind === "failed") unstored.add(name);
  };

  /** Removes an ended alert. An alert that returned while its end was being posted starts again. */
  const drop = async (row: AlertRow): Promise<void> => {
    const name = nameOfAlert(row);
    const now = known.get(name);
    if (now !== row) {
      if (now !== undefined) change({ ...now, told: "nothing", began: clock.now() });
      return;
    }
    known.delete(name);
    unstored.delete(name);
    const done = await rows.dropAlert(row);
    if (done.kind === "failed") log.warn("alerts: ended alert not removed", { code: done.code });
  };

  return {
    set,
    own: () => lasting([...known.values()].filter(isMine)),
    open: () => {
      const others = rows.alerts().filter((row) => !isMine(row) && !known.has(nameOfAlert(row)));
      return lasting([...known.values(), ...others]);
    },
    lookAfter,
    start: rounds.wake,
    close: rounds.close,
  };
};

const lasting = (all: readonly AlertRow[]): readonly AlertRow[] =>
  all.filter(({ ended }) => ended === null).toSorted((a, b) => a.began - b.began);

/** The text that must be posted now; null if nothing is due. */
const owed = (row: AlertRow, isGone: boolean): string | null => {
  if (row.ended === null) return row.told === "nothing" ? alertStartedText(row) : null;
  return row.told === "began" ? alertEndedText(row, isGone) : null;
};
