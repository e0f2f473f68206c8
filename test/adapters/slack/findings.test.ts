/** Doctor's findings about Slack: tokens, scopes, and the channels and people that the settings name, good and bad. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SCOPES } from "../../../adapters/slack/receive/manifest.ts";
import { platformFindings } from "../../../src/app/cli/doctor/platform-findings.ts";
import { NO_SETTINGS } from "../../../src/runtime/channels/channel-settings.ts";
import { openStore } from "../../store/open-store.ts";
import { about, linesOf, platformConfigOf } from "../../app/cli/doctor/findings.ts";
import { createFakeSlack, type FakeSlackOptions } from "../../fakes/slack/fake.ts";
import { scratch } from "../../scratch.ts";

const BASE = { PARLEY_MODEL: "demo", PARLEY_REPOS: "acme/*" };

const foundOnSlack = async (
  env: Readonly<Record<string, string>> = {},
  { revoked = false, ...options }: FakeSlackOptions & { readonly revoked?: boolean } = {},
): Promise<readonly string[]> => {
  const fake = await createFakeSlack({ scopes: Object.keys(SCOPES), ...options });
  onTestFinished(() => fake.close());
  if (revoked) fake.revoke();
  const { botToken, appToken, apiUrl } = fake;
  const tokens = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl };
  const lines = await linesOf(platformFindings(platformConfigOf("slack", { ...BASE, ...tokens, ...env })));
  expect(fake.violations).toEqual([]);
  return lines;
};

describe("the tokens", () => {
  it("is content with an app made from the manifest", async () => {
    expect(await foundOnSlack()).toEqual([
      "ok slack bot token: @parley in workspace T0FAKE",
      "ok slack scopes: all scopes of the manifest are granted",
      "ok slack app token: Socket Mode can be opened",
      expect.stringMatching(/^ok slack events: cannot be read with these tokens/),
    ]);
  });

  it("names each missing scope with what it is for", async () => {
    const scopes = Object.keys(SCOPES).filter((scope) => scope !== "files:read" && scope !== "users:read");
    const lines = await foundOnSlack({}, { scopes });
    expect(lines[1]).toMatch(
      /^error slack scopes: missing: files:read \(pictures and files that people attach\), users:read \(.*\) -> Add the scopes/,
    );
  });

  it("names tokens that were revoked, settings that leave nobody able to approve, and no repositories", async () => {
    const lines = await foundOnSlack(
      { PARLEY_APPROVERS: "console:operator", PARLEY_REPOS: "" },
      { revoked: true },
    );
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      "error slack bot token",
      "error slack app token",
      "warning slack repositories",
      "warning slack approvers",
    ]);
    expect(lines[0]).toContain("install the app again");
  });

  it("says what is missing where Slack is off", async () => {
    expect((await foundOnSlack({ SLACK_APP_TOKEN: "" }))[0]).toMatch(
      /^error slack: off: set SLACK_APP_TOKEN/,
    );
    expect((await foundOnSlack({ PARLEY_MODEL: "" }))[0]).toMatch(/^error slack: off: there is no model/);
    expect(await foundOnSlack({ SLACK_BOT_TOKEN: "" })).toEqual([
      "ok slack: off (SLACK_BOT_TOKEN is not set)",
    ]);
  });
});

describe("the ids of settings", () => {
  it("channels are there and the bot is in them, or it is said what to do", async () => {
    const channels = [{ name: "general" }, { name: "ops" }, { name: "away", withoutApp: true }];
    const good = await foundOnSlack(
      {
        PARLEY_APPROVALS_CHANNEL: "CGENERAL",
        PARLEY_OPERATOR_CHANNEL: "slack:COPS",
        PARLEY_SLACK_CHANNELS: "COPS",
      },
      { channels },
    );
    expect(about(good, "slack channels")).toEqual([
      "ok PARLEY_APPROVALS_CHANNEL: #general (CGENERAL)",
      "ok PARLEY_OPERATOR_CHANNEL: #ops (COPS)",
      "ok PARLEY_SLACK_CHANNELS: #ops (COPS)",
    ]);
    const bad = await foundOnSlack(
      { PARLEY_APPROVALS_CHANNEL: "CAWAY", PARLEY_OPERATOR_CHANNEL: "slack:CNONE" },
      { channels },
    );
    expect(about(bad, "slack channels")).toEqual([
      expect.stringMatching(
        /^error PARLEY_APPROVALS_CHANNEL: the bot is not in #away \(CAWAY\) -> Invite the bot/,
      ),
      expect.stringMatching(/^error PARLEY_OPERATOR_CHANNEL: CNONE: Slack said: channel_not_found -> /),
    ]);
  });

  it("channels in which answers are looked at are tried as well", async () => {
    const data = scratch("review");
    const opened = openStore(data);
    if (opened.kind === "failed") throw new Error(opened.message);
    const settings = { ...NO_SETTINGS, review: "CAWAY", by: "slack:U1", at: 1 } as const;
    await opened.chat.setChannel("slack", "CGENERAL", settings);
    await opened.store.close();
    const channels = [{ name: "general" }, { name: "away", withoutApp: true }];
    const found = await foundOnSlack({ PARLEY_DATA: data }, { channels });
    expect(about(found, "slack channels")).toEqual([
      expect.stringMatching(/^error \/parley review: the bot is not in #away \(CAWAY\) -> Invite the bot/),
    ]);
  });

  it("approvers are members and groups with members, or are named", async () => {
    const world = {
      users: [
        { name: "alice" },
        { name: "guy", role: "guest" as const },
        { name: "gone", role: "deactivated" as const },
      ],
      groups: { S1: ["alice"], S2: [] },
    };
    const good = await foundOnSlack({ PARLEY_APPROVERS: "slack:UALICE,slack:group:S1,slack:admins" }, world);
    expect(about(good, "slack approvers")).toEqual(["ok alice (UALICE)", "ok the group S1 (1 members)"]);
    const bad = await foundOnSlack(
      { PARLEY_APPROVERS: "slack:UGUY,slack:UGONE,slack:UNOBODY,slack:group:S2,slack:group:S9" },
      world,
    );
    expect(about(bad, "slack approvers")).toEqual([
      expect.stringMatching(/^warning guy \(UGUY\) is a guest: this entry names no approver -> Correct/),
      expect.stringMatching(/^warning gone \(UGONE\) is deactivated: /),
      expect.stringMatching(/^warning UNOBODY: Slack said: user_not_found: /),
      expect.stringMatching(/^warning the group S2 has no members: /),
      expect.stringMatching(/^warning S9: Slack said: no_such_subteam: /),
    ]);
    const file = join(scratch("owners"), "owners.json");
    writeFileSync(
      file,
      '{ "@ada": ["slack:UALICE", "console:operator"], "@web": "slack:group:S2", "*": "approvers" }',
    );
    const owned = await foundOnSlack({ PARLEY_CODEOWNERS: file }, world);
    expect(about(owned, "slack owners")).toEqual([
      "ok alice (UALICE)",
      "warning the group S2 has no members: this entry names no owner -> Correct the table of PARLEY_CODEOWNERS.",
    ]);
  });

  it("what no token can read is said, with how to look", async () => {
    expect(about(await foundOnSlack({}), "slack events")).toEqual([
      expect.stringMatching(
        /^ok cannot be read with these tokens; compare Event Subscriptions .* app_mention, /,
      ),
    ]);
  });
});
