/**
 * The simplest platform that people write on: what they wrote in memory, and a conversation for each thread. With it
 * the real inbox, the real cursors, and a clock that moves when told.
 */

import { setImmediate } from "node:timers/promises";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { State } from "../../../src/machine/state.ts";
import type { Backlog, ChatStore } from "../../../src/ports/chat-rows.ts";
import type { InboundEvent, HandleResult } from "../../../src/ports/chat.ts";
import type { Log } from "../../../src/ports/host.ts";
import type { SendFailure } from "../../../src/ports/surface.ts";
import { createCatchUp } from "../../../src/runtime/chat/catch-up.ts";
import { createGap, type ListeningGap } from "../../../src/runtime/chat/listening-gap.ts";
import { createInbox } from "../../../src/runtime/chat/inbox.ts";
import { createSlots } from "../../../src/runtime/live/slots.ts";
import { openGrouped } from "../../store/kit.ts";
import { commitOf, conversationOf, prefix, stateOf, take } from "../../store/plain.ts";
import { createManualClock, type ManualClock } from "../world.ts";

export interface Door {
  readonly catchUp: ReturnType<typeof createCatchUp>;
  readonly gap: ListeningGap;
  readonly clock: ManualClock;
  readonly warnings: readonly string[];
  /** Somebody writes and the platform tells; `root` is the thread, the message's own without one. */
  write(position: string, text: string, root?: string): Promise<string>;
  /** Somebody clicks: nothing that is done later. */
  click(id: string): Promise<string>;
  /** The thread is a conversation's, or will be as soon as what has arrived is handled. */
  awaits(root: string): boolean;
  /** Somebody writes and nobody is told; `taken`: its thread holds messages of ours. */
  miss(position: string, text: string, root?: string | null, taken?: boolean): void;
  /** A message of ours stands in the thread. */
  ours(position: string, wire: string, root: string): void;
  /** One that is removed from the ledger and from the thread while that is read; `known`: the ledger has it before. */
  passes(position: string, wire: string, root: string, known?: boolean): void;
  /** What was handled so far, in all processes. */
  said(): readonly string[];
  /** Where catching up began, in the order of reading. */
  sources(): readonly string[];
  /** The thread's posts are all delivered. */
  deliver(root: string): void;
  think(root: string): void;
  rest(root: string): void;
  /** Whether the disk refuses: everything, nothing, or the message at that position alone. */
  fill(full: boolean | string): void;
  /** The next readings come to this. */
  blind(...troubles: readonly SendFailure[]): void;
  /** So many threads of a channel are beyond what the platform is asked for. */
  leave(threads: number): void;
  /** What the people of a channel were told of them. */
  told(): readonly string[];
  /** Channels and threads that the operator was told of. */
  passedOver(): readonly (readonly [channels: number, threads: number])[];
  /** Until nothing moves without the clock. */
  still(): Promise<void>;
  restart(): Door;
}

interface Written extends InboundEvent {
  readonly body: string;
  readonly from: NonNullable<InboundEvent["from"]>;
  readonly taken: boolean;
}

interface Outside {
  readonly rest: ReturnType<typeof openGrouped>;
  readonly states: Map<ConversationId, State>;
  readonly written: Written[];
  readonly ours: {
    readonly id: string;
    readonly mark: string;
    readonly root: string;
    readonly passing?: true;
  }[];
  readonly said: string[];
}

const PLACE = "C1";

export const createDoor = (
  outside: Outside = { rest: openGrouped(), states: new Map(), written: [], ours: [], said: [] },
  /** Channels that the bot is in; absent: the platform cannot say. */
  places?: readonly string[],
): Door => {
  const { rest, states, written, ours, said } = outside;
  const { ledger, cursors, direct } = rest;
  const clock = createManualClock();
  const gap = createGap();
  const warnings: string[] = [];
  const note: Log["warn"] = (message) => void warnings.push(message);
  const log: Log = { info: () => {}, warn: note, error: note };
  const blindness: SendFailure[] = [];
  const sources: string[] = [];
  const told: string[] = [];
  const passed: (readonly [number, number])[] = [];
  let leaving = 0;
  let full: boolean | string = false;

  const chat: ChatStore = {
    ...rest.chat,
    arrive: (surface, rows, loose) =>
      full === true || rows.some(({ id }) => id === `${PLACE}/${String(full)}`)
        ? Promise.resolve({ kind: "failed", code: "disk_full", message: "full" })
        : rest.chat.arrive(surface, rows, loose),
  };

  const begin = (root: string): void => {
    const id: ConversationId = `c-${root}`;
    if (states.has(id)) return;
    const state = stateOf(id);
    const created = direct.store.create(conversationOf(id, { surface: "board" }), state, prefix, {
      place: PLACE,
      root,
    });
    if (created.kind === "failed") throw new Error(created.message);
    states.set(id, state);
  };

  const inbox = createInbox({
    surface: "board",
    store: chat,
    clock,
    log,
    gap,
    stored: () => void catchUp.run(),
    slots: createSlots(4),
    handle: async ({ id, body }): Promise<HandleResult> => {
      const one = written.find((candidate) => candidate.id === id);
      if (one !== undefined) begin(one.from.root);
      said.push(String(body));
      return "done";
    },
  });

  const backlog: Backlog = {
    missed: async ({ place, root, since }) => {
      const trouble = blindness.shift();
      if (trouble !== undefined) return trouble;
      sources.push(`${place}${root === null ? "" : `/${root}`} after ${since}`);
      const found = written.filter(
        ({ from }) =>
          (root === null ? from.root === from.position : from.root === root) && isLater(from.position, since),
      );
      const there = ours.filter((one) => one.root === root && isLater(one.id, since));
      for (const one of there.filter(({ passing }) => passing === true)) {
        direct.ledger.drop(`c-${root}`, one.mark);
        ours.splice(ours.indexOf(one), 1);
      }
      return {
        kind: "read",
        arrivals: found.map((one) => {
          return { arrival: arrive(one), position: one.from.position, isTaken: one.taken };
        }),
        ours: there,
        ...(root === null ? { left: leaving } : {}),
      };
    },
    markOf: (wire) => wire,
    ...(places === undefined
      ? {}
      : {
          sweep: {
            timeOf: Number,
            positionAt: String,
            places: () => Promise.resolve({ kind: "places", places }),
          },
        }),
  };

  const put = (position: string, body: string, root: string | null, taken: boolean): Written => {
    const from = { place: PLACE, root: root ?? position, position };
    const one = {
      id: `${PLACE}/${position}`,
      lane: `${PLACE}/${from.root}`,
      body,
      from,
      taken,
      insist: true,
    };
    written.push(one);
    return one;
  };

  const phase = (root: string, now: State["phase"]): void => {
    const id: ConversationId = `c-${root}`;
    const before = states.get(id) ?? stateOf(id);
    states.set(
      id,
      take(direct.store, commitOf(before, { after: { ...before, seq: before.seq + 1, phase: now } })),
    );
  };

  const catchUp = createCatchUp({
    surface: "board",
    backlog,
    rows: chat,
    cursors,
    inbox,
    gap,
    ledger,
    clock,
    log,
    tellLeft: ({ place, since }, threads) => {
      told.push(`${place} after ${since}: ${threads}`);
      return Promise.resolve();
    },
    passedOver: (...given) => void passed.push(given),
  });
  inbox.start();

  return {
    catchUp,
    gap,
    clock,
    warnings,
    write: async (position, text, root) => {
      const arrived = inbox.arrive(arrive(put(position, text, root ?? null, false)));
      clock.advance(10);
      const { kind } = await arrived;
      await still();
      return kind;
    },
    click: async (id) => {
      const arrived = inbox.arrive({ id, lane: id, body: id });
      clock.advance(10);
      const { kind } = await arrived;
      await still();
      return kind;
    },
    awaits: (root) => inbox.awaits(`${PLACE}/${root}`),
    miss: (position, text, root = null, taken = false) => void put(position, text, root, taken),
    ours: (position, wire, root) => void ours.push({ id: position, mark: wire, root }),
    passes: (position, wire, root, known = true) => {
      const row = { post: "status", wire, id: position, hash: null, state: "sent" } as const;
      if (known) direct.ledger.put(`c-${root}`, { ...row, key: wire });
      ours.push({ id: position, mark: wire, root, passing: true });
    },
    said: () => said,
    sources: () => sources,
    deliver: (root) => void direct.ledger.settle(`c-${root}`, 0),
    think: (root) => phase(root, { kind: "thinking", request: "e1", attempt: 1, wait: null, parts: 0 }),
    rest: (root) => phase(root, { kind: "idle" }),
    fill: (now) => {
      full = now;
    },
    told: () => told,
    passedOver: () => passed,
    leave: (threads) => {
      leaving = threads;
    },
    blind: (...more) => void blindness.push(...more),
    still,
    restart: () => createDoor(outside),
  };
};

/** Longer than anything takes that does not wait for the clock. */
const still = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
};

const arrive = ({ taken: _taken, ...arrival }: Written): InboundEvent => arrival;

const isLater = (position: string, since: string): boolean =>
  position.length > since.length || (position.length === since.length && position > since);
