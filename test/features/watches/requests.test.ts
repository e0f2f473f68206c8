/** What begins threads by itself, over real HTTP: for those who may approve, checked before anything is stored. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRig, type Rig } from "../../adapters/http/rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
  await rig.call("POST", "/api/channels", { ...PLACE, repo: "acme/api" });
});
afterAll(() => rig.close());

const PLACE = { surface: "slack", place: "CGENERAL" };
const add = (more: object) => rig.call("POST", "/api/watches", { ...PLACE, ...more });

describe("/api/watches", () => {
  it("switches one on, changes it, lists it and takes it away", async () => {
    expect(
      await add({ name: "alerts", hook: { title: "data.title" }, instructions: "Find it" }),
    ).toMatchObject({
      status: 200,
      body: {
        watch: { id: "alerts", perHour: 6, budgetUsd: 2, spentUsd: 0, standing: { kind: "on" }, waiting: 0 },
      },
    });
    await rig.call("PATCH", "/api/watches/alerts", { perHour: 2, budgetUsd: 0.5, standing: "paused" });
    expect((await rig.call("GET", "/api/watches")).body).toMatchObject({
      watches: [
        { id: "alerts", perHour: 2, budgetUsd: 0.5, standing: { kind: "paused", by: "console:operator" } },
      ],
    });
    expect((await rig.call("DELETE", "/api/watches/alerts")).status).toBe(200);
    expect((await rig.call("GET", "/api/watches")).body).toEqual({ watches: [] });
  });

  it("reads a schedule as it is written, and asks back what it cannot read", async () => {
    const done = await add({ every: "weekday 09:00 Europe/Berlin: Look" });
    expect(done.body).toMatchObject({ watch: { source: { kind: "schedule", cron: "0 9 * * 1-5" } } });
    expect((await add({ every: "weekday 9ish: Look" })).body).toMatchObject({
      error: { message: expect.stringContaining("I understood: every weekday.") },
    });
  });

  it("refuses what cannot be: two of a name, a forge's own, no repository, no such watch, nothing to hear", async () => {
    await add({ name: "twice", hook: {} });
    const answers = [
      await add({ name: "twice", hook: {} }),
      await add({ name: "github", hook: {} }),
      await rig.call("POST", "/api/watches", { surface: "slack", place: "CNONE", hook: {} }),
      await add({ mode: "nobody", forge: { forge: "github", hears: ["issues"] } }),
      await rig.call("PATCH", "/api/watches/nobody", { perHour: 3 }),
      await rig.call("PATCH", "/api/watches/twice", { perHour: 0 }),
      await add({}),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    expect(JSON.stringify(answers)).not.toContain("internal");
  });
});
