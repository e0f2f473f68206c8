/** A reported change makes a pull request due at once, and no other one; a limit of the forge is waited for all the same. */

import { expect, test } from "vitest";
import { EVENT_LOOK } from "../../../../src/features/forge/tend/due.ts";
import { openMemory } from "../../../store/in-memory.ts";
import { BRANCH, createForgeModel } from "./forge-model.ts";

const watched = async () => {
  const model = await createForgeModel(openMemory(), 1);
  await model.run();
  model.check("failure");
  model.pass(EVENT_LOOK);
  await model.run();
  // The next look is due in a minute.
  expect(model.turns).toEqual([]);
  return model;
};

test.each([
  ["its branch", { branches: ["main", BRANCH] }],
  ["its number", { numbers: [2, 1] }],
])("an event that names %s begins the turn", async (_, change) => {
  const model = await watched();
  await model.report(change);
  await model.settled();
  expect(model.turns).toHaveLength(1);
});

test.each([
  ["another branch", { branches: ["parley/c-2"] }],
  ["another number", { numbers: [12] }],
  ["its number elsewhere", { repo: "github.com/acme/other", numbers: [1] }],
])("an event that names %s begins nothing", async (_, change) => {
  const model = await watched();
  await model.report(change);
  await model.settled();
  expect(model.turns).toEqual([]);
});

test("while the forge limits requests, an event asks nothing; afterwards the turn begins", async () => {
  const model = await watched();
  model.setTrouble(true);
  await model.report({ branches: [BRANCH] });
  await model.settled();
  model.setTrouble(false);
  await model.report({ branches: [BRANCH] });
  await model.settled();
  expect(model.turns).toEqual([]);
  expect(model.waits.at(-1)).toBe(90_000);
  model.pass(90_000);
  await model.run();
  expect(model.turns).toHaveLength(1);
});
