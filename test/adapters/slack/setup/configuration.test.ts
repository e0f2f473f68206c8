/** Apps by configuration token: created once, updated after a look at the difference, with tokens that are used once. */

import { describe, expect, it, onTestFinished } from "vitest";
import { slackManifest } from "../../../../adapters/slack/receive/manifest.ts";
import { slackSetup } from "../../../../adapters/slack/setup.ts";
import { manifestDiff, mergedManifest } from "../../../../adapters/slack/setup/merged-manifest.ts";
import { slackCreationLink } from "../../../../adapters/slack/setup/create-app.ts";
import { createVirtualClock, type VirtualClock } from "../../../fakes/shared/clock.ts";
import { createFakeSlack, type FakeSlack } from "../../../fakes/slack/fake.ts";
import { Ended, readyWith, type SetupGiven, type SetupScene, setupScene } from "../../setup-scene.ts";

const FILE = "slack-app.json";

const workspace = async (): Promise<{ readonly fake: FakeSlack; readonly clock: VirtualClock }> => {
  const clock = createVirtualClock();
  const fake = await createFakeSlack({ isEmpty: true, rates: "off", clock });
  onTestFinished(() => fake.close());
  return { fake, clock };
};

const sceneIn = ({ apiUrl }: FakeSlack, { settings = {}, ...given }: SetupGiven): SetupScene =>
  setupScene({ ...given, settings: { SLACK_API_URL: apiUrl, ...settings } });

const endOf = async (scene: SetupScene): Promise<string> => {
  try {
    const ended = await slackSetup(scene.context);
    if (ended.kind === "ready") throw new Error("the setup is ready");
    return ended.kind === "done" ? ended.text : ended.why;
  } catch (error) {
    if (error instanceof Ended) return error.message;
    throw error;
  }
};

const methodsOf = (fake: FakeSlack): readonly string[] => fake.calls.map(({ method }) => method);
const keptIn = ({ files }: SetupScene): unknown => JSON.parse(files.get(FILE) ?? "null");

/** As Slack had apps before July 2026, changed by the people who run it. */
const FORMER = {
  display_information: { name: "Ask Ada", description: "Ours", background_color: "#ff0000" },
  features: {
    app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
    assistant_view: { assistant_description: "Answers questions" },
    bot_user: { display_name: "ada", always_online: false },
    shortcuts: [{ type: "global", name: "Ours", callback_id: "ours", description: "Ours" }],
    slash_commands: [{ command: "/parley", description: "Ask", should_escape: false }],
  },
  oauth_config: { scopes: { bot: ["chat:write", "canvases:read"] } },
  settings: {
    event_subscriptions: { bot_events: ["assistant_thread_started", "app_mention", "team_join"] },
    interactivity: { is_enabled: true },
    org_deploy_enabled: true,
    socket_mode_enabled: true,
    token_rotation_enabled: false,
  },
};

/** An app of before, its bot token, and a refresh token that was kept. */
const before = async () => {
  const { fake } = await workspace();
  fake.developer.existing("A0FAKE", FORMER);
  const installed = fake.developer.install("A0FAKE");
  if (installed.kind !== "installed") throw new Error("not installed");
  const { refresh } = fake.developer.configurationToken();
  const files = new Map([[FILE, JSON.stringify({ app: "A0FAKE", refresh })]]);
  return { fake, files, installed };
};

describe("creating", () => {
  it("validates and creates the app, says how to install it, and takes its tokens", async () => {
    const { fake } = await workspace();
    const { token, refresh } = fake.developer.configurationToken();
    const settings = { SLACK_CONFIG_TOKEN: token, SLACK_CONFIG_REFRESH_TOKEN: refresh };
    const first = sceneIn(fake, { settings });
    expect(await endOf(first)).toBe("Missing: SLACK_BOT_TOKEN");
    expect(methodsOf(fake)).toEqual(["apps.manifest.validate", "apps.manifest.create"]);
    expect(fake.developer.manifestOf("A0FAKE")).toEqual(JSON.parse(JSON.stringify(slackManifest(null))));
    expect(first.lines).toEqual([
      "Slack created the app A0FAKE.",
      "1. Install the app A0FAKE, and copy the bot token (xoxb-…):",
      expect.stringMatching(/^https:\/\/slack\.com\/oauth\/v2\/authorize\?client_id=/),
      expect.stringMatching(/connections:write/),
      "https://api.slack.com/apps/A0FAKE/general",
    ]);
    expect(keptIn(first)).toEqual({ app: "A0FAKE", refresh });

    const installed = fake.developer.install("A0FAKE");
    if (installed.kind !== "installed") throw new Error("not installed");
    const { botToken, appToken } = installed;
    const again = sceneIn(fake, { settings, files: first.files, typed: [`${botToken} ${appToken}`] });
    const result = await readyWith(slackSetup, again);
    expect(result.settings).toEqual({ SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken });
    expect(methodsOf(fake).filter((method) => method === "apps.manifest.create")).toHaveLength(1);
    expect(fake.violations).toEqual([]);
  });

  it("also with the token pasted in the place of the bot's", async () => {
    const { fake } = await workspace();
    const { token, refresh } = fake.developer.configurationToken();
    const scene = sceneIn(fake, { typed: [`${refresh} ${token}`] });
    expect(await endOf(scene)).toBe("Missing: SLACK_BOT_TOKEN");
    expect(scene.refusals).toEqual([expect.stringMatching(/^Install the app by the links above, and paste/)]);
    expect(keptIn(scene)).toEqual({ app: "A0FAKE", refresh });
    for (const secret of [token, refresh]) expect(scene.lines.join("\n")).not.toContain(secret);
  });

  it("names the app of an interrupted run to a person who comes back without the token", async () => {
    const { fake } = await workspace();
    const files = new Map([[FILE, '{"app":"A0FAKE","refresh":null}']]);
    const scene = sceneIn(fake, { files, typed: [] });
    await endOf(scene);
    expect(scene.lines.slice(0, 2)).toEqual([
      "1. Install the app A0FAKE, and copy the bot token (xoxb-…):",
      "https://api.slack.com/apps/A0FAKE/install-on-team",
    ]);
    expect(scene.lines).toContain(slackCreationLink());
  });

  it("creates another app if the kept one is gone", async () => {
    const { fake } = await workspace();
    const { token } = fake.developer.configurationToken();
    const files = new Map([[FILE, '{"app":"AGONE","refresh":null}']]);
    const scene = sceneIn(fake, { files, settings: { SLACK_CONFIG_TOKEN: token } });
    await endOf(scene);
    expect(keptIn(scene)).toEqual({ app: "A0FAKE", refresh: null });
  });

  it("makes a token of the refresh token, and stores the next one before anything else", async () => {
    const { fake } = await workspace();
    const { refresh } = fake.developer.configurationToken();
    fake.fault({ kind: "error", error: "internal_error" }, { match: { method: "apps.manifest.validate" } });
    const scene = sceneIn(fake, { settings: { SLACK_CONFIG_REFRESH_TOKEN: refresh } });
    expect(await endOf(scene)).toMatch(/^Slack gives no usable answer \(internal_error\)/);
    expect(keptIn(scene)).toEqual({ app: null, refresh: expect.stringMatching(/^xoxe-1-/) });
    expect(scene.files.get(FILE)).not.toContain(refresh);
  });

  it.each([
    [
      "invalid_manifest",
      { errors: [{ message: "Too long", pointer: "/features" }] },
      /^Slack refuses the manifest \(Too long at \/features\): update Parley/,
    ],
    [
      "app_approval_request_pending",
      {},
      /^Ask an admin of the workspace to approve the app, then run the command again/,
    ],
    ["app_approval_request_denied", {}, /^An admin of the workspace refused the app: ask them why/],
    ["access_denied", {}, /generate the configuration token as one of them/],
    ["ratelimited", {}, /^Slack (limits the rate|gives no usable answer)/],
  ])("says what to do if Slack answers %s", async (error, fields, sentence) => {
    const { fake } = await workspace();
    const { token } = fake.developer.configurationToken();
    fake.fault({ kind: "error", error, fields }, { match: { method: "apps.manifest.create" } });
    expect(await endOf(sceneIn(fake, { settings: { SLACK_CONFIG_TOKEN: token } }))).toMatch(sentence);
  });

  it("says what to do with a configuration token that is over, and a refresh token that was used", async () => {
    const { fake, clock } = await workspace();
    const { token, refresh } = fake.developer.configurationToken();
    clock.advance(13 * 3_600_000);
    const over = { SLACK_CONFIG_TOKEN: token };
    const NEW = /^Generate a new app configuration token at https:\/\/api\.slack\.com\/apps, .*and paste it/;
    expect(await endOf(sceneIn(fake, { settings: over }))).toMatch(NEW);
    const used = { SLACK_CONFIG_REFRESH_TOKEN: refresh };
    expect(await endOf(sceneIn(fake, { settings: used }))).toBe("Missing: SLACK_BOT_TOKEN");
    expect(await endOf(sceneIn(fake, { settings: used }))).toMatch(NEW);
  });
});

describe("updating", () => {
  it("shows the difference, changes the app after a yes, and keeps what people changed", async () => {
    const { fake, files } = await before();
    const scene = sceneIn(fake, { files, update: true, typed: ["yes"] });
    expect(await endOf(scene)).toMatch(
      /^The app A0FAKE is updated\. Its permissions changed: reinstall it at https:\/\/api\.slack\.com\/apps\/A0FAKE\/install-on-team/,
    );
    expect(scene.lines[0]).toBe("The app A0FAKE would change:");
    expect(scene.lines).toEqual(
      expect.arrayContaining([
        "  + oauth_config.scopes.bot im:history",
        "  - settings.event_subscriptions.bot_events assistant_thread_started",
        "  ~ features.slash_commands /parley.should_escape: false -> true",
        "  ~ features.app_home.home_tab_enabled: false -> true",
        "The app moves from the assistant panel to agent messaging. Slack cannot undo this.",
      ]),
    );
    const after = fake.developer.manifestOf("A0FAKE");
    expect(after?.display_information).toEqual(FORMER.display_information);
    expect(after?.features?.bot_user).toEqual(FORMER.features.bot_user);
    expect(after?.features?.assistant_view).toBeUndefined();
    expect(after?.features?.shortcuts?.map(({ callback_id: id }) => id)).toContain("ours");
    expect(after?.oauth_config?.scopes?.bot).toEqual(expect.arrayContaining(["canvases:read", "im:history"]));
    expect(after?.settings?.event_subscriptions?.bot_events).toEqual(
      expect.arrayContaining(["team_join", "app_home_opened"]),
    );
    expect(after?.settings?.org_deploy_enabled).toBe(true);
    expect(keptIn(scene)).toEqual({ app: "A0FAKE", refresh: expect.not.stringContaining("null") });
    expect(fake.violations).toEqual([]);
    const again = sceneIn(fake, { files: scene.files, update: true, typed: [] });
    expect(await endOf(again)).toBe("The app A0FAKE has the manifest of this version.");
  });

  it("changes nothing after a no, or without a terminal and --yes", async () => {
    const { fake, files } = await before();
    const no = sceneIn(fake, { files, update: true, typed: ["no"] });
    expect(await endOf(no)).toMatch(/^Nothing was changed: answer yes, or add --yes/);
    const scripted = sceneIn(fake, { files: no.files, update: true });
    expect(await endOf(scripted)).toMatch(/^Nothing was changed/);
    expect(methodsOf(fake)).not.toContain("apps.manifest.update");
    const forced = sceneIn(fake, { files: scripted.files, update: true, yes: true });
    expect(await endOf(forced)).toMatch(/^The app A0FAKE is updated/);
  });

  it("finds the app by its bot token, whatever it may do, and asks for a configuration token", async () => {
    const { fake, installed } = await before();
    const { token, refresh } = fake.developer.configurationToken();
    const settings = { SLACK_BOT_TOKEN: installed.botToken };
    // The former manifest has no users:read, so Slack does not name the app of the bot.
    expect(await endOf(sceneIn(fake, { settings, update: true, typed: [] }))).toMatch(
      /^The app to update is unknown/,
    );
    fake.reinstall(["users:read"]);
    const scene = sceneIn(fake, {
      settings,
      update: true,
      typed: ["xoxb-wrong", `${token} ${refresh}`, "yes"],
    });
    expect(await endOf(scene)).toMatch(/^The app A0FAKE is updated/);
    expect(scene.refusals).toEqual([expect.stringMatching(/^Generate an app configuration token at/)]);
    expect(keptIn(scene)).toEqual({ app: "A0FAKE", refresh });
  });

  it("asks again if the kept refresh token was used elsewhere, and says so without a terminal", async () => {
    const { fake } = await before();
    const files = new Map([[FILE, '{"app":"A0FAKE","refresh":"xoxe-1-used"}']]);
    const sentence = /^Generate a new app configuration token at .* \(Slack answers invalid_refresh_token\)/;
    expect(await endOf(sceneIn(fake, { files, update: true, yes: true }))).toMatch(sentence);
    const { token } = fake.developer.configurationToken();
    const scene = sceneIn(fake, { files, update: true, typed: [token, "y"] });
    expect(await endOf(scene)).toMatch(/^The app A0FAKE is updated/);
    expect(scene.lines[0]).toMatch(sentence);
  });

  it("of an unknown app says how to name it", async () => {
    const { fake } = await workspace();
    expect(await endOf(sceneIn(fake, { update: true, typed: [] }))).toBe(
      "The app to update is unknown: run `parley setup slack` first, so that SLACK_BOT_TOKEN names it",
    );
  });
});

describe("the merged manifest", () => {
  it("of Parley's own manifest is that manifest", () => {
    const own = JSON.parse(JSON.stringify(slackManifest(null)));
    expect(mergedManifest(own)).toEqual(own);
    expect(manifestDiff(own, mergedManifest(own))).toEqual([]);
  });

  it("stays in HTTP mode, with the addresses that it has", () => {
    const http = JSON.parse(JSON.stringify(slackManifest("https://parley.example.org/slack/events")));
    expect(manifestDiff(http, mergedManifest(http))).toEqual([]);
  });

  it("survives an export without most of its parts", () => {
    const merged = mergedManifest({ display_information: { name: "X" } });
    expect(merged).toMatchObject({
      display_information: { name: "X" },
      settings: { socket_mode_enabled: true },
    });
  });
});
