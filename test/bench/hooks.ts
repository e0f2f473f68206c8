/**
 * From a signed event of a program to its thread in Slack, through the whole host: signature, dedupe, commit, the first
 * message, and the agent's answer below it. One after the other, a moment apart; Slack's stand-in, which keeps its limits,
 * lives in this process and its work is in the figures.
 */

import { createHmac } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hookSecret } from "../hook-secret.ts";
import { openStore } from "../store/open-store.ts";
import { createFakeAnthropic } from "../fakes/anthropic/fake.ts";
import { say } from "../fakes/anthropic/turn.ts";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import type { Bench } from "./bench.ts";
import { measured } from "./figure.ts";
import { type Host, NO_BUDGETS, startHost } from "./host.ts";
import { smallRepository } from "./repository.ts";
import { temporary } from "./temporary.ts";

const MASTER = "0123456789abcdef";
const CHANNEL = "CGENERAL";
/** Slack takes a message a second in a channel. */
const BETWEEN = 1_500;

export const hooksBench: Bench = {
  name: "hooks",
  what: "from a signed event of a program to its thread in Slack",
  run: async (scale) => {
    const events = scale === "tiny" ? 2 : 20;
    await using place = await temporary();
    const slack = await createFakeSlack();
    const model = await createFakeAnthropic();
    model.scriptAlways(say("It is the cache."));
    const data = join(place.path, "data");
    const repo = await smallRepository(join(place.path, "repo"));
    await watch(data, repo);
    const { apiUrl, botToken, appToken } = slack;
    const { url, apiKey } = model;
    const host = await startHost({
      data,
      compileCache: join(place.path, "cache"),
      repo,
      slack: { apiUrl, botToken, appToken },
      model: { url, apiKey },
      more: { ...NO_BUDGETS, PARLEY_MODEL: "", PARLEY_HOOK_SECRET: MASTER },
    });
    const secret = hookSecret(MASTER, "alerts");
    const taken: number[] = [];
    const begun: number[] = [];
    const answered: number[] = [];
    for (let no = 0; no < events; no += 1) {
      const from = performance.now();
      await send(host, no, secret);
      taken.push(performance.now() - from);
      await until(() => shows(slack, `Matter ${no}.`));
      begun.push(performance.now() - from);
      await until(() => answersIn(slack) > no);
      answered.push(performance.now() - from);
      await sleep(BETWEEN);
    }
    await host.end();
    await Promise.all([slack.close(), model.close()]);
    return [
      measured("taken: stored and acknowledged", "ms", taken),
      measured("its thread begun", "ms", begun),
      measured("answered below it", "ms", answered),
    ];
  },
};

const watch = async (data: string, repo: string): Promise<void> => {
  const opened = openStore(data);
  if (opened.kind === "failed") throw new Error(opened.message);
  const by = "slack:UALICE";
  await opened.chat.bind("slack", CHANNEL, { repo: { kind: "path", location: repo }, by, at: 1 });
  const sql = `
    INSERT INTO watches (id, surface, place, source, instructions, per_hour, standing, failures, set_by, at)
    VALUES ('alerts', 'slack', @place, @source, 'Find the cause', 1000, '{"kind":"on"}', 0, @by, 1)`;
  const source = JSON.stringify({ kind: "hook", title: null, text: null, key: null });
  await opened.rows.write([{ sql, values: { place: CHANNEL, source, by } }]);
  await opened.store.close();
};

const send = async (host: Host, no: number, secret: string): Promise<void> => {
  const body = JSON.stringify({ title: `Matter ${no}.`, fingerprint: `matter ${no}` });
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` };
  const { status } = await fetch(`${host.origin}/hooks/alerts`, { method: "POST", body, headers });
  if (status !== 202) throw new Error(`the event was answered ${status}`);
};

const shows = (slack: FakeSlack, text: string): boolean =>
  slack.world.messages(CHANNEL).some((message) => JSON.stringify(message).includes(text));

const answersIn = (slack: FakeSlack): number =>
  slack.world
    .messages(CHANNEL)
    .filter(({ text, blocks }) => JSON.stringify([text, blocks]).includes("It is the cache.")).length;

const until = async (isThere: () => boolean): Promise<void> => {
  const patience = performance.now() + 30_000;
  while (!isThere()) {
    if (performance.now() > patience) throw new Error("what was awaited did not come within 30 s");
    await sleep(2);
  }
};
