/** Events of GitHub for the watches of a Slack rig, and the threads that they begin. */

import { createHmac } from "node:crypto";
import { vi, expect } from "vitest";
import * as z from "zod";
import { createHooks } from "../../../src/features/watches/hooks/hooks.ts";
import { hookSecret } from "../../../src/features/watches/hooks/signature.ts";
import { reposAtForge } from "../../../src/app/repos-at-forge.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { SlackRig } from "../../adapters/slack/rig.ts";
import { PROJECT } from "../../e2e/forge/scene.ts";
import type { Root } from "../../e2e/forge/slack.ts";
import { watchingOf } from "./watching.ts";

const MASTER = "0123456789abcdef";

export const PAGE = `https://github.com/${PROJECT}`;
export const repository = { html_url: PAGE, full_name: PROJECT };

/** Names of watches end as it happens. */
export const unnamed = (thread: string): string =>
  thread.replaceAll(/\b(github|app)-\w{4}\b/g, "$1-ID").replaceAll(/after \d+\.\d s/g, "after N s");

export const command = async (rig: SlackRig, text: string): Promise<void> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as("alice").command("/parley", text, "general");
  await vi.waitFor(() => expect(rig.fake.world.ephemerals.length).toBeGreaterThan(before));
};

/** Sends an event as GitHub does, to the hooks of the rig; answers what became of it. */
export const webhooks = (rig: SlackRig) => {
  const { watcher } = watchingOf(rig);
  const hooks = createHooks({
    master: MASTER,
    watcher,
    reposOf: ({ surface, place }) => reposAtForge(rig.chat.binding(surface, place)?.repo ?? null),
    clock: systemClock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  return async (event: string, payload: object, delivery = event): Promise<unknown> => {
    const body = JSON.stringify(payload);
    const signature = createHmac("sha256", hookSecret(MASTER, "github")).update(body).digest("hex");
    const headers = {
      "x-hub-signature-256": `sha256=${signature}`,
      "x-github-event": event,
      "x-github-delivery": delivery,
    };
    const answer = await hooks.fetch(new Request("http://h/hooks/github", { method: "POST", body, headers }));
    return z.object({ result: z.string() }).parse(await answer.json()).result;
  };
};

/** Top-level messages of the bot's in the channel. */
export const roots = ({ fake }: SlackRig) =>
  fake.world
    .messages("CGENERAL")
    .filter(({ threadTs, botId }) => threadTs === undefined && botId !== undefined);

export const first = async (rig: SlackRig): Promise<Root> => {
  await vi.waitFor(() => expect(roots(rig)).toHaveLength(1));
  return { channel: "CGENERAL", ts: roots(rig)[0]?.ts ?? "" };
};

/** The newest button of that label. */
export const press = (rig: SlackRig, root: Root, who: string, label: string): void => {
  const card = rig.fake.world
    .thread(root.channel, root.ts)
    .findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes(`"text":"${label}"`));
  if (card === undefined) throw new Error(`there is no ${label}`);
  rig.fake.as(who).click({ channel: root.channel, ts: card.ts }, label);
};
