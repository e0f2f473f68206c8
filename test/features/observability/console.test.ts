/** The console's `/metrics`: who may read it, and what it counts of the console itself. */

import { expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../../src/app/system-clock.ts";
import { metricsRequest } from "../../../src/features/observability/feature.ts";
import { createMetrics } from "../../../src/features/observability/metrics.ts";
import { createRig, TOKEN } from "../../adapters/http/rig.ts";

const bearer = { authorization: `Bearer ${TOKEN}` };

const open = async () => {
  const metrics = createMetrics({ clock: systemClock });
  const rig = await createRig({ observer: metrics, requests: [metricsRequest(() => metrics)] });
  onTestFinished(async () => {
    await rig.close();
    await metrics.close();
  });
  const get = async (path: string, headers: Readonly<Record<string, string>> = bearer) => {
    const answer = await fetch(`${rig.origin}${path}`, { headers, redirect: "manual" });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { rig, get };
};

const counted = (labels: string): string => `parley_http_requests_total{${labels}}`;

it("answers of the console are counted by method, route and status", async () => {
  const { rig, get } = await open();
  await rig.begin();
  rig.setHealth("starting");
  await get("/healthz");
  rig.setHealth("draining");
  await get("/healthz");
  expect((await get("/metrics", {})).status).toBe(401);
  await get("/metrics");
  const { headers, text } = await get("/metrics");
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(text).toContain(`${counted('method="POST",route="/api/conversations",status="201"')} 1\n`);
  expect(text).toContain(`${counted('method="GET",route="/healthz",status="503"')} 2\n`);
  expect(text).toContain(`${counted('method="GET",route="/metrics",status="200"')} 1\n`);
  expect(text).toContain(`${counted('method="GET",route="/*",status="401"')} 1\n`);
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/);
});

it("event streams are counted while they are open", async () => {
  const { rig, get } = await open();
  const id = await rig.begin();
  const streams = async () => /^parley_streams (\d+)$/m.exec((await get("/metrics")).text)?.[1];
  expect(await streams()).toBe("0");
  const response = await fetch(`${rig.origin}/api/conversations/${id}/events`, { headers: bearer });
  expect(await streams()).toBe("1");
  await response.body?.cancel();
  await vi.waitFor(async () => expect(await streams()).toBe("0"), { interval: 20 });
});

it("what opens the console opens the figures: its token, or a session with its key, and nothing less", async () => {
  const { get } = await open();
  const link = await get(`/?token=${TOKEN}`, {});
  const cookie = link.headers.get("set-cookie")?.split(";")[0] ?? "";
  const key = link.headers.get("location")?.replace("/#key=", "") ?? "";
  const status = async (headers: Readonly<Record<string, string>>) => (await get("/metrics", headers)).status;
  expect(await status(bearer)).toBe(200);
  expect(await status({ cookie, "x-parley-key": key })).toBe(200);
  for (const headers of [{}, { cookie }, { "x-parley-key": key }, { authorization: "Bearer wrong" }])
    expect([headers, await status(headers)]).toEqual([headers, 401]);
  expect((await get(`/metrics?token=${TOKEN}`, {})).status).toBe(401);
});

it("wrong tokens at the figures have to wait, and refuse no client of the console", async () => {
  const { get } = await open();
  const wrong = { authorization: "Bearer guess" };
  for (let guess = 0; guess < 10; guess += 1) expect((await get("/metrics", wrong)).status).toBe(401);
  expect((await get("/metrics", wrong)).status).toBe(429);
  expect((await get("/metrics")).status).toBe(200);
  expect((await get("/api/conversations", wrong)).status).toBe(401);
});
