/**
 * A community's session in a forum post as everybody reads it (community.txt). The real host process
 * with the real discord.js and Anthropic clients, on wire-level servers; its tools run in the real sandbox on a
 * repository of this machine, and a SIGKILL stands between the question and its answer.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test, vi } from "vitest";
import { startHost } from "../app/cli/host.ts";
import { scratch } from "../scratch.ts";
import { createFakeAnthropic } from "../fakes/anthropic/fake.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import { createFakeDiscord, type FakeDiscord } from "../fakes/discord/fake.ts";
import { replayDirectory } from "../replay.ts";
import { unhandled } from "./unhandled.ts";
import { timeless } from "../timeless.ts";

test("a question, a follow-up, a denial, a change, a stranger's click, a maintainer's approval after a restart and a turn that is tried again", async () => {
  const repo = await makeRepo();
  const model = await createFakeAnthropic();
  const fake = await createFakeDiscord({ rates: "off", times: { identifyWindowMs: 0 } });
  const data = scratch("community");
  const settings = {
    ANTHROPIC_API_KEY: model.apiKey,
    ANTHROPIC_BASE_URL: model.url,
    PARLEY_MODEL: "claude-sonnet-5-5",
    DISCORD_TOKEN: fake.token,
    DISCORD_API_URL: fake.apiUrl,
    PARLEY_REPOS: repo,
  };
  let host = await startHost(data, settings);
  onTestFinished(async () => {
    await host.stop("SIGKILL");
    await Promise.all([fake.close(), model.close()]);
    replayDirectory(data);
  });
  const reads = (channel: string, wanted: RegExp): Promise<string> =>
    vi.waitFor(() => {
      const text = fake.asText(channel);
      if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${host.errors.join("\n")}`);
      return text;
    });

  const bind = await vi.waitFor(() => fake.as("maria").command("help", "parley repo", { name: repo }));
  expect(await bind.told).toBe(`This channel works on ${repo}, chosen by @maria.`);

  model.script(
    call("keyword_search", { query: "port", search_terms: ["PORT"] }),
    say("The port is read in `src/config.js:1`."),
  );
  const post = fake.as("alice").ask("help", { name: "Port", text: "Where is the port read, @parley?" });
  await reads(post.channel, /src\/config\.js:1[^]*tricted[^·\n]* · [[`<]/);

  model.script(call("bash", { command: "cat src/config.js" }), say("Yes: 8787 is the default."));
  fake.as("bob").say(post.channel, "@parley is there a default?");
  await reads(post.channel, /8787 is[^]*tricted[^·\n]* · [[`<]/);

  model.script(
    call("request_mode_upgrade", { reason: "To look which ports are free." }),
    say("Then I leave it as it is."),
  );
  fake.as("maria").say(post.channel, "@parley is 8080 free?");
  await reads(post.channel, /\[Approve\] \[Deny\]/);
  fake.as("maria").click(card(fake, post.channel), "Deny");
  await reads(post.channel, /Then I leave it[^]*tricted[^·\n]* · [[`<]/);

  model.script(call("request_mode_upgrade", { reason: "To make 8080 the default in src/config.js." }));
  fake.as("maria").say(post.channel, "@parley make 8080 the default");
  await reads(post.channel, /\[Approve\] \[Deny\]/);
  const at = card(fake, post.channel);
  fake.as("bob").click(at, "Approve");
  await reads(post.channel, /only for @bob/);
  await vi.waitFor(() => expect(unhandled(data)).toBe(0));

  await host.stop("SIGKILL");
  host = await startHost(data, settings);
  model.script(
    call("patch", {
      path: "src/config.js",
      patches: [{ operation: "replace", oldText: "8787", newText: "8080" }],
    }),
    call("bash", { command: "node -p 'require(\"./src/config.js\").PORT'" }),
    say("Now 8080 is the default, in `src/config.js:1`."),
  );
  await fake.gateway.waitFor(2, "identified");
  fake.as("maria").click(at, "Approve");
  await reads(post.channel, /approved\*\* by @maria[^]*Now 8080[^]*tricted[^·\n]* · [[`<]/);

  model.fault({ kind: "status", status: 529 }, { times: 3 });
  model.script(say("Nothing else reads it."));
  fake.as("alice").say(post.channel, "@parley who else reads the port?");
  await reads(post.channel, /\[Try again\]/);
  fake.as("alice").click(card(fake, post.channel, "Try again"), "Try again");
  // What was shown while it came goes after it stands.
  const text = await reads(
    post.channel,
    /^(?![^]*\[Stop\])[^]*Nothing else reads it\.[^]*tricted[^·\n]* · [[`<]/,
  );

  expect(model.pending()).toBe(0);
  const told = JSON.stringify(model.requests.at(-1)?.body);
  expect(told).toContain("src/config.js");
  expect(told).toContain("8080\\n");
  expect([...fake.violations, ...model.violations]).toEqual([]);
  await expect(timeless(text.replaceAll(repo, "/srv/lantern"))).toMatchFileSnapshot("community.txt");
});

const makeRepo = async (): Promise<string> => {
  const repo = scratch("lantern");
  const git = execa({
    cwd: repo,
    env: {
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_DATE: "2026-11-20T09:00:00Z",
      GIT_COMMITTER_DATE: "2026-11-20T09:00:00Z",
    },
  });
  await git`git init -q -b main`;
  mkdirSync(join(repo, "src"));
  writeFileSync(join(repo, "src/config.js"), "exports.PORT = Number(process.env.PORT ?? 8787);\n");
  await git`git add -A`;
  await git`git -c user.name=t -c user.email=t@example.invalid commit -q -m first`;
  return repo;
};

/** The newest message with the button. */
const card = (fake: FakeDiscord, channel: string, label = "Approve") => {
  const message = fake.world
    .messages(channel)
    .findLast(({ components }) => JSON.stringify(components).includes(label));
  return { channel, id: message?.id ?? "" };
};
