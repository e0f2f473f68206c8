/** What has arrived and meets trouble while it is handled. */

import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { createInbox } from "../../../src/runtime/chat/inbox.ts";
import type { HandleResult } from "../../../src/ports/chat.ts";
import { createSlots } from "../../../src/runtime/live/slots.ts";
import { openGrouped } from "../../store/kit.ts";
import { createManualClock } from "../world.ts";

const MINUTES = 2 * 60_000;

/** `fails`: how often a row's handling throws. */
const open = (fails: Readonly<Record<string, number>>) => {
  const { chat } = openGrouped();
  let written = 0;
  const arrive: typeof chat.arrive = (...given) => {
    written += 1;
    return chat.arrive(...given);
  };
  const clock = createManualClock();
  const errors: string[] = [];
  const tries = new Map<string, number>();
  const handled: string[] = [];
  const inbox = createInbox({
    surface: "board",
    store: { ...chat, arrive },
    clock,
    log: { info: () => {}, warn: () => {}, error: (message) => void errors.push(message) },
    slots: createSlots(2),
    gap: { isOpen: () => false, begin: () => {} },
    stored: () => {},
    handle: ({ id }): Promise<HandleResult> => {
      const no = (tries.get(id) ?? 0) + 1;
      tries.set(id, no);
      if (no <= (fails[id] ?? 0)) return Promise.reject(new Error("unforeseen"));
      handled.push(id);
      return Promise.resolve("done");
    },
  });
  /** Lets every wait between tries pass. */
  const pass = async (): Promise<void> => {
    for (let second = 0; second < MINUTES; second += 1_000) {
      clock.advance(1_000);
      await setImmediate();
    }
  };
  const unhandled = (): readonly string[] => chat.unhandled("board").map(({ id }) => id);
  return { inbox, tries, handled, errors, pass, unhandled, written: () => written };
};

const arrival = (id: string) => ({ id, lane: "C1/1", body: "words" });

it("what fails in a way that nobody foresaw is handled again, before what came after it", async () => {
  const { inbox, handled, errors, pass, unhandled } = open({ first: 2 });
  await Promise.all([inbox.arrive(arrival("first")), inbox.arrive(arrival("second"))]);
  await pass();
  expect(handled).toEqual(["first", "second"]);
  expect(errors).toEqual(["inbox: event not handled", "inbox: event not handled"]);
  expect(unhandled()).toEqual([]);
});

it("what fails every time is given up after a minute, said in the log, and holds up nothing for longer", async () => {
  const { inbox, tries, handled, errors, pass, unhandled } = open({ first: Number.POSITIVE_INFINITY });
  await Promise.all([inbox.arrive(arrival("first")), inbox.arrive(arrival("second"))]);
  await pass();
  expect(tries.get("first")).toBe(8);
  expect(handled).toEqual(["second"]);
  expect(errors.at(-1)).toBe("inbox: event dropped");
  expect(unhandled()).toEqual([]);
});

it("what is told of again within a moment is known without the store, and handled once", async () => {
  const { inbox, handled, pass, written } = open({});
  expect(await inbox.arrive(arrival("first"))).toEqual({ kind: "stored" });
  expect(await inbox.arrive(arrival("first"))).toEqual({ kind: "known" });
  await pass();
  expect(await inbox.arrive(arrival("first"))).toEqual({ kind: "known" });
  expect(handled).toEqual(["first"]);
  expect(written()).toBe(1);
});
