/** Several observers as one: the order in which they see a port, a change and the end. */

import { expect, it } from "vitest";
import { inOrder, type Observer, UNOBSERVED } from "../../src/ports/observer.ts";
import type { Surface } from "../../src/ports/surface.ts";

const thread = { conversation: "c-1", surface: "slack", place: "C1", root: "1.2" } as const;

const noting = (name: string, notes: string[]): Partial<Observer> => ({
  surface: (on, surface) => ({
    ...surface,
    apply: (operation) => {
      notes.push(`${name} applies on ${on}`);
      return surface.apply(operation);
    },
  }),
  heard: (id) => void notes.push(`${name} hears ${id}`),
  answered: (method, route, status) => void notes.push(`${name}: ${method} ${route} ${status}`),
  streaming: (open) => void notes.push(`${name}: ${open} open`),
  logFields: ({ field }) => ({ [name]: field ?? null, last: name }),
  close: async () => void notes.push(`${name} closes`),
});

it("the first is nearest to the port and hears first, the last is closed first", async () => {
  const notes: string[] = [];
  const observer = inOrder([noting("one", notes), {}, noting("two", notes)]);
  const platform: Pick<Surface, "apply"> = {
    apply: async () => {
      notes.push("platform");
      return { kind: "done", id: "1" };
    },
  };
  const outcome = await observer
    .surface("slack", platform)
    .apply({ kind: "delete", thread, wire: "w", id: "1.3" });
  expect(outcome).toEqual({ kind: "done", id: "1" });
  observer.heard("c-1", { kind: "gone" });
  observer.answered("GET", "/healthz", 200);
  observer.streaming(2);
  await observer.close();
  expect(notes).toEqual([
    "two applies on slack",
    "one applies on slack",
    "platform",
    "one hears c-1",
    "two hears c-1",
    "one: GET /healthz 200",
    "two: GET /healthz 200",
    "one: 2 open",
    "two: 2 open",
    "two closes",
    "one closes",
  ]);
  expect(observer.logFields({ field: 7 })).toEqual({ one: 7, two: 7, last: "two" });
});

it("without observers a port is itself, and a log line gets nothing", () => {
  const platform: Pick<Surface, "apply"> = { apply: async () => ({ kind: "done", id: "1" }) };
  expect(UNOBSERVED.surface("slack", platform)).toBe(platform);
  expect(UNOBSERVED.logFields({ field: 7 })).toEqual({});
});
