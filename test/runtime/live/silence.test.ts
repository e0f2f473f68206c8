/** A model that says nothing: the thread tells of it beside Stop for as long as it lasts, and no longer. */

import { expect, it } from "vitest";
import { stepText } from "../../../adapters/text/step.ts";
import type { Model, ModelHooks } from "../../../src/ports/model.ts";
import { createWorld, operator, textAnswer } from "../world.ts";
import { english } from "../../../src/i18n/say.ts";

const plainly = { say: english, code: (text: string) => text, plain: (text: string) => text };

it("is named in the line of progress, with Stop, until it speaks or the turn ends", async () => {
  const asked = Promise.withResolvers<ModelHooks>();
  const ended = Promise.withResolvers<void>();
  const model: Model = {
    window: () => 200_000,
    respond: async (_request, hooks) => {
      asked.resolve(hooks);
      await ended.promise;
      return textAnswer("Here.");
    },
  };
  const world = createWorld({ model });
  const id = await world.begin();
  await world.say(id, "hello");
  const hooks = await asked.promise;
  const heard: string[] = [];
  world.bot.subscribe(id, (change) => {
    if (change.kind !== "state") return;
    const { status } = change;
    heard.push(status === null ? "-" : `${stepText(status, plainly)} [${status.actions.join()}]`);
  });
  hooks.onSilent?.(true);
  hooks.onSilent?.(false);
  hooks.onSilent?.(true);
  ended.resolve();
  await expect.poll(() => heard.at(-1)).toBe("-");
  const silent = "Thinking: the model has sent nothing for a minute. Wait, or use Stop [stop]";
  expect(heard).toEqual([silent, "Thinking [stop]", silent, "-"]);
  hooks.onSilent?.(true);
  await world.bot.act(id, { kind: "restrict", by: operator.id });
  expect(heard.slice(4).join()).not.toContain("nothing");
});
