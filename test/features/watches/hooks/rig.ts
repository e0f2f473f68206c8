/** Hooks of forges over a watcher that keeps what it is given, with payloads as GitHub really sent them. */

import examples from "@octokit/webhooks-examples" with { type: "json" };
import { createHmac } from "node:crypto";
import * as z from "zod";
import { createHooks } from "../../../../src/features/watches/hooks/hooks.ts";
import { hookSecret } from "../../../../src/features/watches/hooks/signature.ts";
import type { ForgeSource, Watch, WatchEvent } from "../../../../src/features/watches/store/watches.ts";
import type { PullChange } from "../../../../src/ports/forge.ts";
import { watchWith } from "../watch.ts";

export const MASTER = "0123456789abcdef";

export const payloads = z
  .array(z.object({ name: z.string(), examples: z.array(z.record(z.string(), z.unknown())) }))
  .parse(examples);

/** The first payload of that event and action. */
export const sent = (name: string, action: string, part: object = {}): Record<string, unknown> => {
  const found = payloads
    .find((one) => one.name === name)
    ?.examples.find((one) => one["action"] === action && z.looseObject({}).safeParse(one).success);
  if (found === undefined) throw new Error(`there is no ${name} ${action}`);
  return { ...structuredClone(found), ...part };
};

export const watchOf = (source: Partial<ForgeSource>, id = "forge-1"): Watch =>
  watchWith(
    { kind: "forge", forge: "github", hears: ["issues"], label: null, called: "parley", ...source },
    { id },
  );

/** `takesChanges`: whether a feature looks after pull requests. */
export const rig = (
  watches: readonly Watch[],
  repo = "github.com/codertocat/hello-world",
  takesChanges = false,
) => {
  const taken: WatchEvent[] = [];
  const logged: string[] = [];
  const note = (text: string, facts?: object): void => void logged.push(`${text} ${JSON.stringify(facts)}`);
  const pushed: string[] = [];
  const changed: PullChange[] = [];
  const hooks = createHooks({
    master: MASTER,
    watcher: {
      all: () => watches,
      renew: () => undefined,
      take: (event) => {
        taken.push(event);
        return Promise.resolve({ kind: "stored" });
      },
    },
    reposOf: () => [repo],
    pushed: (to) => void pushed.push(to),
    ...(takesChanges ? { pullChanged: (change: PullChange) => void changed.push(change) } : {}),
    clock: { now: () => 1 },
    log: { info: note, warn: note, error: note },
  });
  const github = async (name: string, payload: object, delivery = "d1") => {
    const body = JSON.stringify(payload);
    const signature = createHmac("sha256", hookSecret(MASTER, "github")).update(body).digest("hex");
    const headers = {
      "x-hub-signature-256": `sha256=${signature}`,
      "x-github-event": name,
      "x-github-delivery": delivery,
    };
    const answer = await hooks.fetch(new Request("http://h/hooks/github", { method: "POST", body, headers }));
    return z.object({ result: z.string() }).parse(await answer.json()).result;
  };
  const gitlab = async (payload: object, token = hookSecret(MASTER, "gitlab")) => {
    const headers = { "x-gitlab-token": token, "idempotency-key": "g1" };
    const body = JSON.stringify(payload);
    return (await hooks.fetch(new Request("http://h/hooks/gitlab", { method: "POST", body, headers })))
      .status;
  };
  return { github, gitlab, taken, pushed, changed, logged };
};

export const reposOf = (payload: Record<string, unknown>): string =>
  z
    .object({ repository: z.object({ html_url: z.string() }) })
    .parse(payload)
    .repository.html_url.replace("https://", "")
    .toLowerCase();

export const objectAt = (payload: Record<string, unknown>, key: string): object =>
  z.record(z.string(), z.unknown()).parse(payload[key]);
