/** What people paste: tokens in any order, and other things that Slack's pages show. */

import { expect, it } from "vitest";
import { appOfToken, pastedTokens } from "../../../../adapters/slack/setup/tokens.ts";

const none = { bot: null, app: null, configuration: null, refresh: null, other: null };

it.each([
  ["xoxb-1-a", { bot: "xoxb-1-a" }],
  [" xapp-1-A1-2-b xoxb-1-a\n", { bot: "xoxb-1-a", app: "xapp-1-A1-2-b" }],
  [
    "SLACK_BOT_TOKEN='xoxb-1-a'\nexport SLACK_APP_TOKEN=\"xapp-1-A1-2-b\"",
    { bot: "xoxb-1-a", app: "xapp-1-A1-2-b" },
  ],
  ["xoxe.xoxp-1-a xoxe-1-b", { configuration: "xoxe.xoxp-1-a", refresh: "xoxe-1-b" }],
  ["", {}],
  ["xoxp-1", { other: "a user token (xoxp-)" }],
  ["xoxc-1", { other: "a token of a browser session" }],
  ["xoxe.xoxb-1-a", { other: "a bot token that expires, because token rotation is on" }],
  ["0123456789abcdef0123456789abcdef", { other: "a signing secret or client secret" }],
  ["A0123456789", { other: "the app's id" }],
  ["12345.67890", { other: "the app's client id" }],
  ["hello", { other: "no token" }],
])("reads %j", (text, found) => {
  expect(pastedTokens(text)).toEqual({ ...none, ...found });
});

it("reads the app's id from an app-level token, and none from another form", () => {
  expect(appOfToken("xapp-1-A0FAKE-12-ab")).toBe("A0FAKE");
  expect(appOfToken("xapp-1-test")).toBeNull();
});
