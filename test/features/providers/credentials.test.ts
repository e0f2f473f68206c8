/** Credentials that are no key. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { otherProviders } from "../../../src/features/providers/feature.ts";
import { configuredModels } from "../../../src/model/models.ts";
import { scratch } from "../../scratch.ts";
import { ask, request, routed } from "../../model/harness.ts";

test("a file of credentials that is not there is named, and not tried again", async () => {
  const env: Readonly<Record<string, string>> = {
    GOOGLE_VERTEX_PROJECT: "p",
    GOOGLE_VERTEX_LOCATION: "europe-west4",
    GOOGLE_VERTEX_BASE_URL: "http://127.0.0.1:9/v1",
    GOOGLE_APPLICATION_CREDENTIALS: join(scratch("credentials"), "none.json"),
  };
  const read = (name: string): string | null => env[name] ?? null;
  const configured = await configuredModels({
    scripted: null,
    wanted: "vertex/gemini-2.5-pro",
    others: otherProviders(undefined),
    plainHosts: [],
    read,
  });
  if (configured.kind !== "models") throw new Error(JSON.stringify(configured));
  const { model } = routed(configured.models[0]);
  expect(await ask(model, request(undefined, { model: "gemini-2.5-pro" })).outcome).toMatchObject({
    kind: "failed",
    failure: { kind: "auth", message: expect.stringContaining("set GOOGLE_APPLICATION_CREDENTIALS") },
  });
});
