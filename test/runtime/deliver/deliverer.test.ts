/** What a thread comes to hold, whatever the platform, the disk and the process do. */

import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import { createBoard, createDesk, decided, generous, post, question, spending, thinking } from "./board.ts";

const ID = "c-1";
const FULL = { kind: "failed", code: "disk_full", message: "full" } as const;

describe("the deliverer", () => {
  it("D1 brings what was stored before it began, in order, and says in the ledger that it is done", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.store(ID, post("a"), post("b"));
    desk.deliverer.start();
    await desk.still();
    expect(desk.texts()).toEqual(["a", "b"]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("does nothing at all where nothing is behind", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.post(ID, post("a"));
    await desk.still();
    const later = desk.restart();
    later.deliverer.start();
    await later.still();
    expect(desk.board.calls).toEqual(["send a"]);
  });

  it("leaves conversations of other surfaces alone", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.post("c-console", post("a"));
    await desk.still();
    expect(desk.board.calls).toEqual([]);
  });

  it("changes a question in place when it is decided", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.post(ID, question("q"));
    await desk.still();
    expect(desk.texts()).toEqual(["q ?"]);
    desk.post(ID, decided("q"));
    await desk.still();
    expect(desk.texts()).toEqual(["q"]);
    expect(desk.board.calls).toEqual(["send q ?", "finish q"]);
  });
});

describe("a lost acknowledgement", () => {
  it("is settled by asking: what arrived is not sent again", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.board.spoil("send", { kind: "lost" });
    desk.post(ID, post("a"), post("b"));
    await desk.still();
    expect(desk.board.calls).toEqual(["send a"]);
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.texts()).toEqual(["a", "b"]);
    expect(desk.board.calls).toEqual(["send a", "observe", "send b"]);
  });

  it("is settled by asking: what did not arrive is sent", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.board.spoil("send", { kind: "unknown", why: "reset" });
    desk.post(ID, post("a"));
    await desk.still();
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.board.calls).toEqual(["send a", "observe", "send a", "observe"]);
    expect(desk.texts()).toEqual(["a"]);
  });

  it.each([
    [true, ["send a", "observe", "send b"]],
    [false, ["send a", "observe", "send a", "observe", "send b"]],
  ])("of a process that ended is settled by the next one (arrived: %s)", async (applied, calls) => {
    const desk = createDesk();
    desk.thread(ID);
    desk.board.spoil("send", { kind: "stuck", applied });
    desk.post(ID, post("a"), post("b"));
    await desk.board.called();
    const later = desk.restart();
    later.deliverer.start();
    await later.still();
    expect(later.texts()).toEqual(["a", "b"]);
    expect(later.board.calls).toEqual(calls);
  });

  it("of an edit needs no question: the edit is made again", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.post(ID, question("q"));
    await desk.still();
    desk.board.spoil("finish", { kind: "stuck", applied: true });
    desk.post(ID, decided("q"));
    await desk.board.called();
    const later = desk.restart();
    later.deliverer.start();
    await later.still();
    expect(later.board.calls).toEqual(["send q ?", "finish q", "finish q"]);
  });

  it("whose request and repeat both arrive leaves one message", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.board.spoil("send", { kind: "late" });
    desk.post(ID, post("a"));
    await desk.still();
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.texts()).toEqual(["a"]);
    const calls = ["send a", "observe", "send a", "observe", "delete id1"];
    expect(desk.board.calls).toEqual(calls);
    // One more look, a minute later: it may come later still.
    desk.clock.advance(60_000);
    await desk.still();
    expect(desk.board.calls).toEqual([...calls, "observe"]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("makes a repeat that says so where the platform cannot be asked", async () => {
    const desk = createDesk(createBoard({ ...generous, observes: false }));
    desk.thread(ID);
    desk.board.spoil("send", { kind: "lost" });
    desk.post(ID, post("a"));
    await desk.still();
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.texts()).toEqual(["a", "again: a"]);
  });

  it("does the same where the platform will not say", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.board.spoil("send", { kind: "unknown", why: "reset" });
    desk.board.spoil("observe", { kind: "refused", why: "missing_scope", permanent: true });
    desk.post(ID, post("a"));
    await desk.still();
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.texts()).toEqual(["again: a"]);
    expect(desk.warnings).toHaveLength(1);
  });
});

describe("rate limits", () => {
  it("Retry-After holds its own route and no other, and not longer than asked", async () => {
    const desk = createDesk();
    desk.thread(ID, "C1");
    desk.thread("c-2", "C2");
    desk.board.spoil("send", { kind: "throttled", retryAfter: 5_000 });
    desk.post(ID, post("a"));
    await desk.still();
    desk.post("c-2", post("b"));
    desk.clock.advance(4_999);
    await desk.still();
    expect([desk.texts("C1"), desk.texts("C2")]).toEqual([[], ["b"]]);
    desk.clock.advance(1);
    await desk.still();
    expect(desk.texts("C1")).toEqual(["a"]);
  });

  it("a route that was throttled is used one call after the other, though many threads have waited", async () => {
    const desk = createDesk();
    const ids = ["c-1", "c-2", "c-3", "c-4"] as const;
    for (const id of ids) desk.thread(id);
    desk.board.spoil("send", { kind: "throttled", retryAfter: 5_000 });
    desk.post("c-1", post("a"));
    await desk.still();
    for (const id of ids.slice(1)) desk.post(id, post(id));
    desk.clock.advance(5_000);
    await desk.still();
    expect(desk.texts()).toHaveLength(1);
    desk.clock.advance(999);
    await desk.still();
    expect(desk.texts()).toHaveLength(1);
    desk.clock.advance(1);
    await desk.still();
    expect(desk.texts()).toHaveLength(2);
    desk.clock.advance(1_000);
    await desk.still();
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.texts()).toHaveLength(4);
    desk.clock.advance(60_000);
    for (const id of ids) desk.post(id, post(`${id} later`));
    await desk.still();
    expect(desk.texts()).toHaveLength(8);
  });

  it("D22 questions go before everything else between threads", async () => {
    const desk = createDesk(createBoard({ ...generous, parallel: 1 }));
    for (const id of ["c-1", "c-2", "c-3"] as const) desk.thread(id);
    desk.post("c-1", post("a"));
    desk.post("c-2", post("b"));
    desk.post("c-3", question("q"));
    await desk.still();
    expect(desk.board.calls).toEqual(["send q ?", "send a", "send b"]);
  });

  it("threads are served in turn", async () => {
    const desk = createDesk(createBoard({ ...generous, parallel: 1 }));
    desk.thread("c-1");
    desk.thread("c-2");
    desk.post("c-1", post("a1"), post("a2"), post("a3"));
    desk.post("c-2", post("b1"), post("b2"));
    await desk.still();
    expect(desk.texts()).toEqual(["a1", "b1", "a2", "b2", "a3"]);
  });

  it("the calls of a connection are shared: what has none left waits for the next one earned", async () => {
    const desk = createDesk(createBoard({ ...generous, ...spending(2, 100) }));
    desk.thread("c-1");
    desk.thread("c-2");
    desk.post("c-1", post("a1"), post("a2"));
    desk.post("c-2", post("b1"));
    await desk.still();
    expect(desk.board.calls).toHaveLength(2);
    desk.clock.advance(100);
    await desk.still();
    expect(desk.texts().toSorted()).toEqual(["a1", "a2", "b1"]);
  });

  it("what is counted apart waits for nothing else: whoever has no message left to spend holds up no other channel", async () => {
    const desk = createDesk(
      createBoard({
        ...generous,
        budgetOf: (call, { place }) => ({ name: `${call} ${place}`, burst: 1, every: 100 }),
      }),
    );
    desk.thread("c-1");
    desk.thread("c-2", "C2");
    desk.post("c-1", post("a1"), post("a2"));
    desk.post("c-2", post("b1"));
    await desk.still();
    expect([desk.texts(), desk.texts("C2")]).toEqual([["a1"], ["b1"]]);
    desk.clock.advance(100);
    await desk.still();
    expect(desk.texts()).toEqual(["a1", "a2"]);
  });
});

describe("progress that a message shows only for a time", () => {
  const LASTS = 240_000;

  it("goes on in another message when that is over", async () => {
    const desk = createDesk(createBoard(generous, LASTS));
    desk.thread(ID);
    desk.status(ID, thinking);
    await desk.still();
    const [first] = desk.board.messages;
    desk.clock.advance(LASTS - 1);
    await desk.still();
    expect(desk.board.messages.map(({ id }) => id)).toEqual([first?.id]);
    desk.clock.advance(1);
    await desk.still();
    desk.clock.advance(generous.editAtMost);
    await desk.still();
    expect(desk.board.messages).toHaveLength(1);
    expect(desk.board.messages[0]?.id).not.toBe(first?.id);
  });

  it("holds a thread in memory for as long as something goes on in it, and no longer", async () => {
    const desk = createDesk(createBoard(generous, LASTS));
    const ids = Array.from({ length: 50 }, (_, no): ConversationId => `c-${no}`);
    for (const id of ids) {
      desk.thread(id);
      desk.status(id, thinking);
    }
    await desk.still();
    expect(desk.clock.pending()).toBeGreaterThanOrEqual(ids.length);
    for (const id of ids) {
      desk.post(id, post(`answer ${id}`));
      desk.status(id, null);
    }
    await desk.still();
    desk.clock.advance(generous.editAtMost);
    await desk.still();
    expect(desk.texts().toSorted()).toEqual(ids.map((id) => `answer ${id}`).toSorted());
    expect(desk.clock.pending()).toBe(0);
  });
});

describe("progress", () => {
  it("T3 shows the newest text at the platform's pace, and is gone once the answer stands", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.status(ID, thinking);
    await desk.still();
    for (let count = 1; count <= 100; count += 1) {
      desk.live(ID, `text ${count} more`);
      desk.clock.advance(20);
      await desk.still();
    }
    const edits = desk.board.calls.slice(1);
    expect(edits.length).toBeLessThanOrEqual(3);
    expect(edits.at(-1)).toMatch(/^status thinking text \d+ $/);
    desk.post(ID, post("answer"));
    desk.live(ID, "");
    desk.status(ID, null);
    await desk.still();
    expect(desk.texts()).toEqual(["answer"]);
    expect(desk.board.calls.slice(-2)).toEqual(["send answer", "delete id0"]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("TH2 says for how long the same thing has been done, now and then, and begins anew with the next", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.status(ID, thinking);
    const said: string[] = [];
    for (let second = 0; second <= 300; second += 1) {
      await desk.still();
      const [text = ""] = desk.texts();
      if (text !== said.at(-1)) said.push(text);
      desk.clock.advance(1_000);
    }
    const seconds = [20, 40, 60, 80, 100, 120, 180, 240, 300];
    expect(said).toEqual(["thinking ", ...seconds.map((count) => `thinking ${count}000 `)]);
    desk.status(ID, { ...thinking, attempt: 2 });
    await desk.still();
    desk.clock.advance(generous.editAtMost);
    await desk.still();
    expect(desk.texts()).toEqual(["thinking "]);
  });

  it("D3 is rendered when its turn has come, not for each piece of text that waits for a call", async () => {
    const desk = createDesk(createBoard({ ...generous, ...spending(1, 1_000) }));
    desk.thread(ID);
    desk.thread("c-2");
    desk.status(ID, thinking);
    await desk.still();
    desk.status("c-2", thinking);
    for (let count = 1; count <= 100; count += 1) {
      desk.live("c-2", `text ${count} more`);
      await desk.still();
    }
    expect(desk.rendered()).toBe(1);
    desk.clock.advance(1_000);
    await desk.still();
    expect(desk.rendered()).toBe(2);
    expect(desk.texts()).toEqual(["thinking ", "thinking text 100 "]);
  });

  it("D22 stays the last message of the thread", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.status(ID, thinking);
    await desk.still();
    desk.post(ID, post("a"));
    await desk.still();
    desk.clock.advance(1_750);
    await desk.still();
    expect(desk.texts()).toEqual(["a", "thinking "]);
  });

  it("delays neither a question nor an answer, whatever becomes of its edits", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.status(ID, thinking);
    await desk.still();
    desk.board.spoil("status", { kind: "throttled", retryAfter: 60_000 });
    desk.live(ID, "text");
    desk.clock.advance(1_000);
    await desk.still();
    desk.post(ID, question("q"));
    await desk.still();
    expect(desk.texts()).toContain("q ?");
  });

  it("is not changed any more after three throttled edits, and still removed", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.status(ID, thinking);
    await desk.still();
    for (let strike = 0; strike < 3; strike += 1) {
      desk.board.spoil("status", { kind: "throttled", retryAfter: 1_000 });
      desk.live(ID, `strike ${strike}`);
      desk.clock.advance(10_000);
      await desk.still();
    }
    const before = desk.board.calls.length;
    desk.live(ID, "more");
    desk.clock.advance(60_000);
    await desk.still();
    expect(desk.board.calls).toHaveLength(before);
    desk.post(ID, post("answer"));
    desk.status(ID, null);
    await desk.still();
    expect(desk.texts()).toEqual(["answer"]);
  });

  it("over, a post that was throttled as often gets the last content there is, though it may change again", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.status(ID, thinking);
    desk.post(ID, question("q"));
    await desk.still();
    for (let strike = 0; strike < 3; strike += 1)
      desk.board.spoil("finish", { kind: "throttled", retryAfter: 1_000 });
    desk.post(ID, { ...question("q"), actions: [] });
    for (let tries = 0; tries < 5; tries += 1) {
      await desk.still();
      desk.clock.advance(60_000);
    }
    const edits = desk.board.calls.filter((call) => call === "finish q");
    expect(edits).toHaveLength(3);
    expect(desk.texts()).toContain("q ?");
    desk.status(ID, null);
    await desk.still();
    expect(desk.texts()).toEqual(["q"]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("of a process that ended is removed by the next one", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.status(ID, thinking);
    await desk.still();
    expect(desk.texts()).toEqual(["thinking "]);
    const later = desk.restart();
    later.deliverer.start();
    await later.still();
    expect(later.texts()).toEqual([]);
    expect(later.ledger.behind("board")).toEqual([]);
  });
});

describe("a thread that cannot be written", () => {
  it("rests, says so once in the log, and is tried again when something changes", async () => {
    const desk = createDesk();
    desk.thread(ID);
    const archived = { kind: "gone", what: "thread", why: "is_archived" } as const;
    desk.board.spoil("send", archived);
    desk.board.spoil("open", archived);
    desk.post(ID, post("a"));
    await desk.still();
    desk.clock.advance(30_000);
    await desk.still();
    desk.post(ID, post("b"));
    await desk.still();
    expect(desk.board.calls).toEqual(["send a", "open"]);
    expect(desk.warnings).toHaveLength(1);
    desk.post(ID, post("c"));
    await desk.still();
    expect(desk.texts()).toEqual(["a", "b", "c"]);
  });

  it.each([
    { kind: "refused", why: "cannot be reached", permanent: false },
    { kind: "throttled", retryAfter: 5_000 },
    { kind: "unknown", why: "no answer" },
  ] as const)("is asked again while it cannot be told whether it is open ($kind)", async (trouble) => {
    const desk = createDesk();
    desk.thread(ID);
    desk.board.spoil("send", { kind: "gone", what: "thread", why: "is_archived" });
    desk.post(ID, post("a"));
    await desk.still();
    desk.board.spoil("open", trouble);
    desk.post(ID, post("b"));
    await desk.still();
    desk.clock.advance(10_000);
    await desk.still();
    expect(desk.texts()).toEqual(["a", "b"]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("does not hold up the others", async () => {
    const desk = createDesk();
    desk.thread("c-1");
    desk.thread("c-2");
    desk.board.spoil("send", { kind: "gone", what: "thread", why: "is_archived" });
    desk.post("c-1", post("a"));
    await desk.still();
    desk.post("c-2", post("b"));
    await desk.still();
    expect(desk.texts()).toEqual(["b"]);
  });
});

describe("a message", () => {
  it("that a moderator deleted stays deleted, and the thread goes on", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.post(ID, question("q"));
    await desk.still();
    desk.board.remove("q ?");
    desk.post(ID, decided("q"), post("b"));
    await desk.still();
    expect(desk.texts()).toEqual(["b"]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("that the platform refuses for good is replaced by one that says so, and not tried for ever", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.board.spoil("send", { kind: "refused", why: "invalid_blocks", permanent: true });
    desk.post(ID, post("a"), post("b"));
    await desk.still();
    expect(desk.texts()).toEqual(["refused: invalid_blocks: a", "b"]);
    expect(desk.ledger.behind("board")).toEqual([]);
  });

  it("is left out where even that is refused", async () => {
    const desk = createDesk();
    desk.thread(ID);
    for (const why of ["x", "x"]) desk.board.spoil("send", { kind: "refused", why, permanent: true });
    desk.post(ID, post("a"), post("b"));
    await desk.still();
    expect(desk.texts()).toEqual(["b"]);
  });

  it("waits while the platform is out of order, longer each time", async () => {
    const desk = createDesk();
    desk.thread(ID);
    for (let count = 0; count < 3; count += 1) {
      desk.board.spoil("send", { kind: "refused", why: "service_unavailable", permanent: false });
    }
    desk.post(ID, post("a"));
    await desk.still();
    for (const [wait, calls] of [
      [1_000, 2],
      [1_999, 2],
      [1, 3],
      [4_000, 4],
    ] as const) {
      desk.clock.advance(wait);
      await desk.still();
      expect(desk.board.calls).toHaveLength(calls);
    }
    expect(desk.texts()).toEqual(["a"]);
  });
});

describe("a database of yesterday", () => {
  it("D10 takes no message of the lost day for its own, even of the same name", async () => {
    const lost = createDesk();
    lost.thread(ID);
    lost.post(ID, post("a"), post("b"));
    await lost.still();
    const restored = createDesk(lost.board);
    restored.thread(ID);
    restored.board.spoil("send", { kind: "unknown", why: "reset" });
    restored.post(ID, post("b"));
    await restored.still();
    restored.clock.advance(1_000);
    await restored.still();
    expect(restored.texts()).toEqual(["a", "b", "b"]);
  });
});

describe("a disk that refuses", () => {
  it("T1 before a call: nothing is sent that is not in the ledger, and it is sent once it is", async () => {
    const desk = createDesk();
    desk.thread(ID);
    desk.post(ID, post("a"));
    await desk.still();
    let full = true;
    const later = desk.restart({
      ...desk.ledger,
      put: (id, row) => (full ? Promise.resolve(FULL) : desk.ledger.put(id, row)),
    });
    later.post(ID, post("b"));
    await later.still();
    expect(later.texts()).toEqual(["a"]);
    full = false;
    later.clock.advance(1_000);
    await later.still();
    expect(later.texts()).toEqual(["a", "b"]);
  });

  it("T1 after a call: the acknowledgement is kept, and nothing is sent twice", async () => {
    const desk = createDesk();
    desk.thread(ID);
    let full = true;
    const later = desk.restart({
      ...desk.ledger,
      put: (id, row) => (full && row.state === "sent" ? Promise.resolve(FULL) : desk.ledger.put(id, row)),
    });
    later.post(ID, post("a"), post("b"));
    await later.still();
    later.clock.advance(5_000);
    await later.still();
    expect(later.board.calls).toEqual(["send a"]);
    full = false;
    later.clock.advance(1_000);
    await later.still();
    expect(later.board.calls).toEqual(["send a", "send b"]);
    expect(later.ledger.behind("board")).toEqual([]);
  });
});
