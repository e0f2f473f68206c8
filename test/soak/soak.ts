/** One soak: a host under load with faults for some time, looked at from outside. Measures and counts; judges nothing. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { leftOver } from "./judge.ts";
import { launch } from "../bench/child.ts";
import { smallRepository } from "../bench/repository.ts";
import { temporary } from "../bench/temporary.ts";

export interface Wish {
  /** How long people talk. */
  readonly seconds: number;
  /** Messages a second, each of which is a turn. */
  readonly rate: number;
  /** How often what the host holds is looked at while they talk. */
  readonly samples: number;
}

const announced = z.object({
  slack: z.object({ apiUrl: z.string(), botToken: z.string(), appToken: z.string() }),
  discord: z.object({ apiUrl: z.string(), token: z.string() }),
  model: z.object({ url: z.string(), apiKey: z.string() }),
  channels: z.array(z.unknown()),
});
const sampled = z.object({
  /** Megabytes: of objects after a collection, beside the heap, and resident. */
  heap: z.number(),
  external: z.number(),
  rss: z.number(),
  descriptors: z.int(),
  children: z.int(),
  resources: z.int(),
  /** Of processor time so far. */
  seconds: z.number(),
});
const counted = z.object({ said: z.int(), answered: z.int(), threads: z.int() });
const ended = z.object({
  said: z.int(),
  lost: z.array(z.int()),
  /** Those of lost messages, as people see them: the first ten. */
  threads: z.array(z.string()),
  doubled: z.array(z.int()),
  /** Turns that the model failed for good, as their threads said, and that a person tried again. */
  retried: z.int(),
  spoiled: z.int(),
  calls: z.int(),
  requests: z.int(),
  violations: z.array(z.string()),
});

export interface Look extends z.infer<typeof sampled>, z.infer<typeof counted> {
  /** Seconds since people began to talk. */
  readonly at: number;
}

export interface Soaked {
  /** Before anybody spoke, and when everything was answered. */
  readonly first: z.infer<typeof sampled>;
  readonly last: z.infer<typeof sampled>;
  readonly looks: readonly Look[];
  readonly end: z.infer<typeof ended>;
}

export const soak = async (wish: Wish, note: (look: Look) => void): Promise<Soaked> => {
  await using place = await temporary();
  const repo = await smallRepository(join(place.path, "repo"));
  await using load = launch([new URL("./load.ts", import.meta.url).pathname, String(wish.rate)]);
  const at = announced.parse(JSON.parse(await load.line()));
  await using host = launch(
    [
      "--max-old-space-size=1024",
      "--max-semi-space-size=16",
      "--expose-gc",
      new URL("./host.ts", import.meta.url).pathname,
      JSON.stringify(at.channels),
    ],
    environment(place.path, repo, at),
  );
  await host.lineWith(/^ready$/);
  const look = async () => {
    host.write("sample\n");
    return sampled.parse(JSON.parse(await host.line()));
  };
  const first = await look();
  const begun = performance.now();
  load.write("go\n");
  const looks: Look[] = [];
  for (let no = 1; no <= wish.samples; no += 1) {
    await sleep(Math.max(0, begun + (no * wish.seconds * 1_000) / wish.samples - performance.now()));
    load.write("count\n");
    const counts = counted.parse(JSON.parse(await load.line()));
    const one = { ...(await look()), ...counts, at: (performance.now() - begun) / 1_000 };
    looks.push(one);
    note(one);
  }
  load.write("stop\n");
  const end = ended.parse(JSON.parse(await load.line()));
  return { first, last: await lookAtRest(look, first), looks, end };
};

/** Connections that were needed at once are let go of when they were idle for some seconds. */
const AT_REST = { looks: 12, every: 5_000 };

const lookAtRest = async (
  look: () => Promise<Soaked["last"]>,
  first: Soaked["first"],
): Promise<Soaked["last"]> => {
  let last = await look();
  for (let more = 1; more < AT_REST.looks && leftOver({ first, last }).length > 0; more += 1) {
    await sleep(AT_REST.every);
    last = await look();
  }
  return last;
};

/** What is measured is the host; budgets would hold back one busy person. */
const NO_BUDGETS = Object.fromEntries(
  ["STRANGER", "PERSON", "CHANNEL", "SERVER", "DAY"].map((whose) => [`PARLEY_BUDGET_${whose}`, "none"]),
);

/** Everything that a developer's own `.env` might say is said here instead. */
const environment = (
  directory: string,
  repo: string,
  { slack, discord, model }: z.infer<typeof announced>,
): Readonly<Record<string, string>> => ({
  HOME: directory,
  PARLEY_DATA: join(directory, "data"),
  PARLEY_PORT: "0",
  PARLEY_LOG_LEVEL: "error",
  PARLEY_REPOS: repo,
  ...NO_BUDGETS,
  PARLEY_MODEL_CALLS: "1000",
  SLACK_BOT_TOKEN: slack.botToken,
  SLACK_APP_TOKEN: slack.appToken,
  SLACK_API_URL: slack.apiUrl,
  DISCORD_TOKEN: discord.token,
  DISCORD_API_URL: discord.apiUrl,
  ANTHROPIC_API_KEY: model.apiKey,
  ANTHROPIC_BASE_URL: model.url,
});
