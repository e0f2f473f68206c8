/**
 * A webhook of the forge makes the host read a looked-after pull request before the next poll. The host needs no watches, and a
 * host that does not lead passes the webhook on.
 */

import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createRig, type SlackRig } from "../../../adapters/slack/rig.ts";
import { entryOf, onGitHub, onGitLab } from "../../../fakes/side.ts";
import { sharedPostgres } from "../../../fakes/postgres.ts";
import { type ForgeScene, PROJECT } from "../../../e2e/forge/scene.ts";
import { until } from "../../../e2e/forge/slack.ts";
import { hookSecret } from "../../../hook-secret.ts";
import { textAnswer } from "../../../runtime/world.ts";
import { withForgesIn } from "../../../with-forges.ts";
import { hasFleets, joinFleet } from "../fleet-host.ts";
import { asking, failCheck, lookedAfter, openedStage, quiet } from "./stage.ts";

const MASTER = "0123456789abcdef";

const github = (body: string) => ({
  "x-github-event": "check_suite",
  "x-github-delivery": "d1",
  "x-hub-signature-256": `sha256=${createHmac("sha256", hookSecret(MASTER, "github")).update(body).digest("hex")}`,
});

const SIDES = [
  {
    name: "GitHub",
    createSide: onGitHub,
    path: "/hooks/github",
    headers: github,
    event: (host: string, branch: string) => ({
      action: "completed",
      check_suite: { head_branch: branch, conclusion: "failure", pull_requests: [] },
      repository: { html_url: `https://${host}/${PROJECT}`, full_name: PROJECT },
    }),
  },
  {
    name: "GitLab",
    createSide: onGitLab,
    path: "/hooks/gitlab",
    headers: () => ({ "x-gitlab-token": hookSecret(MASTER, "gitlab") }),
    event: (host: string, ref: string) => ({
      object_kind: "pipeline",
      object_attributes: { id: 1, ref, status: "failed" },
      project: { web_url: `https://${host}/${PROJECT}`, path_with_namespace: PROJECT },
    }),
  },
] as const;

type SideOf = (typeof SIDES)[number];

/** Sends an event about a branch to a host. */
const deliver = async (
  { rig, scene }: { readonly rig: Pick<SlackRig, "besides">; readonly scene: ForgeScene },
  { path, headers, event }: Pick<SideOf, "path" | "headers" | "event">,
  branch: string,
): Promise<number | undefined> => {
  const hooks = (await rig.besides()).find(({ owns }) => owns(path));
  const body = JSON.stringify(event(scene.forge.host, branch));
  const request = new Request(`http://host${path}`, { method: "POST", body, headers: headers(body) });
  return (await hooks?.fetch(request))?.status;
};

test.each(SIDES)(
  "a reported check begins the turn at once, and events about others ask nothing: $name",
  async ({ createSide, ...side }) => {
    const stage = await openedStage(createSide, [textAnswer("Nothing is to be changed.")], {
      env: { PARLEY_HOOK_SECRET: MASTER },
    });
    const { scene, rig, root, branch, pass } = stage;
    await lookedAfter(stage);
    await quiet(stage);
    await failCheck(stage, "expected 3 tries");
    // The poll comes after a minute.
    pass(15_000);
    const asked = scene.forge.reads();
    expect(await deliver(stage, side, "parley/c-other")).toBe(202);
    await quiet(stage);
    expect(scene.forge.reads()).toBe(asked);
    expect(await deliver(stage, side, branch)).toBe(202);
    const text = await until(rig, root, /Checks of [^ ]*acme\/api[#!]1 failed[^]*Nothing is to be changed/);
    expect(text.match(/Checks of /g)).toHaveLength(1);
  },
);

const postgres = await sharedPostgres();

test.skipIf(postgres === null || !hasFleets)(
  "an event that reaches another host of the database begins the turn at the host that looks after it",
  async () => {
    const [{ createSide, ...side }] = SIDES;
    const env = { PARLEY_HOOK_SECRET: MASTER };
    const address = (await postgres?.create()) ?? "";
    const first = await joinFleet(address, "one");
    const stage = await openedStage(createSide, [textAnswer("Nothing is to be changed.")], { ...first, env });
    const { scene, rig, root, branch, pass } = stage;
    const other = await createRig({
      ...(await joinFleet(address, "two")),
      on: rig.fake,
      bound: [],
      ready: await withForgesIn(env, entryOf(scene.forge, PROJECT)),
      env: { PARLEY_REPOS: `${scene.forge.host}/${PROJECT}`, ...env },
    });
    await lookedAfter(stage);
    // A database outside of this process takes its time, also before the first read.
    await asking(stage, 1);
    await quiet(stage);
    await failCheck(stage, "expected 3 tries");
    pass(15_000);
    const asked = scene.forge.reads();
    const told = { rig: other, scene };
    expect(await deliver(told, side, "parley/c-other")).toBe(202);
    await quiet(stage);
    expect(scene.forge.reads()).toBe(asked);
    expect(await deliver(told, side, branch)).toBe(202);
    const text = await until(rig, root, /Checks of acme\/api#1 failed[^]*Nothing is to be changed/);
    expect(text.match(/Checks of /g)).toHaveLength(1);
    expect(other.asked).toEqual([]);
  },
);
