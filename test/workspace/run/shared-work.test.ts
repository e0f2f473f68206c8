import { expect, test } from "vitest";
import { BrokenOff } from "../../../src/workspace/run/git-trouble.ts";
import { createSharedWork, type Hooks } from "../../../src/workspace/run/shared-work.ts";

const passenger = (): { hooks: Hooks; abort: () => void; lines: string[] } => {
  const controller = new AbortController();
  const lines: string[] = [];
  return {
    hooks: { signal: controller.signal, onProgress: (l) => lines.push(l) },
    abort: () => controller.abort(),
    lines,
  };
};

test("all who ask while it flies share one flight and its progress", async () => {
  const flights = createSharedWork<number>();
  const gate = Promise.withResolvers<null>();
  let begun = 0;
  const work = async (hooks: Hooks): Promise<number> => {
    begun++;
    await gate.promise;
    hooks.onProgress("half");
    return begun;
  };
  const [a, b] = [passenger(), passenger()];
  const both = [flights.join("k", a.hooks, work), flights.join("k", b.hooks, work)];
  const other = flights.join("other", a.hooks, async () => 7);
  gate.resolve(null);
  expect(await Promise.all(both)).toEqual([1, 1]);
  expect(await other).toEqual(7);
  expect([a.lines, b.lines]).toEqual([["half"], ["half"]]);
  expect(await flights.join("k", a.hooks, work)).toEqual(2);
});

test("one who leaves does not end the flight of those who stay", async () => {
  const flights = createSharedWork<string>();
  const gate = Promise.withResolvers<null>();
  let ended = false;
  const work = async (hooks: Hooks): Promise<string> => {
    hooks.signal.addEventListener("abort", () => {
      ended = true;
    });
    await gate.promise;
    return "there";
  };
  const [a, b] = [passenger(), passenger()];
  const [first, second] = [flights.join("k", a.hooks, work), flights.join("k", b.hooks, work)];
  a.abort();
  await expect(first).rejects.toThrow(BrokenOff);
  expect(ended).toBe(false);
  gate.resolve(null);
  expect(await second).toEqual("there");
});

test("the last one who leaves ends it and waits until it has cleaned up; the next begins anew", async () => {
  const flights = createSharedWork<string>();
  const cleaned = Promise.withResolvers<null>();
  const events: string[] = [];
  const slow = async (hooks: Hooks): Promise<string> => {
    events.push("begun");
    await new Promise((resolve) => hooks.signal.addEventListener("abort", resolve));
    events.push("ending");
    await cleaned.promise;
    events.push("clean");
    return "late";
  };
  const a = passenger();
  const left = flights.join("k", a.hooks, slow).catch(() => events.push("aborted"));
  a.abort();
  const next = flights.join("k", passenger().hooks, async () => {
    events.push("anew");
    return "new";
  });
  await Promise.resolve();
  expect(events).toEqual(["begun", "ending"]);
  cleaned.resolve(null);
  expect(await next).toEqual("new");
  await left;
  expect(events.indexOf("clean")).toBeLessThan(events.indexOf("aborted"));
  expect(events.indexOf("clean")).toBeLessThan(events.indexOf("anew"));
});

test("who has given up before asking begins nothing", async () => {
  const flights = createSharedWork<string>();
  const a = passenger();
  a.abort();
  let begun = false;
  const landing = flights.join("k", a.hooks, async () => {
    begun = true;
    return "x";
  });
  await expect(landing).rejects.toThrow(BrokenOff);
  expect(begun).toBe(false);
});

const fails = (): Promise<string> => Promise.reject(new Error("no space"));

test("work that fails has failed for all who wait for it, and the next begins anew", async () => {
  const flights = createSharedWork<string>();
  const [a, b] = [passenger(), passenger()];
  const both = [flights.join("k", a.hooks, fails), flights.join("k", b.hooks, fails)];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await flights.join("k", a.hooks, async () => "there")).toBe("there");
});
