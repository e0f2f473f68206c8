/** The way from nothing to a working bot: the manifest, what doctor says, what the guide names. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { SCOPES, slackManifest } from "../../../adapters/slack/listen/manifest.ts";
import { manifestCommand } from "../../../src/cli/manifest.ts";
import { slackFindings } from "../../../src/cli/doctor/slack-findings.ts";
import { readConfig } from "../../../src/host/settings/config.ts";
import { createFakeSlack, type FakeSlackOptions } from "../../fakes/slack/fake.ts";

const root = join(import.meta.dirname, "../../..");

const found = async (
  options: FakeSlackOptions & { readonly revoked?: boolean },
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> => {
  const fake = await createFakeSlack(options);
  onTestFinished(() => fake.close());
  if (options.revoked === true) fake.revoke();
  const read = readConfig(
    {
      SLACK_BOT_TOKEN: fake.botToken,
      SLACK_APP_TOKEN: fake.appToken,
      SLACK_API_URL: fake.apiUrl,
      PARLEY_MODEL: "demo",
      PARLEY_REPOS: "acme/*",
      ...env,
    },
    "/nonexistent",
  );
  if (read.kind === "invalid") throw new Error(read.problems.join());
  const lines: string[] = [];
  for await (const { level, what, found: text, remedy } of slackFindings(read.config)) {
    lines.push(`${level} ${what}: ${text}${remedy === null ? "" : ` -> ${remedy}`}`);
  }
  return lines;
};

describe("doctor", () => {
  it("is content with an app made from the manifest", async () => {
    expect(await found({ scopes: Object.keys(SCOPES) })).toEqual([
      "ok slack bot token: @parley in workspace T0FAKE",
      "ok slack scopes: all that the manifest lists",
      "ok slack app token: Socket Mode can be opened",
      expect.stringMatching(/^ok slack events: cannot be read with these tokens/),
    ]);
  });

  it("names each missing scope with what it is for", async () => {
    const scopes = Object.keys(SCOPES).filter((scope) => scope !== "files:read" && scope !== "users:read");
    const lines = await found({ scopes });
    expect(lines[1]).toMatch(
      /^error slack scopes: missing: files:read \(pictures and files that people attach\), users:read \(.*\) -> Add them/,
    );
  });

  it("names tokens that were revoked, settings that leave nobody able to approve, and no repositories", async () => {
    const lines = await found({ revoked: true }, { PARLEY_APPROVERS: "console:operator", PARLEY_REPOS: "" });
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      "error slack bot token",
      "error slack app token",
      "warning slack repositories",
      "warning slack approvers",
    ]);
    expect(lines[0]).toContain("install the app again");
  });

  it("says what is missing where Slack is off", async () => {
    expect((await found({}, { SLACK_APP_TOKEN: "" }))[0]).toMatch(/^error slack: off: set SLACK_APP_TOKEN/);
    expect((await found({}, { PARLEY_MODEL: "" }))[0]).toMatch(/^error slack: off: there is no model/);
    expect(await found({}, { SLACK_BOT_TOKEN: "" })).toEqual(["ok slack: off (SLACK_BOT_TOKEN is not set)"]);
  });
});

/** What the command prints; null where it refuses. */
const print = (...args: readonly string[]): string | null => {
  const lines: string[] = [];
  const note = (line: unknown): void => void lines.push(String(line));
  const spies = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((spy) =>
    spy.mockImplementation(note),
  );
  const status = manifestCommand(args);
  for (const spy of spies) spy.mockRestore();
  return status === 0 ? lines.join("\n") : null;
};

describe("the manifest", () => {
  it("is printed ready to paste, within Slack's lengths", () => {
    expect(JSON.parse(print("slack") ?? "")).toEqual(JSON.parse(JSON.stringify(slackManifest(null))));
    const { display_information: display, features } = slackManifest(null);
    expect(display.name.length).toBeLessThanOrEqual(35);
    expect(display.description.length).toBeLessThanOrEqual(140);
    for (const { name, description } of features.shortcuts) {
      expect(name.length).toBeLessThanOrEqual(24);
      expect(description.length).toBeLessThanOrEqual(150);
    }
  });

  it("in HTTP mode names the address everywhere and switches sockets off", () => {
    const { settings, features } = z
      .looseObject({ settings: z.looseObject({ socket_mode_enabled: z.boolean() }), features: z.unknown() })
      .parse(JSON.parse(print("slack", "--http", "https://parley.example.org") ?? ""));
    expect(settings.socket_mode_enabled).toBe(false);
    expect(
      JSON.stringify([settings, features]).match(/https:\/\/parley\.example\.org\/slack\/events/g),
    ).toHaveLength(3);
  });

  it("of anything else is refused with the usage", () => {
    for (const args of [[], ["irc"], ["slack", "--http"], ["slack", "--http", "http://x"]]) {
      expect(print(...args)).toBeNull();
    }
  });
});

describe("the guide", () => {
  const guide = readFileSync(join(root, "docs/slack.md"), "utf8");
  const example = readFileSync(join(root, ".env.example"), "utf8");

  it("names settings that exist", () => {
    const named = new Set(
      [...guide.matchAll(/\b((?:PARLEY|SLACK)_[A-Z_]+)\b/g)].map(([, name = ""]) => name),
    );
    expect(named.size).toBeGreaterThan(8);
    for (const name of named) expect(example, name).toMatch(new RegExp(`^${name}=`, "m"));
  });

  it("names commands that exist", () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
    for (const [, name = ""] of guide.matchAll(/`npm run (\w+)/g))
      expect(Object.keys(scripts)).toContain(name);
  });
});
