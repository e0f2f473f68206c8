/**
 * What a host that nobody talks to holds in memory: with the console alone, and with Slack and Discord connected, whose
 * fakes are processes of their own. The model is Anthropic's SDK in both, the data directory empty, the compile cache
 * warm as at every start but a machine's first. Read a minute after the start: the host's own process and all that it
 * has started, each counted whole, so that what they share is counted twice.
 */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Bench } from "../bench.ts";
import { launch } from "../child.ts";
import { atMost, type Figure, measured } from "../figure.ts";
import { type HostOptions, startHost } from "../host.ts";
import { smallRepository } from "../repository.ts";
import { descendantsOf, residentMB } from "./resident.ts";
import { temporary } from "../temporary.ts";

const fakeAt = (name: string) => launch([new URL(`../../fakes/${name}/main.ts`, import.meta.url).pathname]);
const slackAt = z.object({ apiUrl: z.string(), botToken: z.string(), appToken: z.string() });
const discordAt = z.object({ apiUrl: z.string(), token: z.string() });
const modelAt = z.object({ url: z.string(), apiKey: z.string() });

export const idleBench: Bench = {
  name: "idle",
  what: "memory of a host that nobody talks to",
  run: async (scale, note) => {
    const wait = scale === "tiny" ? 1_000 : 60_000;
    await using place = await temporary();
    const repo = await smallRepository(join(place.path, "repo"));
    await using slack = fakeAt("slack");
    await using discord = fakeAt("discord");
    await using model = fakeAt("anthropic");
    const common = {
      repo,
      compileCache: join(place.path, "cache"),
      model: modelAt.parse(JSON.parse(await model.line())),
    };
    const both = {
      ...common,
      slack: slackAt.parse(JSON.parse(await slack.line())),
      discord: discordAt.parse(JSON.parse(await discord.line())),
    };
    const figures: Figure[] = [];
    for (const [what, most, options] of [
      ["console alone", 110, common],
      ["Slack and Discord connected", 150, both],
    ] as const) {
      note(what);
      figures.push(...(await held(what, most, wait, { ...options, data: join(place.path, `data-${most}`) })));
    }
    return figures;
  },
};

const held = async (
  what: string,
  most: number,
  wait: number,
  options: HostOptions,
): Promise<readonly Figure[]> => {
  await (await startHost(options)).end();
  await using host = await startHost(options);
  await sleep(wait);
  const own = await residentMB(host.pid);
  const others = await Promise.all((await descendantsOf(host.pid)).map(residentMB));
  const all = others.reduce((sum, one) => sum + one, own);
  return [
    measured(`${what}: the host and its helpers`, "MB", [all], atMost(most)),
    measured("  of which the host's own process", "MB", [own]),
  ];
};
