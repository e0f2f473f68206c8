/**
 * The real `npm start` process on a small repository, in front of the wire-level Slack and model, ended by SIGKILL when
 * something that a test names has happened, and started again.
 */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { onTestFinished } from "vitest";
import { SCOPES, slackManifest } from "../../adapters/slack/listen/manifest.ts";
import type { Repo } from "../../src/ports/conversation.ts";
import { silentLog } from "../../src/store/silent-log.ts";
import { openStore } from "../../src/store/sqlite.ts";
import { type RunningHost, startHost } from "../cli/host.ts";
import { createFakeAnthropic, type FakeAnthropic } from "../fakes/anthropic/fake.ts";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import type { Side } from "../forge/side.ts";
import { replayDirectory } from "../replay.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";
import { answerTo } from "./answers.ts";

/** When a process ends: at the `no`th, from 1, of what happens since it was spawned. */
export interface Point {
  readonly no: number;
  readonly kind:
    | "before a call to Slack"
    | "after a call to Slack"
    | "an acknowledged event"
    | "a request to the model"
    | "a commit"
    | "before a request to the forge"
    | "after a request to the forge";
}

export interface Real {
  readonly slack: FakeSlack;
  readonly model: FakeAnthropic;
  readonly data: string;
  /** A process that has come up. */
  start(): Promise<RunningHost>;
  /** A process that ends itself at the point; settles when it has, with false where `over` came first. */
  endAt(point: Point, over: Promise<unknown>): Promise<boolean>;
}

interface RealOptions {
  /** What the channel is bound to; unset: a small repository on this machine. */
  readonly repo?: Repo;
  readonly forge?: Side;
  /** What the model says. */
  readonly answer?: typeof answerTo;
}

export const createReal = async (
  env: Readonly<Record<string, string>> = {},
  { repo: bound, forge, answer = answerTo }: RealOptions = {},
): Promise<Real> => {
  const slack = await createFakeSlack({
    rates: "off",
    scopes: Object.keys(SCOPES),
    events: slackManifest(null).settings.event_subscriptions.bot_events,
  });
  const model = await createFakeAnthropic();
  model.scriptAlways(answer);
  const data = scratch("real");
  const repo = await sampleRepo("# Sample\n");
  await bind(data, bound ?? { kind: "path", location: repo });
  const settings = {
    ANTHROPIC_API_KEY: model.apiKey,
    ANTHROPIC_BASE_URL: model.url,
    PARLEY_MODEL: "claude-sonnet-5-5",
    PARLEY_REPO: repo,
    PARLEY_REPOS: repo,
    PARLEY_APPROVERS: "slack:members,console:operator",
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    ...env,
  };
  const running = new Set<ChildProcess>();
  let armed: (() => void) | null = null;
  let point: Point | null = null;
  let count = 0;

  const passed = (kind: Point["kind"]): boolean => {
    if (armed === null || point?.kind !== kind) return false;
    count += 1;
    if (count !== point.no) return false;
    armed();
    return true;
  };
  const forever = { times: Number.POSITIVE_INFINITY };
  slack.fault(
    { kind: "stall", applied: false },
    { ...forever, match: () => passed("before a call to Slack") },
  );
  slack.fault({ kind: "stall", applied: true }, { ...forever, match: () => passed("after a call to Slack") });
  model.fault({ kind: "reset" }, { ...forever, match: () => passed("a request to the model") });
  forge?.spoil("no answer", () => passed("before a request to the forge"));
  forge?.spoil("a lost acknowledgement", () => passed("after a request to the forge"));
  const files = watch(data, (_, name) => {
    if (name === "parley.sqlite-wal") passed("a commit");
  });

  const spawned = (child: ChildProcess): void => {
    running.add(child);
    child.once("exit", () => running.delete(child));
  };

  onTestFinished(async () => {
    files.close();
    await Promise.all(
      [...running].map((child) => {
        child.kill("SIGKILL");
        return once(child, "exit");
      }),
    );
    await Promise.all([slack.close(), model.close()]);
    replayDirectory(data);
  });

  return {
    slack,
    model,
    data,
    start: () => startHost(data, settings, undefined, spawned),
    endAt: async (at, over) => {
      const ended = Promise.withResolvers<boolean>();
      const before = slack.deliveries.length;
      let isOver = false;
      point = at;
      count = 0;
      const host = startHost(data, settings, undefined, (child) => {
        spawned(child);
        child.once("exit", () => ended.resolve(!isOver));
        armed = () => {
          armed = null;
          child.kill("SIGKILL");
        };
      });
      const mine = armed;
      host.catch(() => undefined);
      const letGo = async (): Promise<void> => {
        if (armed !== mine) return;
        armed = null;
        isOver = true;
        await (await host).stop("SIGKILL");
      };
      void over.then(letGo);
      if (at.kind === "an acknowledged event") {
        void slack
          .waitForDelivery(before + at.no)
          .then((all) => all.at(-1)?.ended)
          .then(() => (armed === mine ? mine?.() : undefined));
      }
      return ended.promise;
    },
  };
};

/** Only what the operator lists can be bound; the channel is bound before the first start. */
const bind = async (data: string, repo: Repo): Promise<void> => {
  const opened = openStore(data, silentLog);
  if (opened.kind === "failed") throw new Error(opened.message);
  await opened.chat.bind("slack", "CGENERAL", { repo, by: "slack:UALICE", at: 1 });
  await opened.store.close();
};
