/** From no app to two checked tokens: the link, the paste, and each way in which Slack or the person is wrong. */

import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { slackSetup } from "../../../../adapters/slack/setup.ts";
import { slackCreationLink } from "../../../../adapters/slack/setup/create-app.ts";
import { createFakeSlack, type FakeSlack, type FakeSlackOptions } from "../../../fakes/slack/fake.ts";
import { Ended, readyWith, type SetupGiven, type SetupScene, setupScene } from "../../setup-scene.ts";

const workspace = async (options: FakeSlackOptions = {}): Promise<FakeSlack> => {
  const fake = await createFakeSlack({ isEmpty: true, rates: "off", ...options });
  onTestFinished(() => fake.close());
  return fake;
};

const sceneIn = (
  { apiUrl }: Pick<FakeSlack, "apiUrl">,
  { settings = {}, ...given }: SetupGiven,
): SetupScene => setupScene({ ...given, settings: { SLACK_API_URL: apiUrl, ...settings } });

const installed = (fake: FakeSlack, without: readonly string[] = []) => {
  const created = fake.developer.create(slackCreationLink(), { without });
  if (created.kind !== "installed") throw new Error(JSON.stringify(created));
  return created;
};

/** The sentence by which the command ends without a terminal. */
const endOf = async (fake: FakeSlack, settings: Readonly<Record<string, string>>): Promise<string> => {
  const { context } = sceneIn(fake, { settings });
  try {
    const ended = await slackSetup(context);
    return ended.kind === "stopped" ? ended.why : JSON.stringify(ended);
  } catch (error) {
    if (error instanceof Ended) return error.message;
    throw error;
  } finally {
    expect(fake.violations).toEqual([]);
  }
};

describe("a new app", () => {
  it("has a link with the manifest that Slack accepts, short enough for every browser", async () => {
    expect(slackCreationLink().length).toBeLessThan(8_000);
    expect((await workspace()).developer.create(slackCreationLink()).kind).toBe("installed");
  });

  it("needs one line with both tokens, in any order", async () => {
    const fake = await workspace();
    const { botToken, appToken } = installed(fake);
    const scene = sceneIn(fake, { typed: [`${appToken} ${botToken}`] });
    const result = await readyWith(slackSetup, scene);
    expect(result.settings).toEqual({ SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken });
    expect(result).toMatchObject({ approvers: "slack:admins", findings: [] });
    expect(result.firstQuestion).toMatch(
      /^In Slack: \/invite @parley .*"@parley where is the configuration read\?"$/,
    );
    expect(await result.channels()).toEqual([]);
    expect(scene.lines.slice(0, 4)).toEqual([
      expect.stringMatching(/Create and Install/),
      slackCreationLink(),
      expect.stringMatching(/xoxb-….*xapp-…/),
      expect.stringMatching(/admin/),
    ]);
    expect(scene.lines.slice(4)).toEqual([
      "? Bot token (xoxb-…), or both tokens in one line",
      "The bot token works: @parley in workspace T0FAKE.",
      "The app-level token works: Socket Mode can be opened.",
    ]);
  });

  it("takes the tokens one after the other, also the app-level token first", async () => {
    const fake = await workspace();
    const { botToken, appToken } = installed(fake);
    const settings = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken };
    const straight = sceneIn(fake, { typed: [botToken, appToken] });
    expect((await readyWith(slackSetup, straight)).settings).toEqual(settings);
    expect(straight.refusals).toEqual([]);
    const turned = sceneIn(fake, { typed: [appToken, botToken] });
    expect((await readyWith(slackSetup, turned)).settings).toEqual(settings);
    expect(turned.refusals).toEqual([
      expect.stringMatching(/^This is the app-level token .*: paste the bot token/),
    ]);
  });

  it("takes everything from settings without a terminal, and checks known tokens again", async () => {
    const fake = await workspace();
    const { botToken, appToken } = installed(fake);
    const settings = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken };
    expect((await readyWith(slackSetup, sceneIn(fake, { settings }))).settings).toEqual(settings);
    const again = sceneIn(fake, { settings, typed: ["", ""] });
    expect((await readyWith(slackSetup, again)).settings).toEqual(settings);
    expect(again.lines.join("\n")).not.toContain("new_app");
  });

  it("needs no app-level token in HTTP mode", async () => {
    const fake = await workspace();
    const { botToken } = installed(fake);
    const scene = sceneIn(fake, { settings: { SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: "secret" } });
    expect((await readyWith(slackSetup, scene)).settings).toEqual({ SLACK_BOT_TOKEN: botToken });
  });

  it("never shows a token", async () => {
    const fake = await workspace();
    const { botToken, appToken } = installed(fake);
    const scene = sceneIn(fake, { typed: ["xoxp-person", appToken, botToken] });
    await readyWith(slackSetup, scene);
    for (const secret of [botToken, appToken, "xoxp-person"])
      expect(scene.lines.join("\n")).not.toContain(secret);
  });
});

describe("what is wrong is said with what to do", () => {
  it.each([
    ["xoxp-1", /^This is a user token \(xoxp-\): paste the bot token/],
    ["xapp-1-A0FAKE-1-a", /^This is the app-level token \(xapp-…\): paste the bot token/],
    ["xoxe.xoxp-1-a", /^This is an app configuration token, .*: give it as SLACK_CONFIG_TOKEN/],
    ["0123456789abcdef0123456789abcdef", /^This is a signing secret or client secret: paste the bot token/],
    ["xoxb-unknown", /^The token is not valid: copy the token again .* \(Slack answers invalid_auth\)$/],
  ])("of %s in the place of the bot token", async (token, sentence) => {
    expect(await endOf(await workspace(), { SLACK_BOT_TOKEN: token })).toMatch(sentence);
  });

  it.each([
    [
      "token_revoked",
      /revoked: install the app again and set the new token \(Slack answers token_revoked\)$/,
    ],
    ["account_inactive", /deactivated: install the app again/],
    ["team_access_not_granted", /not allowed in this workspace: ask the workspace admins/],
    ["ratelimited", /^Slack limits the rate of requests: try again in \d+ seconds$|asks to wait/],
  ])("of a bot token that Slack refuses with %s", async (code, sentence) => {
    const fake = await workspace();
    const { botToken } = installed(fake);
    fake.fault({ kind: "error", error: code }, { match: { method: "auth.test" } });
    expect(await endOf(fake, { SLACK_BOT_TOKEN: botToken })).toMatch(sentence);
  });

  it("of an installation with fewer permissions, by name, with the page to reinstall it", async () => {
    const fake = await workspace();
    const { botToken, appToken, app } = installed(fake, ["files:read", "reactions:read"]);
    const tokens = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken };
    expect(await endOf(fake, tokens)).toBe(
      `The app has fewer permissions than its manifest asks for (missing: files:read, reactions:read): reinstall it at https://api.slack.com/apps/${app}/install-on-team in a new browser tab, and paste the bot token again`,
    );
    const reinstalled = fake.developer.install(app);
    if (reinstalled.kind !== "installed") throw new Error("not installed");
    const settings = { ...tokens, SLACK_BOT_TOKEN: reinstalled.botToken };
    await readyWith(slackSetup, sceneIn(fake, { settings }));
  });

  it("of an installation that may not even read its app", async () => {
    const fake = await workspace();
    const { botToken } = installed(fake, ["users:read"]);
    expect(await endOf(fake, { SLACK_BOT_TOKEN: botToken })).toMatch(
      /missing: users:read\): reinstall it at https:\/\/api\.slack\.com\/apps in a new/,
    );
  });

  it("of an app-level token of another app, or of another kind", async () => {
    const fake = await workspace();
    const { botToken, appToken } = installed(fake);
    const other = fake.developer.create(slackCreationLink());
    if (other.kind !== "installed") throw new Error("not installed");
    const [bot, app] = [{ SLACK_BOT_TOKEN: botToken }, other.appToken];
    expect(await endOf(fake, { ...bot, SLACK_APP_TOKEN: app })).toBe(
      `This app-level token belongs to another app (${other.app}, the bot token to A0FAKE): copy it from https://api.slack.com/apps/A0FAKE/general, App-Level Tokens`,
    );
    expect(await endOf(fake, { ...bot, SLACK_APP_TOKEN: botToken })).toMatch(
      /^This is the bot token \(xoxb-…\): paste the app-level token/,
    );
    await readyWith(slackSetup, sceneIn(fake, { settings: { ...bot, SLACK_APP_TOKEN: appToken } }));
  });

  it("of an app-level token without its scope", async () => {
    const fake = await workspace();
    const { botToken, app } = installed(fake);
    const token = fake.developer.appToken(app, ["authorizations:read"]);
    expect(await endOf(fake, { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: token })).toMatch(
      /^The app-level token lacks the scope connections:write: generate another one with it at https:.*\/A0FAKE\/general/,
    );
  });

  it("of Socket Mode being off, and goes on when it is on", async () => {
    const fake = await workspace();
    const { botToken, appToken } = installed(fake);
    fake.developer.switchSocketMode(false);
    const tokens = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken };
    expect(await endOf(fake, tokens)).toMatch(
      /^Socket Mode is off: switch it on at https:\/\/api\.slack\.com\/apps\/A0FAKE\/socket-mode,/,
    );
    fake.developer.switchSocketMode(true);
    await readyWith(slackSetup, sceneIn(fake, { settings: tokens }));
  });

  it("of a workspace in which an admin approves apps", async () => {
    const fake = await workspace({ approval: "pending" });
    expect(fake.developer.create(slackCreationLink()).kind).toBe("requested");
    const { context } = sceneIn(fake, { typed: ["wait"] });
    expect(await slackSetup(context)).toEqual({
      kind: "stopped",
      why: expect.stringMatching(
        /^An admin of the workspace has to approve the app first: run the command again/,
      ),
    });
    fake.developer.approve();
    const approved = fake.developer.install("A0FAKE");
    if (approved.kind !== "installed") throw new Error("not approved");
    await readyWith(slackSetup, sceneIn(fake, { typed: [approved.botToken, approved.appToken] }));
  });

  it("of a network that is not there, a proxy in between, and a service that is slow", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const address = closed.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await new Promise((resolve) => closed.close(resolve));
    const gone = sceneIn(
      { apiUrl: `http://127.0.0.1:${port}/api/` },
      { settings: { SLACK_BOT_TOKEN: "xoxb-1" } },
    );
    await expect(slackSetup(gone.context)).rejects.toThrow(
      /^Slack gives no usable answer \(Slack cannot be reached\): check the network, HTTPS_PROXY and SLACK_API_URL/,
    );
    const fake = await workspace();
    const bot = { SLACK_BOT_TOKEN: installed(fake).botToken };
    const match = { method: "auth.test" };
    fake.fault({ kind: "status", status: 502, body: "html" }, { match });
    expect(await endOf(fake, bot)).toMatch(/^Slack gives no usable answer \(HTTP 502\)/);
    fake.fault({ kind: "nonsense", text: "<html>sign in</html>" }, { match });
    expect(await endOf(fake, bot)).toMatch(/^Slack gives no usable answer/);
    fake.fault({ kind: "status", status: 429, retryAfter: "7" }, { match });
    expect(await endOf(fake, bot)).toBe("Slack limits the rate of requests: try again in 7 seconds");
    fake.fault({ kind: "stall", applied: false }, { match });
    const slow = sceneIn(fake, { settings: bot, request: 50 });
    await expect(slackSetup(slow.context)).rejects.toThrow(/^Slack gives no usable answer/);
  });

  it("of an answer that is missing", async () => {
    expect(await endOf(await workspace(), {})).toBe("Missing: SLACK_BOT_TOKEN");
  });
});
