/**
 * Several real `npm start` processes with one PostgreSQL and one bucket, in front of the wire-level Slack and model.
 * What a single host had is imported first; then one of them is active, and the others stand by.
 */

import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { SCOPES, slackManifest } from "../../../adapters/slack/listen/manifest.ts";
import { silentLog } from "../../../src/store/silent-log.ts";
import { createBlobs } from "../../../src/store/tables/blobs.ts";
import { openStore } from "../../../src/store/sqlite.ts";
import { root, startHost } from "../../cli/host.ts";
import { createFakeAnthropic } from "../../fakes/anthropic/fake.ts";
import type { Postgres } from "../../fakes/postgres.ts";
import { REGION, startS3 } from "../../fakes/s3/store.ts";
import { createFakeSlack } from "../../fakes/slack/fake.ts";
import { replayDirectory } from "../../replay.ts";
import { sampleRepo } from "../../sample-repo.ts";
import { scratch } from "../../scratch.ts";
import { answerTo } from "../answers.ts";
import { createGate } from "./gate.ts";

export interface FleetHost {
  readonly name: string;
  readonly data: string;
  readonly process: ChildProcess;
  /** Standard output and error. */
  readonly lines: readonly string[];
  /** Settles when it says that it stands by, and with the address at which it answers. */
  readonly standing: Promise<string>;
  /** Settles with the instant at which its console is there; rejects where it ends before. */
  readonly active: Promise<number>;
  /** Bytes that it has sent to Slack and to the model. */
  sent(): number;
  ended(): Promise<number | string>;
}

/** The `no`th of what happens from now on; a call that is one gets no answer. */
export type Moment = "before a call to Slack" | "after a call to Slack" | "a request to the model";

export const createFleet = async (postgres: Postgres) => {
  const database = await postgres.create();
  const slack = await createFakeSlack({
    rates: "off",
    scopes: Object.keys(SCOPES),
    events: slackManifest(null).settings.event_subscriptions.bot_events,
  });
  const model = await createFakeAnthropic();
  model.scriptAlways(answerTo);
  const repo = await sampleRepo("# Sample\n");
  const s3 = await startS3();
  const hosts: FleetHost[] = [];
  const gates: { close(): void }[] = [];

  let armed: { readonly kind: Moment; no: number; readonly then: () => void } | null = null;
  const passed = (kind: Moment): boolean => {
    if (armed?.kind !== kind) return false;
    armed.no -= 1;
    if (armed.no > 0) return false;
    const { then } = armed;
    armed = null;
    then();
    return true;
  };
  const forever = { times: Number.POSITIVE_INFINITY };
  for (const [kind, applied] of [
    ["before a call to Slack", false],
    ["after a call to Slack", true],
  ] as const)
    slack.fault({ kind: "stall", applied }, { ...forever, match: () => passed(kind) });
  model.fault({ kind: "reset" }, { ...forever, match: () => passed("a request to the model") });

  const settings = (name: string) => ({
    PARLEY_DATABASE: database,
    PARLEY_HOST_NAME: name,
    PARLEY_SHARED: "s3://team/parley",
    PARLEY_SHARED_ENDPOINT: s3.url,
    PARLEY_SHARED_REGION: REGION,
    AWS_ACCESS_KEY_ID: s3.keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.keys.secretAccessKey,
    AWS_SESSION_TOKEN: s3.keys.sessionToken,
    PARLEY_CONSOLE_TOKEN: "the-console-of-all-hosts",
  });

  const command = async (...args: readonly string[]): Promise<string> => {
    const env = { PATH: process.env["PATH"], PARLEY_DATA: scratch("beside"), ...settings("beside") };
    const { stdout } = await promisify(execFile)(process.execPath, ["bin/parley.js", ...args], {
      cwd: root,
      env,
    });
    return stdout;
  };

  /** On the data of the process of that name before it, if there was one. */
  const start = async (name: string, more: Readonly<Record<string, string>> = {}): Promise<FleetHost> => {
    const data = hosts.find((one) => one.name === name)?.data ?? scratch(`host-${name}`);
    const [toSlack, toModel] = [await createGate(slack.apiUrl), await createGate(model.url)];
    gates.push(toSlack, toModel);
    const env = {
      ANTHROPIC_API_KEY: model.apiKey,
      ANTHROPIC_BASE_URL: toModel.url,
      PARLEY_MODEL: "claude-sonnet-5-5",
      PARLEY_REPO: repo,
      PARLEY_REPOS: repo,
      PARLEY_APPROVERS: "slack:members,console:operator",
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: toSlack.url,
      ...settings(name),
      ...more,
    };
    const spawned = Promise.withResolvers<ChildProcess>();
    const running = startHost(data, env, undefined, spawned.resolve);
    running.catch(() => undefined);
    const child = await spawned.promise;
    const lines: string[] = [];
    const standing = Promise.withResolvers<string>();
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line);
        const url = /^standing by: .* on (.*)$/.exec(line)?.[1];
        if (url !== undefined) standing.resolve(url);
      });
    }
    const exit = once(child, "exit");
    void exit.then(() => standing.reject(new Error(lines.join("\n"))));
    standing.promise.catch(() => undefined);
    const active = running.then(() => performance.now());
    active.catch(() => undefined);
    const host: FleetHost = {
      name,
      data,
      process: child,
      lines,
      standing: standing.promise,
      active,
      sent: () => toSlack.sent() + toModel.sent(),
      ended: async () => {
        const [code, signal] = await exit;
        return code ?? signal;
      },
    };
    hosts.push(host);
    return host;
  };

  /** A single host on SQLite that works in the channel, and was ended. */
  const alone = scratch("alone");
  const opened = openStore(alone, silentLog);
  if (opened.kind === "failed") throw new Error(opened.message);
  const bound = { repo: { kind: "path", location: repo }, by: "slack:UALICE", at: 1 } as const;
  await opened.chat.bind("slack", "CGENERAL", bound);
  await opened.store.close();
  const picture = await createBlobs(alone).put(Buffer.from("picture"));
  await command("import", alone);

  const close = async (): Promise<void> => {
    for (const { process: child } of hosts) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
    for (const gate of gates) gate.close();
    await Promise.all([slack.close(), model.close(), s3.close()]);
  };
  const meet = (kind: Moment, no: number, then: () => void): void => {
    armed = { kind, no, then };
  };
  const replayed = (host: FleetHost): number => replayDirectory(host.data);

  return {
    slack,
    model,
    s3,
    picture: picture.kind === "stored" ? picture.hash : picture.message,
    alone: join(alone, "parley.sqlite.imported"),
    start,
    command,
    close,
    meet,
    replayed,
  };
};
