/** What doctor says of watches that wait for webhooks. */

import { expect, it } from "vitest";
import { hookFindings } from "../../../src/features/watches/findings.ts";
import type { WatchSource } from "../../../src/features/watches/store/watches.ts";
import { createWatchRows } from "../../../src/features/watches/store/rows.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { linesOf } from "../../app/cli/doctor/findings.ts";
import { openMemory } from "../../store/in-memory.ts";
import { watchWith } from "./watch.ts";

const found = async (source: WatchSource, secret?: string): Promise<readonly string[]> => {
  const { rows } = openMemory();
  await createWatchRows(rows, silentLog).putWatch(watchWith(source));
  return linesOf(hookFindings(secret, { stored: (read) => read({ ...openMemory(), rows }), log: silentLog }));
};

it("they are a warning where the host takes none, and nothing where it does or no watch needs them", async () => {
  const forge: WatchSource = { kind: "forge", forge: "github", hears: [], label: null, called: "acme/shop" };
  expect(await found(forge)).toEqual([
    expect.stringMatching(/^warning webhooks: .*a watch waits.* -> Set PARLEY_HOOK_SECRET/),
  ]);
  expect(await found(forge, "0123456789abcdef")).toEqual([]);
  expect(await found({ kind: "posts", app: "A1" })).toEqual([]);
});

it("nothing is said where there is no database", async () => {
  expect(await linesOf(hookFindings(undefined, { stored: () => null, log: silentLog }))).toEqual([]);
});
