/** What doctor says of what channels know: each source is asked once, and whether it can be read. */

import { expect, it } from "vitest";
import { createConnectReach } from "../../../sandbox/egress/reach.ts";
import { parseNetwork } from "../../../sandbox/egress/address.ts";
import type { DoctorCore, DoctorStore } from "../../../src/feature.ts";
import { knowledge } from "../../../src/features/knowledge/feature.ts";
import { NO_FORGE } from "../../../src/ports/forge-access.ts";
import { openMemory } from "../../store/in-memory.ts";
import { NO_SETTINGS } from "../../../src/runtime/channels/channel-settings.ts";
import { linesOf, NOTHING_EXAMINED } from "../../app/cli/doctor/findings.ts";
import { siteWith } from "../../sandbox/egress/site.ts";
import { archivesOn } from "./world.ts";

const loopback = parseNetwork("127.0.0.0/8");

/** Two channels that have the same. `entries`: null if there is no database. */
const linesFor = async (
  entries: readonly string[] | null,
  given?: DoctorCore["archives"],
): Promise<readonly string[]> => {
  const archives = given ?? (await archivesOn(null));
  const set = knowledge.set({});
  if (set.kind === "invalid") throw new Error("invalid");
  const settings = { ...NO_SETTINGS, knowledge: entries ?? [], by: "slack:U1" as const, at: 1 };
  const chat: DoctorStore["chat"] = {
    channels: () => ["C1", "C2"].map((place) => ({ surface: "slack", place })),
    channel: () => settings,
    binding: () => null,
  };
  return linesOf(
    set.feature.findings({
      ...NOTHING_EXAMINED,
      archives,
      stored: (read) => (entries === null ? null : read({ ...openMemory(), chat })),
      reach: createConnectReach({
        rules: { names: null, networks: [] },
        lookup: () => Promise.resolve([]),
        unsafeOpen: loopback === null ? [] : [loopback],
      }),
    }),
  );
};

it("a source that can be read is told, once for all channels, and so is one that cannot, with what to do", async () => {
  const site = await siteWith({ "/": "<main><h1>Guide</h1></main>" });
  const lines = await linesFor([site.root, `${site.root}missing/`]);
  expect(lines).toEqual([
    `ok knowledge: ${site.root} can be read`,
    expect.stringMatching(/^warning knowledge: \S+missing\/: .+ -> .*docs\/knowledge\.md/),
  ]);
});

it("without a database or sources nothing is said, nor of issues without a file of forges that can be used", async () => {
  expect(await linesFor(null)).toEqual([]);
  expect(await linesFor([])).toEqual([]);
  expect(await linesFor(["issues"], NO_FORGE.archives)).toEqual([]);
});
