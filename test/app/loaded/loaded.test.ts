/** What is not configured is not loaded: packages and parts that each start does without. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { root, startHost } from "../cli/host.ts";
import { createFakeDiscord } from "../../fakes/discord/fake.ts";
import { createFakeSlack } from "../../fakes/slack/fake.ts";
import { scratch } from "../../scratch.ts";

const SLACK = ["@slack/", "express/", "marked/", "adapters/slack/write/"];
const DISCORD = ["@discordjs/", "discord-api-types/", "ws/", "adapters/discord/write/"];
/** Of both, and of neither alone. */
const CHAT = ["undici/", "src/runtime/chat/connection.ts", "adapters/post/render.ts"];
/** Of features that no start here asks for. */
const REST = [
  "@anthropic-ai/",
  "@ai-sdk/",
  "@modelcontextprotocol/",
  "@octokit/core/",
  "@opentelemetry/sdk-trace/",
  "@pydantic/",
  "src/features/cluster/join/",
  "src/features/gateway/app.ts",
  "src/features/observability/traces.ts",
  "src/features/watches/hooks/hooks.ts",
  "aws4fetch/",
  "croner/",
  "diff/",
  "discord.js/",
  "htmlparser2/",
  "sharp/",
  "pg/",
  "src/features/forge/github/client.ts",
  "unbash/",
  "zod/v4/locales/de.js",
];

/** Which of `unwanted` a start has loaded. */
const loadedOf = async (
  unwanted: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const directory = scratch("loaded");
  const list = join(directory, "loaded");
  const recorder = pathToFileURL(join(import.meta.dirname, "recorder.ts")).href;
  const host = await startHost(join(directory, "data"), {
    ...env,
    PARLEY_MODEL: "demo",
    NODE_OPTIONS: `--import=${recorder}`,
    LOADED: list,
  });
  await host.stop("SIGTERM");
  const loaded = readFileSync(list, "utf8").split("\n");
  // Else nothing would be missing in an empty list.
  expect(loaded.some((url) => url.includes("/node_modules/hono/"))).toBe(true);
  return unwanted.filter((part) =>
    loaded.some((url) => url.includes(`/node_modules/${part}`) || url.includes(join(root, part))),
  );
};

it("a host with the console alone loads no chat platform and nothing of what is off", async () => {
  expect(await loadedOf([...SLACK, ...DISCORD, ...CHAT, ...REST], {})).toEqual([]);
});

it("a host with Slack alone loads nothing of Discord, and the other way round", async () => {
  const slack = await createFakeSlack({ rates: "off" });
  const discord = await createFakeDiscord({ rates: "off" });
  onTestFinished(async () => {
    await Promise.all([slack.close(), discord.close()]);
  });
  const both = [...SLACK, ...DISCORD, ...CHAT, ...REST];
  const onSlack = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
  };
  const onDiscord = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl };
  expect(await loadedOf(both, onSlack)).toEqual([...SLACK, ...CHAT]);
  expect(await loadedOf(both, onDiscord)).toEqual([...DISCORD, ...CHAT]);
});
