/** What doctor says of a bot's token and application. */

import { expect, it, onTestFinished } from "vitest";
import { checkDiscord } from "../../../adapters/discord/check.ts";
import { createFakeDiscord } from "../../fakes/discord/fake.ts";

it("a token is usable, refused, or its application lacks an intent that is named", async () => {
  const fake = await createFakeDiscord();
  onTestFinished(() => fake.close());
  const { token, apiUrl } = fake;
  expect(await checkDiscord({ token, apiUrl })).toEqual({ kind: "usable", name: "parley" });
  fake.revoke();
  expect(await checkDiscord({ token, apiUrl })).toMatchObject({ problem: { kind: "token" } });
  const bare = await createFakeDiscord({ privileged: [] });
  onTestFinished(() => bare.close());
  expect(await checkDiscord({ token: bare.token, apiUrl: bare.apiUrl })).toMatchObject({
    problem: { kind: "intents", message: expect.stringContaining("Message Content") },
  });
});
