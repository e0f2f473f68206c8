/** What people wrote while nobody listened is handled once, and nothing that was answered is answered again. */

import { describe, expect, it } from "vitest";
import { createDoor, type Door } from "./door.ts";

/** A door behind which one message was said and answered. */
const answered = async (): Promise<Door> => {
  const door = createDoor();
  await door.catchUp.run();
  await door.write("1", "first");
  door.deliver("1");
  return door;
};

const caughtUp = async (door: Door): Promise<Door> => {
  const run = door.catchUp.run();
  await door.still();
  door.clock.advance(20);
  await run;
  await door.still();
  return door;
};

/** What waits for the disk is tried, and what follows from that has its time. */
const retried = async (door: Door): Promise<void> => {
  for (const wait of [1_000, 20, 20]) {
    door.clock.advance(wait);
    await door.still();
  }
};

describe("catching up", () => {
  it("reads channels and threads from where everything is answered, through the same door", async () => {
    const door = await answered();
    door.gap.begin();
    door.miss("2", "while away", "1");
    door.miss("3", "a new thread");
    await caughtUp(door);
    expect(door.sources()).toEqual(["C1 after 1", "C1/1 after 1"]);
    expect(door.said().toSorted()).toEqual(["a new thread", "first", "while away"]);
    expect(door.gap.isOpen()).toBe(false);
  });

  it("40.B tells a channel how many of its threads are beyond the bound, and says nothing if none is", async () => {
    const door = await answered();
    door.gap.begin();
    await caughtUp(door);
    expect(door.told()).toEqual([]);
    door.gap.begin();
    door.leave(7);
    await caughtUp(door);
    expect(door.told()).toEqual(["C1 after 1: 7"]);
  });

  it.each([
    [200, 0],
    [203, 3],
  ])(
    "40.B of %i channels that are not known the operator hears that %i were not read",
    async (count, left) => {
      const door = createDoor(
        undefined,
        Array.from({ length: count }, (_, no) => `C${no + 2}`),
      );
      await caughtUp(door);
      expect(door.sources()).toHaveLength(200);
      expect(door.passedOver()).toEqual([[left, 0]]);
    },
  );

  it.each([
    [999, 0],
    [1_000, 1_000],
  ])("40.B of %i threads of late the operator hears the bound %i", async (count, bound) => {
    const door = createDoor();
    await door.catchUp.run();
    for (let no = 1; no <= count; no += 1) await door.write(String(no), `thread ${no}`);
    const later = await caughtUp(door.restart());
    expect(later.passedOver().at(-1)).toEqual([0, bound]);
  });

  it("handles nothing twice: what is told late, told again, or read again is known", async () => {
    const door = await answered();
    door.gap.begin();
    door.miss("2", "while away", "1");
    await caughtUp(door);
    expect(await door.write("2", "while away", "1")).toBe("known");
    const later = await caughtUp(door.restart());
    expect(await later.write("1", "first")).toBe("known");
    expect(later.said()).toEqual(["first", "while away"]);
  });

  it("takes a late message that others have overtaken", async () => {
    const door = await answered();
    await door.write("3", "third", "1");
    await door.write("2", "second", "1");
    expect(door.said()).toEqual(["first", "third", "second"]);
  });

  it("a cursor waits for the final delivery of the turn", async () => {
    const door = await answered();
    door.think("1");
    await door.write("2", "second", "1");
    door.deliver("1");
    const early = await caughtUp(door.restart());
    expect(early.sources()).toContain("C1/1 after 1");
    early.rest("1");
    early.deliver("1");
    const late = await caughtUp(early.restart());
    expect(late.sources()).toContain("C1/1 after 2");
  });

  it("a channel's cursor waits for every thread that began there before", async () => {
    const door = await answered();
    await door.write("2", "second thread");
    await door.write("3", "third thread");
    door.deliver("3");
    const early = await caughtUp(door.restart());
    expect(early.sources()).toContain("C1 after 1");
    early.deliver("2");
    const late = await caughtUp(early.restart());
    expect(late.sources()).toContain("C1 after 3");
  });

  it("a cursor does not go past a gap that is not closed", async () => {
    const door = await answered();
    door.gap.begin();
    door.miss("2", "missed", "1");
    await door.write("3", "after the gap", "1");
    door.deliver("1");
    const later = await caughtUp(door.restart());
    expect(later.sources()).toContain("C1/1 after 1");
    expect(later.said()).toEqual(["first", "after the gap", "missed"]);
    later.deliver("1");
    const last = await caughtUp(later.restart());
    expect(last.sources()).toContain("C1/1 after 3");
  });

  it("a connection lost while reading leaves the gap open", async () => {
    const door = await answered();
    door.gap.begin();
    door.blind({ kind: "throttled", retryAfter: 1_000 });
    const run = door.catchUp.run();
    await door.still();
    door.gap.begin();
    door.clock.advance(1_000);
    await run;
    expect(door.gap.isOpen()).toBe(true);
    await caughtUp(door);
    expect(door.gap.isOpen()).toBe(false);
  });

  it("is tried again by itself while the connection holds, where the platform could not be read", async () => {
    const door = await answered();
    door.gap.begin();
    door.miss("2", "missed");
    door.blind(...Array.from({ length: 5 }, () => ({ kind: "unknown", why: "HTTP 500" }) as const));
    const run = door.catchUp.run();
    for (const wait of [5_000, 10_000, 15_000, 20_000]) {
      await door.still();
      door.clock.advance(wait);
    }
    await run;
    expect([door.said(), door.gap.isOpen()]).toEqual([["first"], true]);
    door.clock.advance(60_000);
    await door.still();
    door.clock.advance(20);
    await door.still();
    expect([door.said(), door.gap.isOpen()]).toEqual([["first", "missed"], false]);
  });

  it.each([
    ["is removed", true],
    ["comes and goes", false],
  ])("a message of ours that %s while the thread is read answers nothing before it", async (_, known) => {
    const door = await answered();
    door.gap.begin();
    door.miss("2", "while away", "1");
    door.passes("3", "progress", "1", known);
    await caughtUp(door);
    expect(door.said()).toEqual(["first", "while away"]);
  });

  it("waits as long as the platform asks, leaves what is gone, and goes on with the rest", async () => {
    const door = await answered();
    door.miss("2", "missed", "1");
    const later = door.restart();
    later.blind(
      { kind: "gone", what: "thread", why: "channel_not_found" },
      { kind: "throttled", retryAfter: 30_000 },
    );
    const run = later.catchUp.run();
    await later.still();
    later.clock.advance(29_999);
    await later.still();
    expect(later.said()).toEqual(["first"]);
    later.clock.advance(1);
    await run;
    await later.still();
    expect(later.said()).toEqual(["first", "missed"]);
    expect(later.gap.isOpen()).toBe(false);
  });

  it("a full disk leaves the gap open and the message to the next time", async () => {
    const door = await answered();
    door.gap.begin();
    door.miss("2", "missed", "1");
    door.fill(true);
    await caughtUp(door);
    expect([door.said(), door.gap.isOpen()]).toEqual([["first"], true]);
    door.fill(false);
    await caughtUp(door);
    expect([door.said(), door.gap.isOpen()]).toEqual([["first", "missed"], false]);
  });
});

describe("what the disk refuses", () => {
  it("is told so, held, and handled as soon as the disk takes it, though nobody sends it again", async () => {
    const door = await answered();
    door.fill(true);
    expect(await door.write("2", "refused", "1")).toBe("failed");
    await retried(door);
    expect([door.said(), door.gap.isOpen()]).toEqual([["first"], true]);
    door.fill(false);
    await retried(door);
    await retried(door);
    expect(door.gap.isOpen()).toBe(false);
    expect(door.said()).toEqual(["first", "refused"]);
    expect(await door.write("2", "refused", "1")).toBe("known");
    expect(door.said()).toEqual(["first", "refused"]);
  });

  it("is handled before what is said after it, and holds the cursor until it is stored", async () => {
    const door = await answered();
    door.fill(true);
    await door.write("2", "refused", "1");
    door.clock.advance(1_000);
    await door.still();
    door.fill(false);
    door.clock.advance(1_000);
    await door.write("3", "after it", "1");
    expect(door.said()).toEqual(["first", "refused", "after it"]);
    await retried(door);
    door.deliver("1");
    expect((await caughtUp(door.restart())).sources()).toContain("C1/1 after 3");
  });

  it("is read by the next process where this one ends before: no cursor has gone past it", async () => {
    const door = await answered();
    door.fill(true);
    await door.write("2", "refused", "1");
    door.clock.advance(1_000);
    await door.still();
    door.fill("2");
    await door.write("3", "after it", "1");
    door.deliver("1");
    const later = await caughtUp(door.restart());
    expect(later.sources()).toContain("C1/1 after 1");
    expect(later.said()).toEqual(["first", "after it", "refused"]);
  });

  it("is not done later where somebody was told that nothing was done", async () => {
    const door = await answered();
    door.fill(true);
    expect(await door.click("click")).toBe("failed");
    door.fill(false);
    await retried(door);
    expect([door.said(), door.gap.isOpen()]).toEqual([["first"], false]);
    expect(await door.click("click")).toBe("stored");
  });

  it("one row that can never be stored holds up no other", async () => {
    const door = await answered();
    door.fill("2");
    await Promise.all([door.write("2", "never", "1"), door.write("3", "beside it", "1")]);
    await retried(door);
    expect([door.said(), door.gap.isOpen()]).toEqual([["first", "beside it"], true]);
  });
});

describe("a thread that is about to become a conversation's", () => {
  it("is known from the arrival of what begins it until that is handled", async () => {
    const door = await answered();
    expect(door.awaits("2")).toBe(false);
    const writing = door.write("2", "second");
    expect(door.awaits("2")).toBe(true);
    await writing;
    expect(door.awaits("2")).toBe(false);
    door.fill(true);
    await door.write("3", "third");
    expect(door.awaits("3")).toBe(true);
  });
});

describe("a database of yesterday", () => {
  it("does not answer again what the lost day has answered, and goes on with what it has not", async () => {
    const door = await answered();
    door.miss("2", "answered in the lost day", "1");
    door.ours("3", "a wire that this database never saw", "1");
    door.miss("4", "not answered", "1");
    door.miss("5", "its thread has answers of ours", null, true);
    const restored = await caughtUp(door.restart());
    expect(restored.said()).toEqual(["first", "not answered"]);
    expect(restored.warnings).toHaveLength(2);
    expect(await restored.write("6", "today", "1")).toBe("stored");
    expect(restored.said()).toEqual(["first", "not answered", "today"]);
  });
});
