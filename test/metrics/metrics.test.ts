import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { createMetrics } from "../../src/metrics/metrics.ts";
import type { Outcome, Surface } from "../../src/runtime/ports-surface.ts";
import { systemClock } from "../../src/system-clock.ts";
import { root, startHost } from "../cli/host.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";

/** Names and labels with their figures. */
const parsed = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );

it("a conversation's turn, model requests, tools and waiting question are counted, and no word of it is told", async () => {
  const host = await startHost(scratch("metrics"), { PARLEY_REPO: await sampleRepo("# Sample\n") });
  onTestFinished(() => void host.process.kill("SIGKILL"));
  const figures = async () => {
    const { body } = await host.call("GET", "/metrics");
    return { text: z.string().parse(body), map: parsed(z.string().parse(body)) };
  };
  const { id } = z
    .looseObject({ id: z.string() })
    .parse((await host.call("POST", "/api/conversations", {})).body);
  await host.call("POST", `/api/conversations/${id}/messages`, { text: "add a line to README.md" });
  const waiting = await vi.waitFor(
    async () => {
      const { map } = await figures();
      expect(map.get("parley_approvals_waiting")).toBe(1);
      return map;
    },
    { timeout: 30_000, interval: 50 },
  );
  expect(waiting.get("parley_approval_oldest_seconds")).toBeGreaterThan(0);
  expect(waiting.get("parley_turns_under_way")).toBe(1);

  const { question } = z
    .looseObject({ question: z.looseObject({ id: z.string() }) })
    .parse((await host.call("GET", `/api/conversations/${id}`)).body);
  await host.call("POST", `/api/conversations/${id}/actions`, {
    action: "decide",
    question: question.id,
    choice: "approve",
  });
  const { text, map } = await vi.waitFor(
    async () => {
      const found = await figures();
      expect(found.map.get('parley_turns_total{phase="idle"}')).toBe(1);
      return found;
    },
    { timeout: 30_000, interval: 50 },
  );
  expect(map.get("parley_approvals_waiting")).toBe(0);
  expect(map.get("parley_approval_oldest_seconds")).toBe(0);
  expect(map.get('parley_model_request_seconds_count{outcome="answered"}')).toBeGreaterThan(1);
  expect(map.get('parley_tool_seconds_count{tool="patch",permission="unrestricted",outcome="done"}')).toBe(1);
  expect(text).not.toContain(id);
  expect(text).not.toContain("README");
});

it("writes to a chat platform are counted by what became of them", async () => {
  const metrics = createMetrics({ clock: systemClock, waiting: () => [], parked: () => 0 });
  onTestFinished(metrics.close);
  const done: Outcome = { kind: "done", id: "1" };
  const outcomes: Outcome[] = [done, { kind: "throttled", retryAfter: 5 }];
  const platform: Pick<Surface, "apply"> = { apply: () => Promise.resolve(outcomes.shift() ?? done) };
  const counted = metrics.surface("slack", platform);
  const thread = { conversation: "c-1", surface: "slack", place: "C1", root: "1.2" } as const;
  for (let n = 0; n < 3; n++) await counted.apply({ kind: "delete", thread, wire: "w", id: "1.3" });
  const map = parsed((await metrics.exposition(0)).text);
  const of = (outcome: string) =>
    map.get(`parley_deliveries_total{surface="slack",operation="delete",outcome="${outcome}"}`);
  expect([of("done"), of("throttled")]).toEqual([2, 1]);
});

it("every figure is described in the operators' guide, and none that is not there", async () => {
  const metrics = createMetrics({ clock: systemClock, waiting: () => [], parked: () => 0 });
  onTestFinished(metrics.close);
  const { text } = await metrics.exposition(0);
  const told = [...text.matchAll(/^# HELP (parley_\S+)/gm)]
    .map(([, name = ""]) => name)
    .toSorted((a, b) => a.localeCompare(b));
  const guide = readFileSync(join(root, "docs/operators.md"), "utf8");
  const described = [...guide.matchAll(/^\| `(parley_[a-z_]+)/gm)]
    .map(([, name = ""]) => name)
    .toSorted((a, b) => a.localeCompare(b));
  expect(described).toEqual(told);
});
