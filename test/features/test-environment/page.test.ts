/** Secrets for tests at the end of the channels' board, in a real Chromium: names are listed, values only stored. */

import { expect, it, onTestFinished } from "vitest";
import { testEnvironment } from "../../../src/features/test-environment/feature.ts";
import type { SecretsBody } from "../../../src/features/test-environment/secrets-body.ts";
import { createRig } from "../../adapters/http/rig.ts";
import { chromiumPath, launchBrowser, noChromium } from "../../browser/browser.ts";
import { CANARY } from "./canary.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const REPO = "github.com/acme/api";
const API_KEY = { repo: REPO, name: "API_KEY", by: "slack:UALICE", at: 1, isUsed: true };

const served = async (body: SecretsBody) => {
  const bodies: unknown[] = [];
  const requests = testEnvironment.requests.map((one) => ({
    ...one,
    answer: async (request: Request): Promise<Response> => {
      if (one.method === "get") return Response.json(body);
      bodies.push(await request.json());
      return Response.json({ name: "API_KEY" });
    },
  }));
  const rig = await createRig({ requests });
  onTestFinished(() => rig.close());
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const { page, faults } = await browser.open(rig.url);
  const answered = page.waitForResponse((one) => one.url().endsWith("/api/test-secrets"));
  await page.getByRole("link", { name: "Channels" }).click();
  await (await answered).finished();
  return { bodies, page, faults, section: page.getByRole("region", { name: "Secrets for tests" }) };
};

it.skipIf(chromiumPath === null)("the channels' board stores and removes secrets", async () => {
  const { bodies, page, faults, section } = await served({
    secrets: [API_KEY, { ...API_KEY, name: "OLD_KEY", repo: "github.com/acme/old", isUsed: false }],
    missing: [{ repo: REPO, name: "OTHER_KEY" }],
    repos: [REPO],
  });
  await section.getByText("no channel works on this repository").waitFor();
  expect(await section.getByRole("listitem").allInnerTexts()).toMatchObject([
    expect.stringMatching(/^API_KEY · github\.com\/acme\/api · by slack:UALICE/),
    expect.stringMatching(/^OLD_KEY/),
    `OTHER_KEY · ${REPO} · declared but not stored`,
  ]);
  await section.getByLabel("Name").fill("other_key");
  await section.getByLabel("Value").fill(CANARY);
  await section.getByRole("button", { name: "Store" }).click();
  await page.getByText("The secret OTHER_KEY is stored.").waitFor();
  expect(await page.content()).not.toContain(CANARY);
  await section.getByRole("button", { name: "Remove secret OLD_KEY" }).click();
  await page.getByText("The secret OLD_KEY is removed.").waitFor();
  expect(bodies).toEqual([
    { action: "set", repo: REPO, name: "OTHER_KEY", value: CANARY },
    { action: "remove", repo: "github.com/acme/old", name: "OLD_KEY" },
  ]);
  expect(faults).toEqual([]);
});

it.skipIf(chromiumPath === null)("twin: a host without repositories has no such section", async () => {
  const { page, faults } = await served({ secrets: [], missing: [], repos: [] });
  await page.getByRole("heading", { name: "Another channel" }).waitFor();
  expect(await page.getByRole("heading", { name: "Secrets for tests" }).count()).toBe(0);
  expect(faults).toEqual([]);
});
