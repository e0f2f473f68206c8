/** Row 18: the error of a turn that failed says after how many attempts. */

import { expect, it } from "vitest";
import { runTurn } from "../../../src/features/gateway/turn.ts";
import { overloaded } from "../../machine/samples.ts";
import { createWorld } from "../../runtime/world.ts";

it("the gateway's error says it too", async () => {
  const world = createWorld();
  const id = await world.begin();
  const hooks = { onText: () => undefined, signal: new AbortController().signal };
  const turn = runTurn(world.bot, id, () => world.say(id, "go"), hooks);
  for (const delay of [1_000, 2_000, 0]) {
    (await world.nextModel()).answer({ kind: "failed", failure: overloaded });
    await expect.poll(async () => (await world.bot.read(id))?.status?.wait?.delay ?? 0).toBe(delay);
    world.clock.advance(delay);
  }
  expect(await turn).toMatchObject({
    kind: "failed",
    message: `Failed after 3 attempts: ${overloaded.message}`,
  });
});
