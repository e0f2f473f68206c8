/**
 * The tiers that this machine can show: as root with and without namespaces, as an ordinary user with and without
 * them, and a kernel without Landlock. What cannot be shown is skipped with its reason.
 */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe } from "vitest";
import type { Bounds } from "../../sandbox/server.ts";
import type { RunResult, Tier } from "../../sandbox/types.ts";
import { delegateGroups } from "./delegated.ts";
import { isAll, isWhole, SAMPLED } from "../sample.ts";
import { testSeed } from "../seed.ts";
import { type Kind, KINDS, missingFor, type More, openWorld, ORDINARY, type World } from "./world.ts";

interface Options {
  readonly bounds?: Partial<Bounds>;
  readonly more?: More | null;
  /** A command that starts the sandbox's server under bounds of the test's own (killer.ts). */
  readonly outer?: readonly string[];
  /** It takes long and says nothing that an escape would: CI runs a sample of its tiers too. */
  readonly slow?: true;
}

/** Declares `body` once for each tier that `wanted` names; the world is there when the tests run. */
export const describeTiers = (
  wanted: readonly Tier[],
  body: (world: () => World) => void,
  { bounds = {}, more = null, outer = [], slow }: Options = {},
): void => {
  for (const kind of KINDS.filter((each) => wanted.includes(each.expected))) {
    if (kind.more !== undefined && kind.more !== more) continue;
    const delegated = kind.more === "groups" ? delegateGroups(ORDINARY, `parley-test-${process.pid}`) : null;
    const reason =
      missingFor(kind) ??
      (isSampled(kind, wanted, slow === true ? isAll : isWhole) ? null : SAMPLED) ??
      (kind.more === "groups" && delegated === null ? "no control groups to hand on" : null);
    if (reason !== null) console.log(`skipped: ${kind.expected} (${kind.name}): ${reason}`);
    describe.skipIf(reason !== null)(`${kind.expected}, ${kind.name}`, () => {
      let world: World | null = null;
      beforeAll(async () => {
        world = await openWorld(kind, [...outer, ...(delegated?.through ?? [])], bounds);
      });
      afterAll(async () => {
        if (world === null) return;
        await world.close();
        delegated?.remove();
      });
      body(() => {
        if (world === null) throw new Error("the world is not open");
        return world;
      });
    });
  }
};

/** Without `TEST_WHOLE` the first kind of each list runs, and one of the others, by turns from commit to commit. */
const isSampled = (kind: Kind, wanted: readonly Tier[], all: boolean): boolean => {
  if (all) return true;
  const [first, ...others] = KINDS.filter(
    ({ expected, more }) => wanted.includes(expected) && more === undefined,
  );
  return (
    kind.more !== undefined || kind === first || kind === others[testSeed() % Math.max(1, others.length)]
  );
};

export const textOf = (result: RunResult): string =>
  result.kind === "failed"
    ? `failed: ${result.reason}`
    : Buffer.concat([result.head, result.tail]).toString("utf8");

/** True while a process with this argument runs anywhere on the machine. */
export const isRunning = async (argument: string): Promise<boolean> => {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "args"]);
  return stdout.includes(argument);
};
