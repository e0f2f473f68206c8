/** What real processes of the host run in front of: the wire-level Slack and model, and a small repository. */

import { SCOPES, slackManifest } from "../../adapters/slack/receive/manifest.ts";
import type { Repo } from "../../src/ports/conversation.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { openStore } from "../store/open-store.ts";
import { createFakeAnthropic, type FakeAnthropic } from "../fakes/anthropic/fake.ts";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import { sampleRepo } from "../sample-repo.ts";
import { answerTo } from "./answers.ts";

export interface Scene {
  readonly slack: FakeSlack;
  readonly model: FakeAnthropic;
  /** What a process needs to reach them. */
  readonly settings: Readonly<Record<string, string>>;
  /** Only what the operator lists can be bound: before the first start, as an answer in the channel would. */
  bind(data: string, repo?: Repo): Promise<void>;
  close(): Promise<void>;
}

/** `answer`: what the model says. */
export const createScene = async (
  answer: typeof answerTo = answerTo,
  channels: readonly string[] = ["general"],
): Promise<Scene> => {
  const slack = await createFakeSlack({
    rates: "off",
    scopes: Object.keys(SCOPES),
    events: slackManifest(null).settings.event_subscriptions.bot_events,
    channels: channels.map((name) => ({ name })),
  });
  const model = await createFakeAnthropic();
  model.scriptAlways(answer);
  const location = await sampleRepo("# Sample\n");
  return {
    slack,
    model,
    settings: {
      ANTHROPIC_API_KEY: model.apiKey,
      ANTHROPIC_BASE_URL: model.url,
      PARLEY_MODEL: "claude-sonnet-5-5",
      PARLEY_REPO: location,
      PARLEY_REPOS: location,
      PARLEY_APPROVERS: "slack:members,console:operator",
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
    },
    bind: async (data, repo = { kind: "path", location }) => {
      const opened = openStore(data, silentLog);
      if (opened.kind === "failed") throw new Error(opened.message);
      for (const name of channels) {
        const { id } = slack.world.channelNamed(name);
        await opened.chat.bind("slack", id, { repo, by: "slack:UALICE", at: 1 });
      }
      await opened.store.close();
    },
    close: async () => {
      await Promise.all([slack.close(), model.close()]);
    },
  };
};
