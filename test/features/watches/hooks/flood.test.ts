/** 40.A1: 8 MB of `1,` in a webhook: it is answered with one short sentence, and the next one is taken. */

import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createHooks } from "../../../../src/features/watches/hooks/hooks.ts";
import { hookSecret } from "../../../../src/features/watches/hooks/signature.ts";
import { stallsWhile } from "../../../stalls.ts";
import { watchWith } from "../watch.ts";
import { MASTER, watchOf } from "./rig.ts";

const ONES = `${"1,".repeat(4 * 2 ** 20)}1`;
const SHORT = 600;

describe("webhooks", () => {
  const generic = watchWith({ kind: "hook", title: null, text: null, key: null }, { id: "alerts" });
  const hooks = createHooks({
    master: MASTER,
    watcher: {
      all: () => [watchOf({}), watchOf({ forge: "gitlab" }, "forge-2"), generic],
      take: () => Promise.resolve({ kind: "stored" }),
      renew: () => undefined,
    },
    reposOf: () => ["github.com/acme/api"],
    clock: { now: () => 1 },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    limits: { each: 2 ** 24, all: 2 ** 26, time: 60_000 },
  });
  const post = async (name: string, body: string) => {
    const signature = createHmac("sha256", hookSecret(MASTER, name)).update(body).digest("hex");
    const headers = {
      "x-hub-signature-256": `sha256=${signature}`,
      "x-gitlab-token": hookSecret(MASTER, name),
      "x-github-event": "issues",
    };
    const answer = await hooks.fetch(
      new Request(`http://h/hooks/${name}`, { method: "POST", body, headers }),
    );
    return { status: answer.status, text: await answer.text() };
  };

  it.each(["github", "gitlab"])("of %s", async (name) => {
    const flood = await post(name, `{"issue":{"labels":[${ONES}]}}`);
    expect([flood.status, flood.text.length < SHORT]).toEqual([400, true]);
    expect((await post(name, "{}")).status).toBe(202);
  });

  it.each([
    ["a long list", `{"alarm":[${"1,".repeat(2 ** 19 - 10)}1]}`, 202],
    ["a list at the top", `[${"1,".repeat(2 ** 19 - 10)}1]`, 202],
    ["no JSON", "1,".repeat(2 ** 19), 400],
  ])("of any program: %s is one event, cut short, or none", async (_, body, status) => {
    let flood = { status: 0, text: "" };
    let sent = body;
    const stalls = await stallsWhile(async () => {
      flood = await post("alerts", sent);
      // Each try sends another event: a repeated one is known by its hash.
      sent += " ";
    });
    expect([stalls, flood.status, flood.text.length < SHORT]).toEqual([0, status, true]);
    expect((await post("alerts", '{"alarm":"disk"}')).status).toBe(202);
  });
});
