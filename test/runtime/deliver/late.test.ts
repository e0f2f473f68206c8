/** What is late is named with its reason, and comes, whatever became of the call that should have brought it. */

import { expect, it } from "vitest";
import { boundSurface } from "../../../src/runtime/deliver/bounded-surface.ts";
import { createManualClock } from "../world.ts";
import { createBoard, createDesk, type Desk, generous, post } from "./board.ts";

const ID = "c-1";

it.each([true, false])("a call that never ends is given up and looked for (applied: %s)", async (applied) => {
  const desk = createDesk();
  desk.thread(ID);
  desk.deliverer.start();
  desk.board.spoil("send", { kind: "stuck", applied });
  desk.post(ID, post("a"));
  await desk.board.called();
  desk.clock.advance(59_999);
  expect(desk.deliverer.late()).toEqual([]);
  desk.clock.advance(1);
  expect(desk.deliverer.late()).toMatchObject([
    { conversation: ID, why: expect.stringContaining("under way") },
  ]);
  desk.clock.advance(60_000);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await desk.still();
  desk.clock.advance(1_000);
  await desk.still();
  expect(desk.texts()).toEqual(["a"]);
  expect(desk.deliverer.late()).toEqual([]);
  // Of the one that was repeated the platform may still carry out the first request.
  await minutes(desk, 1);
  expect(desk.ledger.behind("board")).toEqual([]);
});

it("calls that never end do not hold the others of the connection for longer", async () => {
  const desk = createDesk(
    createBoard({ ...generous, parallel: 1, routeOf: (call, { root }) => `${call} ${root}` }),
  );
  for (const id of ["c-1", "c-2"] as const) desk.thread(id, id);
  desk.board.spoil("send", { kind: "stuck", applied: false });
  desk.post("c-1", post("a"));
  await desk.board.called();
  desk.post("c-2", post("b"));
  desk.clock.advance(120_000);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await desk.still();
  expect(desk.texts("c-2")).toEqual(["b"]);
});

it("a reply to a person that never ends counts as one of which nobody knows the outcome", async () => {
  const clock = createManualClock();
  const { promise: endless } = Promise.withResolvers<never>();
  const { answer } = boundSurface({ ...createBoard().surface, answer: () => endless }, clock);
  const answered = answer({ place: "C1", root: null, person: "U1" }, { text: "No.", buttons: [] }, null);
  clock.advance(120_000);
  expect(await answered).toMatchObject({ kind: "unknown" });
});

it("what nobody told the deliverer of comes within a minute of whatever it heard of, and else within minutes", async () => {
  const desk = createDesk();
  desk.thread(ID);
  desk.deliverer.start();
  await desk.still();
  desk.store(ID, post("a"));
  await desk.still();
  expect(desk.texts()).toEqual([]);
  desk.clock.advance(59_999);
  await desk.still();
  expect(desk.texts()).toEqual([]);
  desk.clock.advance(1);
  await desk.still();
  expect(desk.texts()).toEqual(["a"]);
  desk.clock.advance(60_000);
  await desk.still();
  desk.store(ID, post("b"));
  desk.clock.advance(150_000);
  await desk.still();
  expect(desk.texts()).toEqual(["a", "b"]);
  expect(desk.ledger.behind("board")).toEqual([]);
});

it("an outage is named with what the platform says, and is over within a quarter of a minute of it", async () => {
  const desk = createDesk();
  desk.thread(ID);
  desk.deliverer.start();
  for (let no = 0; no < 12; no += 1) {
    desk.board.spoil("send", { kind: "refused", why: "it cannot be reached", permanent: false });
  }
  desk.board.spoil("open", { kind: "refused", why: "it cannot be reached", permanent: false });
  desk.post(ID, post("a"));
  await desk.still();
  for (let seconds = 0; seconds < 62; seconds += 1) {
    desk.clock.advance(1_000);
    await desk.still();
  }
  expect(desk.deliverer.late()).toMatchObject([{ conversation: ID, why: "it cannot be reached" }]);
  for (let seconds = 0; seconds < 74; seconds += 1) {
    desk.clock.advance(1_000);
    await desk.still();
  }
  expect(desk.warnings.filter((line) => line.includes("thread stale for a minute"))).toHaveLength(1);
  expect(desk.texts()).toEqual(["a"]);
  expect(desk.deliverer.late()).toEqual([]);
});

const minutes = async (desk: Desk, count: number): Promise<void> => {
  for (let no = 0; no < count; no += 1) {
    desk.clock.advance(60_000);
    await desk.still();
  }
};

const closedDesk = async (closings: number): Promise<Desk> => {
  const desk = createDesk();
  desk.thread(ID);
  desk.deliverer.start();
  const closed = { kind: "gone", what: "thread", why: "is_archived" } as const;
  for (let no = 0; no < closings; no += 1) desk.board.spoil("send", closed);
  desk.post(ID, post("a"));
  await desk.still();
  expect(desk.texts()).toEqual([]);
  return desk;
};

it("40.B a thread that was closed to us gets its answer by itself, a minute after it is open again", async () => {
  const desk = await closedDesk(1);
  await minutes(desk, 1);
  expect(desk.texts()).toEqual(["a"]);
  expect(desk.ledger.behind("board")).toEqual([]);
});

it("40.B a closed thread is tried at most every 15 minutes, for a day, and told of once", async () => {
  const desk = await closedDesk(1_000);
  await minutes(desk, 26 * 60);
  const tries = desk.board.calls.filter((call) => call === "send a").length;
  expect(tries).toBeGreaterThan(90);
  expect(tries).toBeLessThan(104);
  expect(desk.warnings.filter((line) => line.includes("thread closed"))).toHaveLength(1);
  expect(desk.deliverer.late()).toEqual([]);
});

it("40.B a closed thread is tried at once when the platform tells that its place changed, and not for another's", async () => {
  const desk = await closedDesk(1);
  desk.deliverer.reopened("C2");
  await desk.still();
  expect(desk.texts()).toEqual([]);
  desk.deliverer.reopened("C1");
  await desk.still();
  expect(desk.texts()).toEqual(["a"]);
});

it.for([
  ["at once if it is told of that place", "C1", ["a"]],
  ["later if it is told of another place", "C2", []],
] as const)(
  "40.B a change that is told while a call finds the thread closed counts: it is tried %s",
  async ([, place, shown]) => {
    const desk = createDesk();
    desk.thread(ID);
    desk.deliverer.start();
    desk.board.weather = (kind) => {
      if (kind !== "send") return null;
      desk.board.weather = null;
      desk.deliverer.reopened(place);
      return { kind: "gone", what: "thread", why: "is_archived" };
    };
    desk.post(ID, post("a"));
    await desk.still();
    expect(desk.texts()).toEqual(shown);
    await minutes(desk, 1);
    expect(desk.texts()).toEqual(["a"]);
  },
);

it("40.B a post that the platform carries out after its repeat was made loses its twin a minute later", async () => {
  const desk = createDesk();
  desk.thread(ID);
  desk.deliverer.start();
  desk.board.spoil("send", { kind: "later" });
  desk.post(ID, post("a"), post("b"));
  await desk.still();
  desk.clock.advance(1_000);
  await desk.still();
  expect(desk.texts()).toEqual(["a", "b"]);
  desk.board.carryOut();
  expect(desk.texts()).toEqual(["a", "b", "a"]);
  await minutes(desk, 1);
  expect(desk.texts()).toEqual(["a", "b"]);
  expect(desk.ledger.behind("board")).toEqual([]);
});

it("40.B a post that comes late loses its twin after a restart too, and the message itself stays", async () => {
  const desk = createDesk();
  desk.thread(ID);
  desk.deliverer.start();
  desk.board.spoil("send", { kind: "later" });
  desk.post(ID, post("a"), post("b"));
  await desk.still();
  desk.clock.advance(1_000);
  await desk.still();
  expect(desk.texts()).toEqual(["a", "b"]);
  const next = desk.restart();
  next.deliverer.start();
  await next.still();
  desk.board.carryOut();
  expect(next.texts()).toEqual(["a", "b", "a"]);
  await minutes(next, 1);
  expect(next.texts()).toEqual(["a", "b"]);
  expect(next.ledger.behind("board")).toEqual([]);
});

it("39.A3 a message that the platform cannot take holds up nothing: plain text, then a notice", async () => {
  const desk = createDesk();
  desk.thread(ID);
  desk.deliverer.start();
  for (let no = 0; no < 50; no += 1) desk.board.spoil("send", { kind: "unknown", why: "internal_error" });
  desk.post(ID, post("a"), post("b"));
  for (let no = 0; no < 60; no += 1) {
    desk.clock.advance(15_000);
    await desk.still();
  }
  expect(desk.texts()).toEqual(["refused: internal_error: a", "b"]);
  expect(desk.ledger.behind("board")).toEqual([]);
});
