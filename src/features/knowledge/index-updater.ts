/**
 * Keeps the index up to date: one step after another, with the sources in turn, so that a large source delays no other. The
 * texts of a step are written together with the progress. Owns: the timer, and the choice of the next source.
 */

import type { Millis } from "../../machine/id.ts";
import type { Clock, Log } from "../../ports/host.ts";
import type { IndexReader, SourceRow } from "./read-index.ts";
import type { SiteStep } from "./site.ts";
import { sourceNameOf, type KnowledgeSource } from "./sources.ts";
import type { IndexWorker } from "./writer.ts";
import type { IndexJob } from "./job.ts";
import { isDamage } from "./schema.ts";

interface KeeperDeps {
  readonly writer: IndexWorker;
  /** A new reader after each replacement of the file. */
  readonly reader: () => IndexReader;
  readonly exists: () => boolean;
  /** Called when the file was replaced. */
  readonly rebuilt: () => void;
  /** Sources that any channel has enabled, each once. */
  readonly wanted: () => readonly KnowledgeSource[];
  readonly look: (source: KnowledgeSource, next: string | null, signal: AbortSignal) => Promise<SiteStep>;
  /** Called when a source was read to its end. */
  readonly read: () => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Time between two rounds of a forge; sites wait at least a day. */
  readonly every: Millis;
  /** Bytes. */
  readonly most: number;
}

export interface Keeper {
  /** Called when a source was enabled or disabled. */
  changed(): void;
  /** Reads the sources again from the beginning. */
  renew(names: readonly string[]): Promise<void>;
  /** Called when a reader has found that the file is damaged. */
  damaged(): void;
  close(): Promise<void>;
}

const DAY: Millis = 24 * 60 * 60_000;
/** Time between two whole rounds, which find deleted texts. */
const WHOLE: Millis = 7 * DAY;
const LONGEST: Millis = 5 * 60_000;
const AGAIN: Millis = 60_000;

export const createIndexUpdater = (deps: KeeperDeps): Keeper => {
  const { writer, reader, exists, rebuilt, wanted, look, clock, log, every, most } = deps;
  const ending = new AbortController();
  let cancel = nothing;
  let running: Promise<void> | null = null;
  let isStale = true;

  const write = async (job: IndexJob): Promise<boolean> => {
    const done = await writer.run(job);
    if (done.kind === "rebuilt") {
      log.warn("knowledge: damaged index recreated");
      isStale = true;
      rebuilt();
    }
    if (done.kind === "failed") log.warn("knowledge: index not written", { why: done.why });
    return done.kind === "done";
  };

  /** Runs one step; returns the time until the next one. */
  const work = async (): Promise<Millis> => {
    const sources = new Map(wanted().map((source) => [sourceNameOf(source), source]));
    if (sources.size === 0 && !exists()) return LONGEST;
    if (isStale) {
      if (!(await write({ kind: "keep", given: [[...sources.keys()]] }))) return AGAIN;
      isStale = false;
    }
    const rows = reader()
      .sources()
      .filter(({ name }) => sources.has(name));
    const row = rows.toSorted((a, b) => a.due - b.due)[0];
    const source = row === undefined ? undefined : sources.get(row.name);
    if (row === undefined || source === undefined) return LONGEST;
    if (row.due > clock.now()) return Math.min(LONGEST, row.due - clock.now());
    return (await turn(source, row)) ? 0 : AGAIN;
  };

  const turn = async (
    source: KnowledgeSource,
    { name, isOpen, whole, next }: SourceRow,
  ): Promise<boolean> => {
    if (reader().bytes() >= most)
      return write({ kind: "take", given: [{ source: name, due: clock.now() + DAY, why: FULL }] });
    // Each round of solved threads compares all of them with the stored ones, so the round always starts at the beginning.
    const isOwn = source.kind === "threads";
    const isWhole = !isOwn && (source.kind === "site" || whole === null || clock.now() - whole > WHOLE);
    if (!isOpen && !(await write({ kind: "begin", given: [name, isWhole] }))) return false;
    const step = await look(source, !isOpen && (isWhole || isOwn) ? null : next, ending.signal);
    if (ending.signal.aborted) return false;
    const pause = source.kind === "site" ? Math.max(every, DAY) : every;
    const isOver = step.ended !== undefined && step.isPartial !== true;
    const due = isOver ? Math.max(step.due, clock.now() + pause) : step.due;
    const isTaken = await write({ kind: "take", given: [{ ...step, source: name, due }] });
    if (isTaken && step.ended !== undefined) deps.read();
    return isTaken;
  };

  const later = (delay: Millis): void => {
    cancel();
    if (ending.signal.aborted) return;
    cancel = clock.after(delay, () => {
      running = again();
    });
  };

  const again = async (): Promise<void> => {
    cancel = nothing;
    later(await work().catch(broke));
    running = null;
  };

  /** Errors of the index must not affect people's work. */
  const broke = (error: unknown): Millis => {
    log.warn("knowledge: index not updated", {
      error: error instanceof Error ? error.message : typeof error,
    });
    if (isDamage(error)) damaged();
    return AGAIN;
  };

  const damaged = (): void => {
    void write({ kind: "rebuild" }).then(soon);
  };

  const soon = (): void => {
    isStale = true;
    if (running === null) later(SOON);
  };

  soon();
  return {
    changed: soon,
    damaged,
    renew: async (names) => {
      for (const source of names) await write({ kind: "renew", given: [source] });
      soon();
    },
    close: async () => {
      ending.abort();
      cancel();
      await running;
    },
  };
};

const nothing = (): void => undefined;

const SOON: Millis = 1_000;

const FULL = "The index is full: the operator can make room with PARLEY_KNOWLEDGE_MIB.";
