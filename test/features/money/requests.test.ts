/** Budgets over HTTP. */

import { expect, it, onTestFinished } from "vitest";
import { createRig } from "../../adapters/http/rig.ts";

it("tells what is spent and sets what may be, for whoever may approve", async () => {
  const rig = await createRig();
  onTestFinished(() => rig.close());
  expect(await rig.call("GET", "/api/budgets")).toMatchObject({
    status: 200,
    body: { budgets: [{ scope: "day", spentUsd: 0, mostUsd: 50, isSet: false }] },
  });
  const set = (scope: string, dollars: unknown) => rig.call("POST", "/api/budgets", { scope, dollars });
  expect(await set("day", 120)).toEqual({ status: 200, body: { result: "done" } });
  expect(await set("person:slack:U1", null)).toEqual({ status: 200, body: { result: "done" } });
  expect((await set("everything", 5)).status).toBe(400);
  expect((await set("day", -1)).status).toBe(400);
  expect(await rig.call("GET", "/api/budgets")).toMatchObject({
    body: {
      budgets: [
        { scope: "day", mostUsd: 120, isSet: true },
        { scope: "person:slack:U1", mostUsd: null, isSet: true },
      ],
    },
  });
});
