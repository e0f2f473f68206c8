/**
 * Renames threads that this app opened to the titles of their conversations. Discord allows two renames of a
 * channel in ten minutes; further ones wait, and the newest name is set. A thread made by a person keeps its
 * name. Owns: conversations whose name is not set yet, stored as ids across restarts.
 */

import * as z from "zod";
import type { ConversationId, Millis } from "../../../src/machine/id.ts";
import type { HostNotes } from "../../../src/ports/alerts.ts";
import type { ConversationChange } from "../../../src/ports/bot.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import type { Store } from "../../../src/ports/store.ts";
import { type Ledger, mayPass } from "../../../src/ports/surface.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { readDiscordChannel } from "../read/channel.ts";
import { THREAD_TYPES } from "../read/threads.ts";
import { discordFailureOf } from "../api/failure.ts";
import { threadNameOf } from "./thread-name.ts";
import type { DiscordCalls } from "../api/calls.ts";

const MOST = 2;
const WITHIN: Millis = 10 * 60_000;
/** Wait after a passing failure, doubled with each consecutive failure up to `TRIES` times. */
const AGAIN: Millis = 30_000;
const TRIES = 6;
const NOTE = "discord threads to rename";
/** Number of threads whose last renames are remembered. */
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
  /** Null while the rename runs, or until the conversation's next event. */
  readonly cancel: (() => void) | null;
}

interface Later {
  /** Null: after the next message. An archived thread is not reopened for its name. */
  readonly wait: Millis | null;
  /** Number of consecutive failures. */
  readonly tries: number;
}

export const createRenames = (deps: RenameDeps) => {
  const { clock, store, ledger, notes, log, self } = deps;
  const wanted = new Map<ConversationId, Wait>();
  const renamed = createLruCache<readonly Millis[]>(REMEMBERED);
  let doing: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** A crash between a rename and this write loses only a thread's name. */
  const keep = async (): Promise<void> => {
    const written = await notes.setNote(NOTE, [...wanted.keys()].join(" "));
    if (written.kind === "failed")
      log.warn("discord: pending thread renames not stored", { code: written.code });
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

  /** Renames one thread after the other, because no person waits for names. */
  const settle = async (id: ConversationId): Promise<void> => {
    const wait = wanted.get(id);
    if (closed || wait === undefined) return;
    const later = await rename(id, wait.tries);
    // A newer request has replaced this one and comes next.
    if (wanted.get(id) !== wait) return;
    if (later === null) return drop(id);
    const { wait: delay, tries } = later;
    wanted.set(id, { tries, cancel: delay === null ? null : clock.after(delay, () => go(id)) });
  };

  /** Null once nothing is left to do. */
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
    log.warn("discord: thread not renamed", { conversation: id, why: trouble.why });
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
      // A person may have written in an archived thread.
      if (wanted.get(id)?.tries === 0 && wanted.get(id)?.cancel === null) go(id);
    },
    /** Starts once Discord is connected, including names that the last process left. */
    start: () => {
      for (const id of idsIn(notes.note(NOTE)))
        if (!wanted.has(id)) wanted.set(id, { tries: 0, cancel: null });
      for (const id of wanted.keys()) go(id);
    },
    /** Resolves when the current rename has ended; the rest is left to the next process. */
    close: async () => {
      closed = true;
      for (const { cancel } of wanted.values()) cancel?.();
      await doing;
    },
  };
};

/** Parses the stored ids and skips unreadable ones. */
const idsIn = (note: string | null): readonly ConversationId[] =>
  (note ?? "").split(" ").flatMap((word) => conversation.safeParse(word).data ?? []);

const conversation = z.templateLiteral(["c-", z.string()]);
