/** The way from nothing to a working bot: the manifest, and what the guide names. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { slackManifest } from "../../../adapters/slack/receive/manifest.ts";
import { manifestCommand } from "../../../src/app/cli/manifest.ts";

const root = join(import.meta.dirname, "../../..");

/** What the command prints; null where it refuses. */
const print = async (...args: readonly string[]): Promise<string | null> => {
  const lines: string[] = [];
  const note = (line: unknown): void => void lines.push(String(line));
  const spies = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((spy) =>
    spy.mockImplementation(note),
  );
  const status = await manifestCommand(args);
  for (const spy of spies) spy.mockRestore();
  return status === 0 ? lines.join("\n") : null;
};

describe("the manifest", () => {
  it("is printed ready to paste, within Slack's lengths", async () => {
    expect(JSON.parse((await print("slack")) ?? "")).toEqual(JSON.parse(JSON.stringify(slackManifest(null))));
    const { display_information: display, features } = slackManifest(null);
    expect(display.name.length).toBeLessThanOrEqual(35);
    expect(display.description.length).toBeLessThanOrEqual(140);
    for (const { name, description } of features.shortcuts) {
      expect(name.length).toBeLessThanOrEqual(24);
      expect(description.length).toBeLessThanOrEqual(150);
    }
  });

  it("WS14 makes an agent, with its events and prompts within Slack's lengths", () => {
    const { features, settings, oauth_config: oauth } = slackManifest(null);
    expect(features).not.toHaveProperty("assistant_view");
    expect(features.agent_view.agent_description.length).toBeLessThanOrEqual(300);
    expect(features.agent_view.suggested_prompts.length).toBeLessThanOrEqual(4);
    expect(features.app_home).toMatchObject({ home_tab_enabled: true, messages_tab_enabled: true });
    expect(features.slash_commands.map(({ should_escape: escapes }) => escapes)).toEqual([true]);
    expect(settings.event_subscriptions.bot_events).toEqual(
      expect.arrayContaining([
        "agent_session_stopped",
        "app_context_changed",
        "app_home_opened",
        "channel_id_changed",
        "message.mpim",
      ]),
    );
    expect(settings.event_subscriptions.bot_events).not.toContain("assistant_thread_started");
    expect(oauth.scopes.bot).toEqual(
      expect.arrayContaining(["assistant:write", "chat:write", "mpim:history"]),
    );
  });

  it("in HTTP mode names the address everywhere and switches sockets off", async () => {
    const { settings, features } = z
      .looseObject({ settings: z.looseObject({ socket_mode_enabled: z.boolean() }), features: z.unknown() })
      .parse(JSON.parse((await print("slack", "--http", "https://parley.example.org")) ?? ""));
    expect(settings.socket_mode_enabled).toBe(false);
    expect(
      JSON.stringify([settings, features]).match(/https:\/\/parley\.example\.org\/slack\/events/g),
    ).toHaveLength(3);
  });

  it("of anything else is refused with the usage", async () => {
    for (const args of [[], ["irc"], ["slack", "--http"], ["slack", "--http", "http://x"]]) {
      expect(await print(...args)).toBeNull();
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
