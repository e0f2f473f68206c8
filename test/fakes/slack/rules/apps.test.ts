/** Apps as Slack has them since July 2026: made from a link with both tokens, agents only, with what was granted. */

import { expect, it } from "vitest";
import { slackManifest } from "../../../../adapters/slack/receive/manifest.ts";
import { clientOf, harness, rejection } from "../harness.ts";

const linkTo = (manifest: unknown): string =>
  `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`;

const { agent_view: _, ...features } = slackManifest(null).features;
const withAssistant = {
  ...slackManifest(null),
  features: { ...features, assistant_view: { assistant_description: "Helps" } },
};

it("an empty workspace knows no token, and the page for new apps gives two that work", async () => {
  const { fake } = await harness({ isEmpty: true });
  expect(await rejection(clientOf(fake).auth.test())).toMatchObject({ data: { error: "invalid_auth" } });
  const created = fake.developer.create(linkTo(slackManifest(null)), { without: ["files:read"] });
  if (created.kind !== "installed") throw new Error(JSON.stringify(created));
  const bot = clientOf({ ...fake, botToken: created.botToken });
  const { response_metadata: metadata } = await bot.auth.test();
  expect(metadata?.scopes).toContain("chat:write");
  expect(metadata?.scopes).not.toContain("files:read");
  expect(await bot.bots.info({ bot: "B0PARLEY" })).toMatchObject({ bot: { app_id: created.app } });
  const app = clientOf({ ...fake, botToken: created.appToken });
  expect(await app.apps.connections.open()).toMatchObject({ ok: true });
  fake.developer.switchSocketMode(false);
  expect(await rejection(app.apps.connections.open())).toMatchObject({ data: { error: "link_disabled" } });
  expect(fake.violations).toEqual([]);
});

it("new apps are agents; those of before keep their assistant, and none goes back", async () => {
  const { fake } = await harness({ isEmpty: true, rates: "off" });
  expect(fake.developer.create(linkTo(withAssistant))).toEqual({
    kind: "refused",
    errors: [{ message: expect.stringContaining("agent_view"), pointer: "/features/assistant_view" }],
  });
  const { token } = fake.developer.configurationToken();
  const client = clientOf({ ...fake, botToken: token });
  const call = (method: string, manifest: unknown, app?: string) =>
    client.apiCall(`apps.manifest.${method}`, {
      manifest: JSON.stringify(manifest),
      ...(app === undefined ? {} : { app_id: app }),
    });
  const refused = { data: { error: "invalid_manifest", errors: [{ pointer: "/features/assistant_view" }] } };
  expect(await rejection(call("create", withAssistant))).toMatchObject(refused);
  fake.developer.existing("A0OLD", withAssistant);
  expect(await call("validate", withAssistant, "A0OLD")).toMatchObject({ ok: true });
  expect(await call("update", slackManifest(null), "A0OLD")).toMatchObject({ permissions_updated: false });
  expect(await rejection(call("update", withAssistant, "A0OLD"))).toMatchObject({
    data: { error: "invalid_manifest" },
  });
  expect(await rejection(call("update", slackManifest(null), "A0NONE"))).toMatchObject({
    data: { error: "invalid_app_id" },
  });
  expect(fake.violations).toEqual([]);
});

it("an event without an address needs Socket Mode, and lengths hold", async () => {
  const { fake } = await harness({ isEmpty: true });
  const { settings, ...rest } = slackManifest(null);
  const pointersOf = (manifest: unknown): unknown => {
    const created = fake.developer.create(linkTo(manifest));
    return created.kind === "refused" ? created.errors.map(({ pointer }) => pointer) : created.kind;
  };
  expect(pointersOf({ ...rest, settings: { ...settings, socket_mode_enabled: false } })).toEqual([
    "/settings/event_subscriptions",
    "/settings/interactivity",
  ]);
  expect(pointersOf({ ...rest, settings, display_information: { name: "x".repeat(36) } })).toEqual([
    "/display_information/name",
  ]);
  expect(pointersOf("no manifest")).toEqual([""]);
});

it("where an admin approves apps, there is no bot token before", async () => {
  const { fake } = await harness({ isEmpty: true, approval: "pending" });
  const requested = fake.developer.create(linkTo(slackManifest(null)));
  expect(requested).toEqual({
    kind: "requested",
    app: "A0FAKE",
    appToken: expect.stringMatching(/^xapp-1-A0FAKE-/),
  });
  fake.developer.approve();
  expect(fake.developer.install("A0FAKE").kind).toBe("installed");
});

it("a configuration token lasts twelve hours, and its refresh token is for one use", async () => {
  const { fake, clock } = await harness({ isEmpty: true });
  const { token, refresh } = fake.developer.configurationToken();
  fake.developer.existing("A0OLD", withAssistant);
  const client = clientOf({ ...fake, botToken: token });
  expect(await client.apps.manifest.export({ app_id: "A0OLD" })).toMatchObject({ ok: true });
  clock.advance(12 * 3_600_000);
  expect(await rejection(client.apps.manifest.export({ app_id: "A0OLD" }))).toMatchObject({
    data: { error: "token_expired" },
  });
  const rotated = await client.tooling.tokens.rotate({ refresh_token: refresh });
  expect(rotated.refresh_token).not.toBe(refresh);
  expect(await rejection(client.tooling.tokens.rotate({ refresh_token: refresh }))).toMatchObject({
    data: { error: "invalid_refresh_token" },
  });
  const next = clientOf({ ...fake, botToken: rotated.token ?? "" });
  expect(await next.apps.manifest.export({ app_id: "A0OLD" })).toMatchObject({ ok: true });
});
