/**
 * A conversation driven past 80 % and 90 % of its window goes on in a new thread, in Slack, Discord
 * and the console, with nothing lost. One real host process with the real clients, on wire-level servers; its tools run
 * in the real sandbox.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { SCOPES, slackManifest } from "../../adapters/slack/receive/manifest.ts";
import { type RunningHost, startHost } from "../app/cli/host.ts";
import { createFakeAnthropic, type FakeAnthropic } from "../fakes/anthropic/fake.ts";
import { call, say, type Turn } from "../fakes/anthropic/turn.ts";
import { createFakeDiscord, type FakeDiscord } from "../fakes/discord/fake.ts";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import { replayDirectory } from "../replay.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";

let model: FakeAnthropic;
let slack: FakeSlack;
let discord: FakeDiscord;
let host: RunningHost;
let data: string;

beforeAll(async () => {
  const repo = await sampleRepo("# Sample\n\nA sample repository.\n");
  model = await createFakeAnthropic();
  slack = await createFakeSlack({
    rates: "off",
    scopes: Object.keys(SCOPES),
    events: slackManifest(null).settings.event_subscriptions.bot_events,
  });
  discord = await createFakeDiscord({ rates: "off", times: { identifyWindowMs: 0 } });
  data = scratch("continuation");
  host = await startHost(data, {
    ANTHROPIC_API_KEY: model.apiKey,
    ANTHROPIC_BASE_URL: model.url,
    PARLEY_MODEL: "claude-sonnet-5-5",
    PARLEY_CONTEXT_WINDOW: "200000",
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.apiUrl,
    PARLEY_REPO: repo,
    PARLEY_REPOS: repo,
  });
  slack.as("alice").command("/parley", `repo ${repo}`, "general");
  await vi.waitFor(() => expect(slack.world.ephemerals).toHaveLength(1));
  const bound = await vi.waitFor(() => discord.as("maria").command("general", "parley repo", { name: repo }));
  await bound.told;
});

afterAll(async () => {
  await host.stop("SIGKILL");
  await Promise.all([slack.close(), discord.close(), model.close()]);
  replayDirectory(data);
});

const used = (turn: Turn, tokens: number): Turn => ({
  ...turn,
  usage: {
    input_tokens: 1_000,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens - 1_100,
    output_tokens: 100,
  },
});

/** 82 % of 200,000 tokens, then 92 % with a call that is not run, then the summary, then the new conversation. */
const story = (more: readonly Turn[] = []): readonly Turn[] => [
  used(say("It is read in one place."), 164_000),
  used(call("bash", { command: "touch never-run.txt" }), 184_000),
  say("Summary: the cache is at fault. Next: clear it."),
  ...more,
  say("Cleared, as the summary says."),
];

/** What the model was asked in the request for the summary, and in the one after it. */
const summaryRequest = () => {
  const bodies = model.requests.filter(({ path }) => path === "/v1/messages").map(({ body }) => body);
  const at = bodies.findLastIndex((body) => JSON.stringify(body).includes("Requested but not executed"));
  const [asked, next] = [bodies[at], bodies[at + 1]].map((body) =>
    z.looseObject({ tools: z.array(z.unknown()).optional(), messages: z.array(z.unknown()) }).parse(body),
  );
  return { asked, next };
};

const holds = (): void => {
  const { asked, next } = summaryRequest();
  expect(asked?.tools).toBeUndefined();
  expect(JSON.stringify(asked?.messages)).not.toContain("tool_use");
  expect(JSON.stringify(asked?.messages)).toContain("- bash");
  expect(next?.tools).not.toEqual([]);
  expect(JSON.stringify(next?.messages)).toContain("> Summary: the cache is at fault. Next: clear it.");
  expect([...model.violations, ...slack.violations, ...discord.violations]).toEqual([]);
  expect(model.pending()).toBe(0);
};

describe("a conversation that is full goes on in a new thread", () => {
  it("in Slack", async () => {
    model.script(...story());
    const old = slack.as("bob").say("@parley where is the cache?", { channel: "general" });
    await inSlack(old, /82 % full[^]*\[Continue in a new thread\]/);
    slack.as("bob").say("@parley then clear it", { channel: "general", thread: old.ts });
    const ended = await inSlack(old, /\[Continue with this summary\] \[Start empty\]/);
    expect(ended).toMatch(
      /This thread is full:\* it uses 92 % of the model's context window\. Requested but not run: `bash`/,
    );
    expect(ended).toContain("Summary: the cache is at fault.");
    slack.as("bob").say("hello?", { channel: "general", thread: old.ts });
    await vi.waitFor(() => expect(whispers()).toContain("Context exhausted"));
    pressInSlack(old, "carol", "Continue with this summary");
    const link = await inSlack(old, /Continued here: <[^|]*\/p(\d{10})(\d{6})[^|]*\|the new thread>/);
    const [, seconds = "", rest = ""] = /\/p(\d{10})(\d{6})[^|]*\|the new thread/.exec(link) ?? [];
    const child = { channel: old.channel, ts: `${seconds}.${rest}` };
    const text = await inSlack(child, /Cleared, as the summary says\./);
    expect(text).toMatch(/Continues <[^]*opened by @carol\. This thread starts Restricted/);
    expect(text).toContain(`p${old.ts.replace(".", "")}`);
    slack.as("bob").say("@parley and now?", { channel: "general", thread: old.ts });
    await vi.waitFor(() => expect(whispers()).toContain(`It continues here: http`));
    holds();

    model.script(say("A summary by hand."));
    slack.as("carol").say("@parley continue", { channel: "general", thread: child.ts });
    expect(await inSlack(child, /A summary by hand\.[^]*\[Start empty\]/)).toContain(
      "continues it in a new thread",
    );
  });

  it("in Discord", async () => {
    model.script(...story());
    const { id: old } = discord.as("maria").say("general", "@parley where is the cache?");
    await inDiscord(old, /82 % full[^]*\[Continue in a new thread\]/);
    discord.as("maria").say(old, "then clear it");
    const ended = await inDiscord(old, /\[Continue with this summary\] \[Start empty\]/);
    expect(ended).toContain("92 % of the model's context window. Requested but not run: `bash`");
    expect(ended).toContain("Summary: the cache is at fault.");
    pressInDiscord(old, "maria", "Continue with this summary");
    const link = await inDiscord(old, /Continued here: [^]*\d{5,}\/(\d+)/);
    const child = /Continued here: [^\n]*\/(\d+)\)?/.exec(link)?.[1] ?? "";
    await inDiscord(child, /Cleared, as the summary says\./);
    expect(discord.asText("general")).toMatch(
      /Continues [^]*opened by @maria\. This thread starts Restricted/,
    );
    discord.as("maria").say(old, "and now?");
    await inDiscord(old, /It continues here: http/);
    holds();
  });

  it("in the console, what was written and not committed included", async () => {
    const path = `/api/conversations/${await created()}`;
    model.script(call("request_mode_upgrade", { reason: "to note it" }));
    await host.call("POST", `${path}/messages`, { text: "note where the cache is" });
    const asked = await until(path, "awaitingApproval");
    model.script(
      call("bash", { command: "echo kept > note.txt" }),
      ...story([call("bash", { command: "cat note.txt; test -e never-run.txt || echo not-run" })]),
    );
    await act(path, { action: "decide", question: asked.question?.id, choice: "approve" });
    const warned = await until(path, "idle");
    expect(actionsOf(warned)).toEqual([{ action: "continue", label: "Continue in a new thread" }]);
    await host.call("POST", `${path}/messages`, { text: "then clear it" });
    const ended = await until(path, "exhausted");
    const [withSummary, empty] = actionsOf(ended);
    expect([withSummary?.label, empty?.label]).toEqual(["Continue with this summary", "Start empty"]);
    expect((await host.call("POST", `${path}/messages`, { text: "hello?" })).body).toMatchObject({
      error: { code: "context_exhausted" },
    });
    await act(path, { action: withSummary?.action, choice: withSummary?.choice });
    const moved = await vi.waitFor(async () => {
      const read = await detail(path);
      if (read.continuedTo === undefined) throw new Error("it goes on nowhere");
      return read;
    });
    expect((await act(path, { action: empty?.action, choice: empty?.choice })).body).toMatchObject({
      result: "no_op",
    });
    const child = `/api/conversations/${moved.continuedTo}`;
    const done = await until(child, "idle");
    expect(done).toMatchObject({ permission: "restricted", continuedFrom: moved.id });
    expect(JSON.stringify(done.posts)).toContain("kept\\nnot-run");
    expect(JSON.stringify(moved.posts)).toContain("The new thread has a copy of this checkout");
    expect((await detail(path)).phase).toBe("exhausted");
    expect(model.pending()).toBe(0);
  });
});

const inSlack = (root: { readonly channel: string; readonly ts: string }, wanted: RegExp): Promise<string> =>
  shows(() => slack.threadAsText(root.channel, root.ts), wanted);

const inDiscord = (channel: string, wanted: RegExp): Promise<string> =>
  shows(() => discord.asText(channel), wanted);

const shows = (read: () => string, wanted: RegExp): Promise<string> =>
  vi.waitFor(() => {
    const text = read();
    if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${host.errors.join("\n")}`);
    return text;
  });

const whispers = (): string => slack.world.ephemerals.map(({ text }) => text).join("\n");

const pressInSlack = (
  root: { readonly channel: string; readonly ts: string },
  who: string,
  label: string,
): void => {
  const message = slack.world
    .thread(root.channel, root.ts)
    .findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes(label));
  slack.as(who).click({ channel: root.channel, ts: message?.ts ?? "" }, label);
};

const pressInDiscord = (channel: string, who: string, label: string): void => {
  const message = discord.world
    .messages(channel)
    .findLast(({ components }) => JSON.stringify(components).includes(`"${label}"`));
  discord.as(who).click({ channel, id: message?.id ?? "" }, label);
};

const detailSchema = z.looseObject({
  id: z.string(),
  phase: z.string(),
  permission: z.string(),
  continuedTo: z.string().optional(),
  question: z.looseObject({ id: z.string() }).nullish(),
  posts: z.array(
    z.looseObject({
      actions: z.array(z.object({ action: z.string(), label: z.string(), choice: z.string().optional() })),
    }),
  ),
});

const created = async (): Promise<string> =>
  z.looseObject({ id: z.string() }).parse((await host.call("POST", "/api/conversations", {})).body).id;

const detail = async (path: string) => detailSchema.parse((await host.call("GET", path)).body);

const act = (path: string, body: Readonly<Record<string, unknown>>) =>
  host.call("POST", `${path}/actions`, body);

const until = (path: string, phase: string) =>
  vi.waitFor(async () => {
    const read = await detail(path);
    if (read.phase !== phase) throw new Error(`${read.phase}: ${JSON.stringify(read.posts.at(-1))}`);
    return read;
  });

const actionsOf = ({ posts }: z.infer<typeof detailSchema>) => posts.flatMap(({ actions }) => actions);
