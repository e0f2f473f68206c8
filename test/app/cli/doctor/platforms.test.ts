/** Doctor treats every platform of the list in the same way, whatever its name, and reads the table of owners. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownersFindings, platformFindings } from "../../../../src/app/cli/doctor/platform-findings.ts";
import { PLATFORMS } from "../../../../src/app/chat/platforms.ts";
import { ok } from "../../../../src/ports/finding.ts";
import type { SetPlatform } from "../../../../src/platform.ts";
import type { PlatformState } from "../../../../src/ports/platform-entry.ts";
import { LINES_FORMS } from "../../../adapters/lines/adapter.ts";
import { scratch } from "../../../scratch.ts";
import { configOf, linesOf } from "./findings.ts";

const platformIn = (state: PlatformState): SetPlatform => ({
  name: "town",
  title: "Town",
  apiHost: "town.example",
  token: "TOWN_TOKEN",
  approverForms: "town:NAME",
  forms: LINES_FORMS,
  ids: { approver: /./, approverExample: "NAME", owner: /./, ownerForms: [["", "NAME"]], channel: /./ },
  tokens: /^token-/,
  setup: () => Promise.reject(new Error("not set up")),
  manifest: { help: ["", ""], usage: [], text: () => Promise.resolve(null) },
  values: {},
  secrets: [],
  configure: () => state,
});

const checks = {
  port: null,
  findings: async function* ({ told }) {
    yield ok("town token", "it is valid");
    yield* told.map(({ place }) => ok("town channels", place));
  },
} satisfies Partial<PlatformState>;
const ready = {
  kind: "ready",
  load: () => Promise.resolve(),
  open: () => Promise.reject(new Error("doctor opens no platform")),
  ...checks,
} satisfies PlatformState;

const found = (state: PlatformState, env: Readonly<Record<string, string>> = {}) =>
  linesOf(
    platformFindings({
      ...configOf({ PARLEY_MODEL: "demo", PARLEY_REPOS: "acme/*", ...env }),
      platforms: [platformIn(state)],
    }),
  );

describe("a platform", () => {
  it("that no setting asks for is off, and nothing about it is checked", async () => {
    expect(await found({ kind: "unset", why: "TOWN_TOKEN is not set" })).toEqual([
      "ok town: off (TOWN_TOKEN is not set)",
    ]);
  });

  it("that can be tried has the findings of its adapter alone", async () => {
    expect(await found(ready)).toEqual(["ok town token: it is valid"]);
  });

  it("that lacks a setting or a model is an error with its guide, and is checked all the same", async () => {
    expect(await found({ kind: "incomplete", why: "set TOWN_SECRET", ...checks })).toEqual([
      "error town: off: set TOWN_SECRET -> See docs/town.md.",
      "ok town token: it is valid",
    ]);
    expect((await found(ready, { PARLEY_MODEL: "" }))[0]).toMatch(
      /^error town: off: there is no model: .* -> See docs\/town.md.$/,
    );
  });

  it("on which nobody could work or approve has a warning for each", async () => {
    expect(await found(ready, { PARLEY_REPOS: "", PARLEY_APPROVERS: "console:operator" })).toEqual([
      "ok town token: it is valid",
      expect.stringMatching(/^warning town repositories: PARLEY_REPOS is empty/),
      "warning town approvers: PARLEY_APPROVERS lists no approver on Town, so no change can be approved there -> Add town:NAME to PARLEY_APPROVERS.",
    ]);
  });
});

it("every platform of the list is reported, in its order", async () => {
  const lines = await linesOf(platformFindings(configOf({})));
  expect(lines.map((line) => line.split(":")[0])).toEqual(PLATFORMS.map(({ name }) => `ok ${name}`));
  expect(lines.length).toBeGreaterThan(1);
});

it("the table of owners is read, its mistakes are errors, and without one nothing is said", async () => {
  const file = join(scratch("owners"), "owners.json");
  writeFileSync(file, '{ "@ada": ["slack:UALICE", "console:operator"], "*": "approvers" }');
  expect(await linesOf(ownersFindings(file))).toEqual([`ok owners: @ada, * (${file})`]);
  writeFileSync(file, '{ "ada": "slack:UALICE" }');
  expect((await linesOf(ownersFindings(file)))[0]).toMatch(/^error owners: /);
  expect(await linesOf(ownersFindings(undefined))).toEqual([]);
});
