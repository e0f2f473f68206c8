/** The real host on Slack's and Anthropic's stand-ins, with a sample repository. */

import { onTestFinished } from "vitest";
import { SCOPES, slackManifest } from "../../adapters/slack/receive/manifest.ts";
import { startHost } from "../app/cli/host.ts";
import { createFakeAnthropic } from "../fakes/anthropic/fake.ts";
import { createFakeSlack } from "../fakes/slack/fake.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";

/** `world`: people and channels; `settings`: beside the tokens and addresses. All of it ends with the test. */
export const startOnSlack = async (
  name: string,
  world: Pick<NonNullable<Parameters<typeof createFakeSlack>[0]>, "users" | "channels">,
  settings: Readonly<Record<string, string>>,
) => {
  const slack = await createFakeSlack({
    rates: "off",
    scopes: Object.keys(SCOPES),
    events: slackManifest(null).settings.event_subscriptions.bot_events,
    ...world,
  });
  const model = await createFakeAnthropic({ apiKey: "test-key" });
  const data = scratch(name);
  const repo = await sampleRepo("# Sample\n");
  const host = await startHost(data, {
    ANTHROPIC_API_KEY: model.apiKey,
    ANTHROPIC_BASE_URL: model.url,
    PARLEY_MODEL: "claude-sonnet-5-5",
    PARLEY_REPOS: repo,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    ...settings,
  });
  onTestFinished(async () => {
    await host.stop("SIGKILL");
    await Promise.all([slack.close(), model.close()]);
  });
  return { slack, model, data, repo, host };
};
