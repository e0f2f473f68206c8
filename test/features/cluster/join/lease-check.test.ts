/** A host that is not the active one any more does nothing outside of itself (S4); the active one does. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { UNOBSERVED } from "../../../../src/ports/observer.ts";
import type { Surface } from "../../../../src/ports/surface.ts";
import { createLeaseCheck } from "../../../../src/features/cluster/join/lease-check.ts";
import type { Effect } from "./effect-child.ts";
import { scratch } from "../../../scratch.ts";

const child = (
  ...args: readonly [Effect, "held" | "gone" | "left", string]
): Promise<{ readonly status: number; readonly said: string }> =>
  new Promise((resolve) => {
    const run = execFile(
      process.execPath,
      [join(import.meta.dirname, "effect-child.ts"), ...args],
      (_, __, said) => resolve({ status: run.exitCode ?? -1, said }),
    );
  });

it.for<Effect>(["fetch", "http", "spawn"])("looks before %s, whoever asks for it", async (effect) => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end();
  });
  onTestFinished(() => void server.close());
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  const target = effect === "spawn" ? join(scratch("effect"), "made") : `http://127.0.0.1:${port}/`;
  const done = (): boolean => (effect === "spawn" ? existsSync(target) : asked > 0);
  const gone = await child(effect, "gone", target);
  expect(gone.status).toBe(4);
  expect(gone.said).toContain("one is no longer an active host");
  expect(done()).toBe(false);
  expect(await child(effect, "held", target)).toEqual({ status: 0, said: "" });
  expect(done()).toBe(true);
});

it("a host that leaves ends as it was asked to, whatever it does after that", async () => {
  const target = join(scratch("effect"), "made");
  expect(await child("spawn", "left", target)).toEqual({ status: 0, said: "" });
  expect(existsSync(target)).toBe(true);
});

it("a call waits while it is not certain, and is made when it is again", async () => {
  const certain = Promise.withResolvers<boolean>();
  const calls: string[] = [];
  const lookBefore = createLeaseCheck({ isHeld: () => false, held: () => certain.promise }, () => {
    throw new Error("it stood down");
  });
  onTestFinished(() => lookBefore.close());
  const ports = lookBefore.ports(UNOBSERVED);
  const slack: Pick<Surface, "apply"> = {
    apply: () => {
      calls.push("applied");
      return Promise.resolve({ kind: "done", id: "1" });
    },
  };
  const thread = { conversation: "c-1", surface: "slack", place: "C1", root: "1" } as const;
  const applied = ports.surface("slack", slack).apply({ kind: "delete", thread, wire: "w", id: "1" });
  await Promise.resolve();
  expect(calls).toEqual([]);
  certain.resolve(true);
  await applied;
  expect(calls).toEqual(["applied"]);
});
