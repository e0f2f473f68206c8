/**
 * Alerts: each is stored and told once when it begins, and once more when it is over, whatever restarts come between. One
 * that comes back before its end was told goes on, and one that nobody was told of ends unsaid. Where the disk refuses
 * them they are told all the same.
 *
 * Each of several hosts tells what is wrong with it. The one that leads tells what is wrong with all of them, and what those
 * have left untold, or not ended, who are gone.
 */

import type { Millis } from "../../machine/id.ts";
import type { AlertFacts, HostMessage } from "../../ports/alerts.ts";
import type { PutResult } from "../../ports/chat-platform.ts";
import type { HostRole } from "../../ports/ownership.ts";
import type { Ambient } from "../../ports/host.ts";
import { createRepeatingTask } from "../../runtime/bot/rounds.ts";
import { type AlertRow, type AlertRows, nameOfAlert } from "./ports.ts";
import { beganText, overText, alertStartedText, alertEndedText } from "./text.ts";

const AGAIN: Millis = 30_000;

interface AlertDeps extends Ambient {
  readonly rows: Pick<AlertRows, "alerts" | "putAlert" | "dropAlert">;
  /** Null where the log and the status page are all there is. */
  readonly tell: ((line: HostMessage) => Promise<PutResult>) | null;
  readonly among: HostRole;
}

/** First words of keys: of one host, and not of what they all have in common. */
const OWN: ReadonlySet<string> = new Set([
  "disk",
  "fault",
  "forge",
  "model",
  "sandbox",
  "stronger",
  "writes",
] satisfies AlertFacts["kind"][]);

export type Alerts = ReturnType<typeof createAlerts>;

export const createAlerts = ({ rows, tell, clock, log, among }: AlertDeps) => {
  const { host } = among;
  const known = new Map<string, AlertRow>();
  /** Not on the disk as they are. */
  const unstored = new Set<string>();
  let isRefused = false;
  let isLeading = false;

  const isMine = (row: AlertRow): boolean =>
    row.host === host || (isLeading && row.host === null && !OWN.has(row.facts.kind));
  /** Left by a host that is not there any more, or was alone then. */
  const isGone = (row: AlertRow): boolean =>
    row.host !== host && (row.host === null ? OWN.has(row.facts.kind) : !among.members().includes(row.host));

  const take = (row: AlertRow): void => void known.set(nameOfAlert(row), row);

  /** What all hosts have in common is this one's, once it leads. */
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

  /** What is wrong now; null: nothing. Said again and again, it is told once. */
  const set = (key: string, facts: AlertFacts | null): void => {
    lead();
    const name = nameOf(key);
    const row = known.get(nameOfAlert(name));
    if (facts !== null && (row === undefined || row.ended !== null)) {
      log.warn(beganText(facts), { alert: facts.kind });
      const before = row?.told === "began" ? row : null;
      change({
        ...name,
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

  /** What a host has left is told where it was not, and ended where the host is gone at two looks in a row. */
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

  /** False where the channel does not take it now. */
  const bring = async (row: AlertRow): Promise<boolean> => {
    const text = owed(row, isGone(row));
    if (text === null) {
      if (row.ended !== null) await drop(row);
      return true;
    }
    const isOver = row.ended !== null;
    const id = `alert ${nameOfAlert(row)} ${row.began} ${isOver ? "over" : "began"}`;
    const told = tell === null ? null : await tell({ id, text });
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

  /** Unless it came back while its end was being told: then it begins anew. */
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
    if (done.kind === "failed") log.warn("an alert that is over could not be dropped", { code: done.code });
  };

  return {
    set,
    /** Of this host, and of all where it leads. */
    own: () => lasting([...known.values()].filter(isMine)),
    /** Of every host. */
    open: () => {
      const others = rows.alerts().filter((row) => !isMine(row) && !known.has(nameOfAlert(row)));
      return lasting([...known.values(), ...others]);
    },
    lookAfter,
    start: rounds.wake,
    /** Tells nothing more; settles when what was being told has ended. */
    close: rounds.close,
  };
};

/** What lasts, the oldest first. */
const lasting = (all: readonly AlertRow[]): readonly AlertRow[] =>
  all.filter(({ ended }) => ended === null).toSorted((a, b) => a.began - b.began);

/** What has to be told of it now; null: nothing. */
const owed = (row: AlertRow, isGone: boolean): string | null => {
  if (row.ended === null) return row.told === "nothing" ? alertStartedText(row) : null;
  return row.told === "began" ? alertEndedText(row, isGone) : null;
};
