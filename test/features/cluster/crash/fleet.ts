/**
 * Several real `npm start` processes with one PostgreSQL and one bucket, in front of the wire-level Slack, Discord and model.
 * What a single host had is imported first; then all of them work.
 */

import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { type RunningHost, root, startHost } from "../../../app/cli/host.ts";
import { say } from "../../../fakes/anthropic/turn.ts";
import { createFakeDiscord, type FakeDiscord } from "../../../fakes/discord/fake.ts";
import type { Postgres } from "../../../fakes/postgres.ts";
import { REGION, startS3 } from "../../../fakes/s3/store.ts";
import { createBlobs } from "../../../../src/store/tables/blobs.ts";
import { scratch } from "../../../scratch.ts";
import { answerTo } from "../../../crash/answers.ts";
import { createScene, type Scene } from "../../../crash/scene.ts";
import { numberIn } from "../../../crash/storm/record.ts";
import { createGate, type Gate } from "./gate.ts";
import { leaderIn } from "./replicas.ts";
import { within } from "./within.ts";

/** What a host is just doing; `a question` is open: no process has to do anything. */
export type Moment = "before a call to Slack" | "after a call to Slack" | "a request to the model";

export interface FleetHost {
  readonly name: string;
  readonly data: string;
  readonly process: ChildProcess;
  /** Standard output and error. */
  readonly lines: readonly string[];
  /** Settles when it works. */
  readonly active: Promise<RunningHost>;
  /** Bytes that it has sent to Slack and to the model. */
  sent(): number;
  /** `then` at the `no`th of these that it makes from now on; answers how to call it off. */
  meet(moment: Moment, no: number, then: () => void): () => boolean;
  ended(): Promise<number | string>;
}

export interface Fleet extends Scene {
  /** Nobody talks there: a host is connected. */
  readonly discord: FakeDiscord;
  readonly s3: Awaited<ReturnType<typeof startS3>>;
  /** Name of a picture that the single host had. */
  readonly picture: string;
  /** The database of the single host, kept. */
  readonly alone: string;
  /** On the data of the process of that name before it, if there was one. */
  start(name: string): Promise<FleetHost>;
  /** Those that were started last, by name. */
  hosts(): readonly FleetHost[];
  /** The one that has been there longest, as `seen` has it. */
  leader(seen: FleetHost): FleetHost;
  command(...args: readonly string[]): Promise<string>;
  /** The last words of every host, for whoever reads of a failure. */
  facts(): string;
}

export const CONSOLE_TOKEN = "the-console-of-all-hosts";
export const GATEWAY_TOKEN = "the-gateway-of-all-hosts";

/**
 * People in threads have tasks; what is said over HTTP has a number, and its answer names that. The model answers a message with
 * `[held at GATE]` once that gate is open.
 */
const answer: typeof answerTo = (request) => {
  const said = JSON.stringify(request.messages);
  const no = numberIn(said);
  const turn = no === -1 ? answerTo(request) : say(`This answers message ${no}.`);
  const [, gate] = /\[held at (\w+)\]/.exec(said) ?? [];
  return gate === undefined ? turn : { ...turn, hold: { gate } };
};

export const createFleet = async (
  postgres: Postgres,
  channels: readonly string[] = ["general"],
): Promise<Fleet> => {
  const database = await postgres.create();
  const scene = await createScene(answer, channels);
  const discord = await createFakeDiscord({ rates: "off" });
  const s3 = await startS3();
  const hosts = new Map<string, FleetHost>();
  const gates: Gate[] = [];

  const settings = (name: string) => ({
    PARLEY_DATABASE: database,
    PARLEY_HOST_NAME: name,
    PARLEY_SHARED_STORAGE: "s3://team/parley",
    PARLEY_SHARED_ENDPOINT: s3.url,
    PARLEY_SHARED_REGION: REGION,
    AWS_ACCESS_KEY_ID: s3.keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.keys.secretAccessKey,
    AWS_SESSION_TOKEN: s3.keys.sessionToken,
    PARLEY_CONSOLE_TOKEN: CONSOLE_TOKEN,
    PARLEY_GATEWAY_TOKEN: GATEWAY_TOKEN,
  });

  const command = async (...args: readonly string[]): Promise<string> => {
    const env = { PATH: process.env["PATH"], PARLEY_DATA: scratch("beside"), ...settings("beside") };
    const run = promisify(execFile)(process.execPath, ["bin/parley.js", ...args], { cwd: root, env });
    return (await within(`parley ${args.join(" ")}`, run, facts)).stdout;
  };

  const facts = (): string =>
    [...hosts.values()].map(({ name, lines }) => `${name}:\n${lines.slice(-8).join("\n")}`).join("\n");

  const start = async (name: string): Promise<FleetHost> => {
    const data = hosts.get(name)?.data ?? scratch(`host-${name}`);
    const toSlack = await createGate(scene.slack.apiUrl);
    const toModel = await createGate(scene.model.url);
    gates.push(toSlack, toModel);
    const env = {
      ...scene.settings,
      ...NO_BUDGETS,
      SLACK_API_URL: toSlack.url,
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      ANTHROPIC_BASE_URL: toModel.url,
      ...settings(name),
    };
    const spawned = Promise.withResolvers<ChildProcess>();
    const running = startHost(data, env, undefined, spawned.resolve);
    const active = within(`${name} at work`, running, facts);
    active.catch(() => undefined);
    const child = await spawned.promise;
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => lines.push(line));
    }
    const exit = once(child, "exit");
    const host: FleetHost = {
      name,
      data,
      process: child,
      lines,
      active,
      sent: () => toSlack.sent() + toModel.sent(),
      meet: (moment, no, then) =>
        moment === "a request to the model"
          ? toModel.meet("before", no, then)
          : toSlack.meet(moment === "before a call to Slack" ? "before" : "after", no, then),
      ended: async () => {
        const [code, signal] = await within(`the end of ${name}`, exit, facts);
        return code ?? signal;
      },
    };
    hosts.set(name, host);
    return host;
  };

  /** A single host on SQLite that works in the channels, and was ended. */
  const alone = scratch("alone");
  await scene.bind(alone);
  const picture = await createBlobs(alone).put(Buffer.from("picture"));
  await command("import", alone);

  return {
    ...scene,
    discord,
    s3,
    picture: picture.kind === "stored" ? picture.hash : picture.message,
    alone: join(alone, "parley.sqlite.imported"),
    start,
    hosts: () => [...hosts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    leader: (seen) => {
      const name = leaderIn(seen.data);
      const host = hosts.get(name);
      if (host === undefined) throw new Error(`there is no host ${name}`);
      return host;
    },
    command,
    facts,
    close: async () => {
      for (const { process: child } of hosts.values()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        await gone;
      }
      for (const gate of gates) gate.close();
      await Promise.all([scene.close(), discord.close(), s3.close()]);
    },
  };
};

/** The usual bounds would hold back people who never rest. */
const NO_BUDGETS = Object.fromEntries(
  ["STRANGER", "PERSON", "CHANNEL", "SERVER", "DAY"].map((whose) => [`PARLEY_BUDGET_${whose}`, "none"]),
);
