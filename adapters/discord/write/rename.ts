/**
 * Threads that this app opened are called as their conversations are. Owns: which conversations have a name that their thread
 * has not taken yet, kept as ids over restarts. Discord lets a channel be renamed twice in ten minutes: what comes more often
 * waits, and the newest name is what is set. A thread that a person made keeps the name that they gave it.
 */

import * as z from "zod";
import type { ConversationId, Millis } from "../../../src/machine/id.ts";
import type { HostNotes } from "../../../src/ports/alerts.ts";
import type { ConversationChange } from "../../../src/ports/bot.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import type { Store } from "../../../src/ports/store.ts";
import { type Ledger, mayPass } from "../../../src/ports/surface.ts";
import { createLruCache } from "../../../src/text/remembered.ts";
import { readDiscordChannel } from "../read/channel.ts";
import { THREAD_TYPES } from "../read/threads.ts";
import { discordFailureOf } from "../api/failure.ts";
import { threadNameOf } from "./thread-name.ts";
import type { DiscordCalls } from "../api/calls.ts";

const MOST = 2;
const WITHIN: Millis = 10 * 60_000;
/** After trouble that may pass; doubled with each in a row, as often as `TRIES`. */
const AGAIN: Millis = 30_000;
const TRIES = 6;
const NOTE = "discord threads to rename";
/** Threads of which it is known when they were renamed. */
const REMEMBERED = 5_000;

interface RenameDeps {
  readonly calls: DiscordCalls;
  readonly ledger: Pick<Ledger, "thread">;
  readonly store: Pick<Store, "load">;
  readonly notes: HostNotes;
  readonly clock: Clock;
  readonly log: Log;
  self(): string | null;
}

interface Wait {
  readonly tries: number;
  /** Null while it is being done, or until the conversation is heard of again. */
  readonly cancel: (() => void) | null;
}

/** When it is tried again. */
interface Later {
  /** Null: when somebody writes there. An archived thread is not brought back into everybody's list for its name. */
  readonly wait: Millis | null;
  /** Troubles in a row. */
  readonly tries: number;
}

export const createRenames = (deps: RenameDeps) => {
  const { clock, store, ledger, notes, log, self } = deps;
  const wanted = new Map<ConversationId, Wait>();
  const renamed = createLruCache<readonly Millis[]>(REMEMBERED);
  let doing: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** A crash between a rename and this loses a thread's name, and nothing else. */
  const keep = async (): Promise<void> => {
    const written = await notes.setNote(NOTE, [...wanted.keys()].join(" "));
    if (written.kind === "failed") log.warn("threads to rename could not be noted", { code: written.code });
  };

  const drop = (id: ConversationId): void => {
    wanted.get(id)?.cancel?.();
    if (wanted.delete(id)) void keep();
  };

  const want = (id: ConversationId): void => {
    const isNew = !wanted.has(id);
    wanted.get(id)?.cancel?.();
    wanted.set(id, { tries: 0, cancel: null });
    if (isNew) void keep();
    go(id);
  };

  const go = (id: ConversationId): void => {
    if (closed || self() === null) return;
    doing = doing.then(() => settle(id));
  };

  /** One after the other: names are nothing that anybody waits for. */
  const settle = async (id: ConversationId): Promise<void> => {
    const wait = wanted.get(id);
    if (closed || wait === undefined) return;
    const later = await rename(id, wait.tries);
    // Wanted anew meanwhile: that comes next.
    if (wanted.get(id) !== wait) return;
    if (later === null) return drop(id);
    const { wait: delay, tries } = later;
    wanted.set(id, { tries, cancel: delay === null ? null : clock.after(delay, () => go(id)) });
  };

  /** Null once there is nothing more to do. */
  const rename = async (id: ConversationId, tries: number): Promise<Later | null> => {
    const root = ledger.thread(id)?.root;
    const { titledBy, title } = store.load(id)?.conversation ?? {};
    if (root === undefined || titledBy === undefined || title === undefined) return null;
    const name = threadNameOf(title);
    try {
      const there = await readDiscordChannel(deps.calls, root);
      const { archived = false, locked = false } = there.thread_metadata ?? {};
      const isOurs = THREAD_TYPES.includes(there.type) && there.owner_id === self();
      if (!isOurs || locked || there.name === name) return null;
      if (archived) return { wait: null, tries: 0 };
      const lately = (renamed.get(root) ?? []).filter((at) => clock.now() - at < WITHIN);
      const [first] = lately;
      if (first !== undefined && lately.length >= MOST)
        return { wait: Math.max(1, first + WITHIN - clock.now()), tries };
      await deps.calls.call("PATCH", `/channels/${root}`, { body: { name } });
      renamed.set(root, [...lately, clock.now()]);
      return null;
    } catch (error) {
      return afterTrouble(error, id, tries);
    }
  };

  const afterTrouble = (error: unknown, id: ConversationId, tries: number): Later | null => {
    const trouble = discordFailureOf(error);
    if (trouble.kind === "throttled") return { wait: trouble.retryAfter, tries };
    if (mayPass(trouble) && tries < TRIES) return { wait: AGAIN * 2 ** tries, tries: tries + 1 };
    log.warn("a thread could not be called as its conversation is", { conversation: id, why: trouble.why });
    return null;
  };

  return {
    heard: (id: ConversationId, change: ConversationChange) => {
      if (change.kind === "gone") drop(id);
      if (change.kind !== "state") return;
      if (change.renamed === true) {
        if (change.overview.conversation.surface === "discord") want(id);
        return;
      }
      // Somebody may have written in a thread that slept.
      if (wanted.get(id)?.tries === 0 && wanted.get(id)?.cancel === null) go(id);
    },
    /** Discord is connected: does what the last process left, too. */
    start: () => {
      for (const id of idsIn(notes.note(NOTE)))
        if (!wanted.has(id)) wanted.set(id, { tries: 0, cancel: null });
      for (const id of wanted.keys()) go(id);
    },
    /** Settles when what is under way has ended; what waits is left to the next process. */
    close: async () => {
      closed = true;
      for (const { cancel } of wanted.values()) cancel?.();
      await doing;
    },
  };
};

/** As they were noted; what cannot be read is left out. */
const idsIn = (note: string | null): readonly ConversationId[] =>
  (note ?? "").split(" ").flatMap((word) => conversation.safeParse(word).data ?? []);

const conversation = z.templateLiteral(["c-", z.string()]);
