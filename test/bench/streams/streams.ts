/**
 * 1,000 conversations that stream at once, five chunks a second each, through one host: how long a chunk takes
 * to Slack, whether any text is lost, what the host's event loop and its memory come to.
 *
 * Two processes beside this one, on the same cores. The host is what `npm start` composes: configuration, sandbox,
 * checkouts, store on disk, Socket Mode, inbox, runtime, Anthropic's SDK, deliverer and Slack's client; only its Slack
 * limits are others, so that the edit interval and not Slack's published pace is what bounds it (1,000 edited messages
 * at 50 calls a minute would be changed once in twenty minutes each). The fakes of Slack and of the model are the other
 * process, without rate limits; their work and their lateness are in the figures. Conversations begin and end over the
 * same stretch of time, in the middle of which all of them stream. Told for native streams and for workspaces without
 * them, where progress is edited.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Bench } from "../bench.ts";
import { type Child, launch } from "../child.ts";
import { atMost, type Figure, measured } from "../figure.ts";
import { NO_BUDGETS } from "../host.ts";
import { smallRepository } from "../repository.ts";
import { temporary } from "../temporary.ts";

const ROOT = join(import.meta.dirname, "../../..");
const HOST = new URL("./host.ts", import.meta.url).pathname;
const MODES = { streams: "native streams", edits: "edits" } as const;

const announced = z.object({
  slack: z.object({ apiUrl: z.string(), botToken: z.string(), appToken: z.string() }),
  model: z.object({ url: z.string(), apiKey: z.string() }),
});
const outcome = z.object({
  latencies: z.array(z.number()),
  lateness: z.array(z.number()),
  wrong: z.number(),
  mostAtOnce: z.number(),
  calls: z.number(),
  violations: z.array(z.string()),
});
const reported = z.object({ p99: z.number(), longest: z.number(), resident: z.number() });

interface Size {
  readonly conversations: number;
  readonly chunks: number;
  /** Milliseconds between two chunks. */
  readonly interval: number;
  /** Milliseconds over which conversations begin. */
  readonly ramp: number;
}

export const streamsBench: Bench = {
  name: "streams",
  what: "1,000 conversations streaming at once to Slack through one host",
  run: async (scale, note) => {
    const size: Size =
      scale === "tiny"
        ? { conversations: 3, chunks: 10, interval: 100, ramp: 100 }
        : { conversations: 1_000, chunks: 150, interval: 200, ramp: 15_000 };
    const figures: Figure[] = [];
    for (const mode of ["streams", "edits"] as const) {
      note(`${size.conversations} conversations, ${MODES[mode]}`);
      figures.push(...(await measure(mode, size)));
    }
    return figures;
  },
};

const measure = async (
  mode: keyof typeof MODES,
  { conversations, chunks, interval, ramp }: Size,
): Promise<readonly Figure[]> => {
  await using place = await temporary();
  const given = [conversations, chunks, interval, ramp].map(String);
  await using fakes = launch([new URL("./fakes.ts", import.meta.url).pathname, ...given, mode]);
  const at = announced.parse(JSON.parse(await fakes.line()));
  const repo = await smallRepository(join(place.path, "repo"));
  const start = (): Child => launch([...flagsOfStart(), HOST], environment(place.path, repo, at));
  await warm(start);
  await using host = start();
  const [, every = ""] = await host.lineWith(/^ready (\d+)$/);
  host.write("measure\n");
  fakes.write("go\n");
  const ran = outcome.parse(JSON.parse(await fakes.line()));
  host.write("report\n");
  const { p99, longest, resident } = reported.parse(JSON.parse(await host.line()));
  if (ran.violations.length > 0) throw new Error(ran.violations.slice(0, 5).join("\n"));
  const what = (text: string): string => `${MODES[mode]}: ${text}`;
  return [
    measured(what("chunk to platform"), "ms", ran.latencies, atMost(1.5 * Number(every), "p99")),
    measured(what("threads with lost or doubled text"), "", [ran.wrong], atMost(0)),
    measured(what("resident memory, most"), "MB", [resident], atMost(600)),
    measured(what("event loop, p99"), "ms", [p99], atMost(50)),
    measured(what("event loop, longest"), "ms", [longest]),
    measured(what("streaming at once, most"), "", [ran.mostAtOnce]),
    measured(what("calls of Slack's Web API"), "", [ran.calls]),
    measured(what("chunks let go too late by the fake"), "ms", ran.lateness),
  ];
};

/** As every start but a machine's first: Node keeps what it made of the sources, and need not read TypeScript again. */
const warm = async (start: () => Child): Promise<void> => {
  await using host = start();
  await host.lineWith(/^ready/);
};

/** What `npm start` tells Node. */
const flagsOfStart = (): readonly string[] => {
  const { scripts } = manifest.parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
};

const manifest = z.object({ scripts: z.object({ start: z.string() }) });

/** Everything that a developer's own `.env` might say is said here instead. */
const environment = (
  directory: string,
  repo: string,
  { slack, model }: z.infer<typeof announced>,
): Readonly<Record<string, string>> => ({
  HOME: directory,
  // As bin/node.sh sets it.
  MALLOC_ARENA_MAX: "2",
  NODE_COMPILE_CACHE: join(directory, "compiled"),
  PARLEY_DATA: join(directory, "data"),
  PARLEY_PORT: "0",
  PARLEY_LOG_LEVEL: "error",
  PARLEY_REPOS: repo,
  ...NO_BUDGETS,
  PARLEY_MODEL_CALLS: "1000",
  SLACK_BOT_TOKEN: slack.botToken,
  SLACK_APP_TOKEN: slack.appToken,
  SLACK_API_URL: slack.apiUrl,
  ANTHROPIC_API_KEY: model.apiKey,
  ANTHROPIC_BASE_URL: model.url,
});
