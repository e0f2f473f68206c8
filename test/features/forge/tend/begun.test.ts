/** A turn whose row is not stored, because the process ended as the turn began, is followed like each other turn. */

import { expect, test } from "vitest";
import { openMemory } from "../../../store/in-memory.ts";
import { createForgeModel } from "./forge-model.ts";

const begun = async (isLost: boolean) => {
  const model = await createForgeModel(openMemory(), 1);
  model.check("failure");
  if (isLost) model.loseNextRow();
  await model.run();
  expect(model.turns).toHaveLength(1);
  expect(model.rows.find(model.id)?.phase).toBe(isLost ? "due" : "running");
  return model;
};

test.each([true, false])(
  "its card is decided under the click, and its end is noticed: %s",
  async (isLost) => {
    const model = await begun(isLost);
    model.propose({});
    await model.run();
    expect(model.pushes).toHaveLength(1);
    model.endTurn("answered");
    await model.run();
    expect(model.rows.find(model.id)).toMatchObject({ phase: "watching", tries: 0 });
    expect(model.turns).toHaveLength(1);
    await model.close();
  },
);

test.each([true, false])("it counts as a try: %s", async (isLost) => {
  const model = await begun(isLost);
  await model.restart();
  await model.run();
  expect(model.turns).toHaveLength(2);
  await model.restart();
  await model.run();
  expect(model.turns).toHaveLength(2);
  expect(model.told.filter((key) => key.startsWith("broken"))).toHaveLength(1);
  await model.close();
});

test("a person's turn is not followed", async () => {
  const model = await createForgeModel(openMemory(), 1);
  model.ask();
  await model.run();
  expect(model.rows.find(model.id)).toMatchObject({ phase: "watching", tries: 0 });
  await model.close();
});
