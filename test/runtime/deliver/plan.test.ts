/** The laws of the planner, against a platform that does what it is told. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DeliveryRow } from "../../../src/ports/surface.ts";
import {
  type SurfaceAbilities,
  type NextSend,
  plan,
  type WantedMessage,
} from "../../../src/runtime/deliver/plan.ts";

const RUNS = { numRuns: 1_000 };

const able: SurfaceAbilities = {
  observe: true,
  send: true,
  upload: true,
  edit: () => true,
  remove: true,
  show: true,
  grow: true,
  finalOnly: new Set(),
};

const wantedOf = (key: string, hash: string, final = true): WantedMessage => ({
  piece: { key, content: { tone: "answer", text: hash, buttons: [] }, final },
  post: key,
  hash,
});

const rowOf = (key: string, change: Partial<DeliveryRow> = {}): DeliveryRow => ({
  key,
  post: key,
  wire: `w/${key}`,
  id: null,
  hash: null,
  state: "planned",
  ...change,
});

const key = fc.constantFrom<string>("a", "b", "c", "d", "e", "f");
const hash = fc.constantFrom("h1", "h2", "h3");
const wantedList = fc.uniqueArray(
  fc.record({ key, hash, final: fc.boolean() }).map((one) => wantedOf(one.key, one.hash, one.final)),
  { selector: ({ piece }) => piece.key },
);
const status = fc.option(hash.map((value) => wantedOf("status", value, false)));
const row = fc.oneof(
  fc
    .record({ key: fc.oneof(key, fc.constantFrom("status", "old")), hash })
    .map((one) => rowOf(one.key, { state: "sent", id: `id/${one.key}`, hash: one.hash })),
  key.map((one) => rowOf(one)),
  key.map((one) => rowOf(one, { state: "unknown" })),
  key.map((one) => rowOf(one, { state: "gone", id: `id/${one}` })),
);
const rowList = fc.uniqueArray(row, { selector: (one) => one.key });

/** Carries out one step where everything succeeds; an observation finds about half of what is in doubt. */
const succeed = (rows: readonly DeliveryRow[], step: NextSend, found: boolean): readonly DeliveryRow[] => {
  const put = (next: DeliveryRow): readonly DeliveryRow[] => [
    ...rows.filter((one) => one.key !== next.key),
    next,
  ];
  switch (step.kind) {
    case "observe":
      return rows.map((one) =>
        one.state !== "unknown"
          ? one
          : found
            ? { ...one, state: "sent", id: `id/${one.key}`, hash: null }
            : { ...one, state: "planned" },
      );
    case "send":
    case "show":
    case "edit": {
      const base = step.row ?? rowOf(step.wanted.piece.key);
      const id = base.id ?? `id/${base.key}`;
      return put({ ...base, state: "sent", id, hash: step.wanted.hash });
    }
    case "remove":
    case "forget":
      return rows.filter((one) => one.key !== step.row.key);
  }
};

interface Run {
  readonly steps: readonly NextSend[];
  readonly rows: readonly DeliveryRow[];
}

/** Plans and carries out until nothing is left; throws where that does not end. */
const run = (
  wanted: readonly WantedMessage[],
  shown: WantedMessage | null,
  start: readonly DeliveryRow[],
  can = able,
  found = true,
): Run => {
  const steps: NextSend[] = [];
  let rows = start;
  for (let step = plan(wanted, shown, rows, can); step !== null; step = plan(wanted, shown, rows, can)) {
    steps.push(step);
    rows = succeed(rows, step, found);
    if (steps.length > 100) throw new Error("the plan does not end");
  }
  return { steps, rows };
};

const held = (rows: readonly DeliveryRow[]) =>
  new Map(rows.filter((one) => one.state === "sent").map((one) => [one.key, one.hash]));

describe("plan", () => {
  it("ends, and then the thread holds what is wanted and nothing else; what was deleted stays deleted", () => {
    fc.assert(
      fc.property(wantedList, status, rowList, fc.boolean(), (wanted, shown, rows, found) => {
        const gone = new Set(rows.filter((one) => one.state === "gone").map((one) => one.key));
        const all = shown === null ? wanted : [...wanted, shown];
        const expected = new Map(
          all.filter(({ piece }) => !gone.has(piece.key)).map((one) => [one.piece.key, one.hash]),
        );
        expect(held(run(wanted, shown, rows, able, found).rows)).toEqual(expected);
      }),
      RUNS,
    );
  });

  it("has nothing to do where the thread is as wanted", () => {
    fc.assert(
      fc.property(wantedList, status, rowList, (wanted, shown, rows) => {
        const after = run(wanted, shown, rows).rows;
        expect(plan(wanted, shown, after, able)).toBeNull();
      }),
      RUNS,
    );
  });

  it("P1 makes, changes and removes nothing while the fate of a message is unknown or a call is in flight", () => {
    fc.assert(
      fc.property(wantedList, status, rowList, key, fc.boolean(), (wanted, shown, rows, one, asking) => {
        const others = rows.filter((other) => other.key !== one && other.state !== "unknown");
        const doubt = [...others, rowOf(one, { state: "unknown" })];
        expect(plan(wanted, shown, doubt, able)).toEqual({ kind: "observe" });
        const flying = [...others, rowOf(one, { state: "sending" })];
        expect(plan(wanted, shown, flying, { ...able, observe: asking })).toBeNull();
      }),
      RUNS,
    );
  });

  it("P1 where nobody can be asked, settles the doubt first, and says so in the repeat", () => {
    fc.assert(
      fc.property(wantedList, status, rowList, (wanted, shown, rows) => {
        const { steps } = run(wanted, shown, rows, { ...able, observe: false });
        const doubtful = rows.filter((one) => one.state === "unknown").map((one) => one.key);
        const first = steps.slice(0, doubtful.length);
        expect(new Set(first.flatMap((step) => (step.kind === "observe" ? [] : [keyOf(step)])))).toEqual(
          new Set(doubtful),
        );
        for (const step of steps) {
          if (step.kind === "send") expect(step.repeat).toBe(doubtful.includes(keyOf(step)));
        }
      }),
      RUNS,
    );
  });

  it("P2 sends new messages in the order of the view, before any change or progress", () => {
    fc.assert(
      fc.property(wantedList, status, rowList, (wanted, shown, rows) => {
        const settled = rows.filter((one) => one.state !== "unknown");
        const { steps } = run(wanted, shown, settled);
        const sent = steps.filter((step) => step.kind === "send").map(keyOf);
        const order = wanted.map(({ piece }) => piece.key).filter((one) => sent.includes(one));
        expect(sent).toEqual(order);
        const kinds = steps.map(({ kind }) => (kind === "send" ? "send" : "later"));
        expect(kinds).toEqual(kinds.toSorted((a, b) => (a === b ? 0 : a === "send" ? -1 : 1)));
      }),
      RUNS,
    );
  });

  it("P2 a growing view makes the same thread whenever it is looked at", () => {
    fc.assert(
      fc.property(wantedList, fc.array(fc.nat({ max: 6 })), (wanted, cuts) => {
        let rows: readonly DeliveryRow[] = [];
        const sent: string[] = [];
        for (const cut of [...cuts.toSorted((a, b) => a - b), wanted.length]) {
          const part = run(wanted.slice(0, cut), null, rows);
          sent.push(...part.steps.filter((step) => step.kind === "send").map(keyOf));
          rows = part.rows;
        }
        expect(sent).toEqual(wanted.map(({ piece }) => piece.key));
      }),
      RUNS,
    );
  });

  it("P3 progress goes only after every message is sent, and a new one only after the old one is removed", () => {
    fc.assert(
      fc.property(wantedList, rowList, (wanted, rows) => {
        const before = [...rows.filter((one) => one.key !== "status"), sentStatus("status/old")];
        const { steps } = run(wanted, wantedOf("status/new", "h", false), before);
        const names = steps.map((step) => `${step.kind} ${step.kind === "observe" ? "" : keyOf(step)}`);
        const removed = names.indexOf("remove status/old");
        expect(removed).toBeGreaterThan(names.findLastIndex((name) => name.startsWith("send")));
        expect(names.indexOf("show status/new")).toBeGreaterThan(removed);
      }),
      RUNS,
    );
  });

  it("P4 touches nothing that stands with the right content", () => {
    fc.assert(
      fc.property(wantedList, status, rowList, (wanted, shown, rows) => {
        const settled = rows.filter((one) => one.state !== "unknown");
        const right = wanted.filter((one) => held(settled).get(one.piece.key) === one.hash);
        const touched = new Set(
          run(wanted, shown, settled).steps.flatMap((step) => (step.kind === "observe" ? [] : [keyOf(step)])),
        );
        for (const { piece } of right) expect(touched).not.toContain(piece.key);
        const stood = settled.filter((one) => one.id !== null).map((one) => one.key);
        const sent = run(wanted, shown, settled)
          .steps.filter((step) => step.kind === "send")
          .map(keyOf);
        for (const one of stood) expect(sent).not.toContain(one);
      }),
      RUNS,
    );
  });

  it("a throttled route holds back its own calls and no others", () => {
    fc.assert(
      fc.property(
        wantedList,
        status,
        rowList,
        fc.record({ send: fc.boolean(), edit: fc.boolean(), remove: fc.boolean(), show: fc.boolean() }),
        (wanted, shown, rows, free) => {
          const settled = rows.filter((one) => one.state !== "unknown");
          const { steps } = run(wanted, shown, settled, { ...able, ...free, edit: () => free.edit });
          for (const { kind } of steps) {
            if (kind === "send" || kind === "edit" || kind === "remove" || kind === "show") {
              expect(free[kind]).toBe(true);
            }
          }
          const unsent = steps.filter((step) => step.kind === "send");
          if (free.send) expect(unsent).toEqual(run(wanted, shown, settled).steps.filter(isSend));
        },
      ),
      RUNS,
    );
  });

  it("a message whose edits were throttled too often gets its final content and nothing before", () => {
    fc.assert(
      fc.property(wantedList, rowList, fc.uniqueArray(key), (wanted, rows, tired) => {
        const settled = rows.filter((one) => one.state !== "unknown");
        const { steps } = run(wanted, null, settled, { ...able, finalOnly: new Set(tired) });
        for (const step of steps) {
          if (step.kind === "edit" && tired.includes(step.row.key))
            expect(step.wanted.piece.final).toBe(true);
        }
        const finals = run(wanted, null, settled).steps.filter(isFinalEdit);
        expect(steps.filter(isFinalEdit)).toEqual(finals);
      }),
      RUNS,
    );
  });
});

const keyOf = (step: Exclude<NextSend, { kind: "observe" }>): string =>
  step.kind === "remove" || step.kind === "forget" ? step.row.key : step.wanted.piece.key;

const isSend = (step: NextSend): boolean => step.kind === "send";

const isFinalEdit = (step: NextSend): boolean => step.kind === "edit" && step.wanted.piece.final;

const sentStatus = (name: string): DeliveryRow => rowOf(name, { state: "sent", id: `id/${name}`, hash: "h" });

it("P2 a message that has grown is whole before the next one of its post is sent; another post's waits for nothing", () => {
  const grown = { ...wantedOf("a#0", "h2"), post: "a" };
  const stands = rowOf("a#0", { post: "a", state: "sent", id: "id/a#0", hash: "h1" });
  const next = { ...wantedOf("a#1", "h1"), post: "a" };
  const other = wantedOf("b", "h1");
  expect(plan([grown, next], null, [stands], able)).toMatchObject({ kind: "edit", wanted: grown });
  expect(plan([grown, other], null, [stands], able)).toMatchObject({ kind: "send", wanted: other });
  expect(plan([grown, next], null, [stands], { ...able, edit: () => false })).toMatchObject({
    kind: "send",
    wanted: next,
  });
});
