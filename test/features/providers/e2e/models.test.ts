/**
 * One thread in Slack and several models: it begins with one provider's, goes on with a second, changes hands within an open
 * approval, is upgraded and restricted, filled to 90 % and goes on with a third. One real host process with the real clients of
 * all, on wire-level servers; what is stored replays to the same states.
 */

import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { SCOPES, slackManifest } from "../../../../adapters/slack/receive/manifest.ts";
import { openStoreForReading } from "../../../../src/store/sqlite.ts";
import { type RunningHost, startHost } from "../../../app/cli/host.ts";
import { createFakeAnthropic, type FakeAnthropic } from "../../../fakes/anthropic/fake.ts";
import { call, say, type Turn } from "../../../fakes/anthropic/turn.ts";
import { createFakeSlack, type FakeSlack } from "../../../fakes/slack/fake.ts";
import { chat, responses, type Spoken } from "../../../fakes/providers/wires.ts";
import { replayDirectory } from "../../../replay.ts";
import { sampleRepo } from "../../../sample-repo.ts";
import { scratch } from "../../../scratch.ts";

let claude: FakeAnthropic;
let others: Others;
let slack: FakeSlack;
let host: RunningHost;
let data: string;

beforeAll(async () => {
  const repo = await sampleRepo("# Sample\n\nA sample repository.\n");
  claude = await createFakeAnthropic();
  others = await serveOthers();
  slack = await createFakeSlack({
    rates: "off",
    scopes: Object.keys(SCOPES),
    events: slackManifest(null).settings.event_subscriptions.bot_events,
  });
  data = scratch("models");
  const models = join(scratch("models-file"), "models.json");
  const prices = { input: 1, output: 2 };
  writeFileSync(
    models,
    JSON.stringify([
      { alias: "clever", name: "claude-opus-4-5", thinking: 2_048 },
      { alias: "gpt", name: "openai/gpt-5", window: 100_000 },
      { alias: "home", provider: "openai-compatible", name: "qwen3-coder", window: 32_768, prices },
    ]),
  );
  host = await startHost(data, {
    ANTHROPIC_API_KEY: claude.apiKey,
    ANTHROPIC_BASE_URL: claude.url,
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: `${others.url}/v1`,
    OPENAI_COMPATIBLE_BASE_URL: `${others.url}/v1`,
    PARLEY_MODELS: models,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    PARLEY_REPO: repo,
    PARLEY_REPOS: repo,
  });
  slack.as("alice").command("/parley", `repo ${repo}`, "general");
  await vi.waitFor(() => expect(slack.world.ephemerals).toHaveLength(1));
});

afterAll(async () => {
  await host.stop("SIGKILL");
  await Promise.all([slack.close(), claude.close(), others.close()]);
  expect(replayDirectory(data)).toBeGreaterThan(0);
});

it("a thread goes from provider to provider, and nothing of it is lost", async () => {
  claude.script(thoughtful("I look first.", "bash", { command: "cat README.md" }), say("It is a sample."));
  const root = slack.as("bob").say("@parley what is this?", { channel: "general" });
  await inSlack(root, /It is a sample\.[^]*Restricted · [^\n]* · clever/);

  await says(root, "alice", "@parley model gpt", /changed the model from `clever` to `gpt`/);
  others.script({
    thinking: "Writing needs a word.",
    calls: [{ id: "call_up", name: "request_mode_upgrade", json: JSON.stringify({ reason: "to note it" }) }],
    end: "tools",
    usage: { input: 900, output: 50, cached: 0 },
  });
  slack.as("bob").say("@parley note it in a file", { channel: "general", thread: root.ts });
  await inSlack(root, /to note it[^]*\[Approve\]/);
  expect(others.last("/v1/responses")).toContain("It is a sample.");
  expect(others.last("/v1/responses")).not.toContain("I wonder.");

  await says(root, "alice", "@parley model clever", /changed the model from `gpt` to `clever`/);
  claude.script(call("bash", { command: "echo noted > note.txt" }), say("It is noted."));
  press(root, "alice", "Approve");
  await inSlack(root, /It is noted\.[^]*Unrestricted · [^\n]* · clever/);
  expect(claude.violations).toEqual([]);
  expect(lastOfClaude()).toContain("call_up");
  expect(lastOfClaude()).not.toContain("Writing needs a word.");

  await says(root, "alice", "@parley restrict", /back to Restricted/);
  await says(root, "alice", "@parley model gpt", /(changed the model from `\w+` to `gpt`[^]*){2}/);
  others.script({
    text: "Half of it is told.",
    calls: [{ id: "call_never", name: "bash", json: JSON.stringify({ command: "touch never.txt" }) }],
    end: "tools",
    usage: { input: 91_000, output: 1_000, cached: 60_000 },
  });
  others.script({ text: "Summary: it is noted.", end: "stop", usage: { input: 500, output: 20, cached: 0 } });
  slack.as("bob").say("@parley tell me everything", { channel: "general", thread: root.ts });
  await inSlack(root, /This thread is full:\* it uses 92 %[^]*\[Continue with this summary\]/);

  others.script({ text: "Where were we?", end: "stop", usage: { input: 700, output: 20, cached: 0 } });
  press(root, "carol", "Continue with this summary");
  const child = await nextOf(root);
  await inSlack(child, /Where were we\?[^]* · gpt/);
  await says(child, "alice", "@parley model home", /changed the model from `gpt` to `home`/);
  others.script({ text: "At the note.", end: "stop", usage: { input: 800, output: 20, cached: 0 } });
  slack.as("bob").say("@parley at which point?", { channel: "general", thread: child.ts });
  await inSlack(child, /At the note\.[^]* · home/);
  expect(others.last("/v1/chat/completions")).toContain("Summary: it is noted.");
  expect(await inSlack(root, /It is a sample/)).not.toMatch(/I wonder|needs a word/);
  expect([...claude.violations, ...others.violations, ...slack.violations]).toEqual([]);
  expect(modelsInTrace()).toEqual([
    ["clever", "clever", "gpt", "clever", "clever", "gpt", "gpt"],
    ["gpt", "home"],
  ]);
});

it("a model that fails is told with the one to try with, who answers that turn", async () => {
  claude.script(say("Hello."));
  const root = slack.as("bob").say("@parley hello?", { channel: "general" });
  await inSlack(root, /Hello\.[^]* · clever/);
  await says(root, "alice", "@parley model home", /to `home`/);
  others.refuse();
  slack.as("bob").say("@parley are you there?", { channel: "general", thread: root.ts });
  await inSlack(root, /Nothing was changed\.[^]*\[Try again\] \[Try with clever\]/);
  claude.script(say("I am."));
  press(root, "bob", "Try with clever");
  await inSlack(root, /Nothing was changed\.\n[^\n]*\n(?!\[)[^]*I am\.[^]* · clever/);
  others.script({ text: "I am back.", end: "stop" });
  slack.as("bob").say("@parley and home?", { channel: "general", thread: root.ts });
  await inSlack(root, /I am back\.[^]* · home/);
});

const thoughtful = (thought: string, name: string, input: { readonly command: string }): Turn => ({
  content: [
    { kind: "thinking", thinking: "I wonder." },
    { kind: "text", text: thought },
    { kind: "tool", name, input },
  ],
});

interface Thread {
  readonly channel: string;
  readonly ts: string;
}

const inSlack = (root: Thread, wanted: RegExp): Promise<string> =>
  vi.waitFor(() => {
    const text = slack.threadAsText(root.channel, root.ts);
    if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}\n${host.errors.join("\n")}`);
    return text;
  });

const says = async (root: Thread, who: string, text: string, wanted: RegExp): Promise<void> => {
  slack.as(who).say(text, { channel: "general", thread: root.ts });
  await inSlack(root, wanted);
};

const press = (root: Thread, who: string, label: string): void => {
  const message = slack.world
    .thread(root.channel, root.ts)
    .findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes(label));
  slack.as(who).click({ channel: root.channel, ts: message?.ts ?? "" }, label);
};

const nextOf = async (root: Thread): Promise<Thread> => {
  const link = await inSlack(root, /Continued here: <[^|]*\/p\d{16}/);
  const [, seconds = "", rest = ""] = /Continued here: <[^|]*\/p(\d{10})(\d{6})/.exec(link) ?? [];
  return { channel: root.channel, ts: `${seconds}.${rest}` };
};

const lastOfClaude = (): string =>
  JSON.stringify(claude.requests.findLast(({ path }) => path === "/v1/messages")?.body ?? null);

/** Of each conversation, the oldest first. */
const modelsInTrace = (): readonly (readonly string[])[] => {
  const opened = openStoreForReading(data);
  if (opened.kind === "failed") throw new Error(opened.message);
  const { store } = opened;
  try {
    return store
      .list(100, null)
      .toReversed()
      .map(({ conversation }) =>
        [...store.trace(conversation.id)].flatMap(({ event }) =>
          event.kind === "answered" || event.kind === "summarized" ? [event.model ?? ""] : [],
        ),
      );
  } finally {
    store.close();
  }
};

interface Others {
  readonly url: string;
  /** The next answer, whoever is asked. */
  script(spoken: Spoken): void;
  /** The next request is turned away. */
  refuse(): void;
  /** The newest request at a path. */
  last(path: string): string;
  readonly violations: readonly string[];
  close(): Promise<void>;
}

/** OpenAI's two APIs; every call that a request tells must be answered in it, and every answer be to a call. */
const serveOthers = async (): Promise<Others> => {
  const answers: (Spoken | null)[] = [];
  const asked: { readonly path: string; readonly body: string }[] = [];
  const violations: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const [path, body] = [request.url ?? "", Buffer.concat(parts).toString()];
      asked.push({ path, body });
      violations.push(...unpaired(body));
      const next = answers.shift();
      if (next === null || next === undefined) {
        if (next === undefined) violations.push(`nothing is scripted for ${path}`);
        response.writeHead(401, { "content-type": "application/json" });
        return response.end(
          JSON.stringify({ error: { message: "wrong key", type: "invalid_request_error" } }),
        );
      }
      const { type, write } = path === "/v1/responses" ? responses : chat;
      response.writeHead(200, { "content-type": type });
      return response.end(write(next));
    });
  });
  return {
    url: await listening(server),
    script: (spoken) => void answers.push(spoken),
    refuse: () => void answers.push(null),
    last: (path) => asked.findLast((one) => one.path === path)?.body ?? "",
    violations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
    });
  });

const request = z.looseObject({
  input: z.array(z.looseObject({ type: z.string().optional(), call_id: z.string().optional() })).default([]),
  messages: z
    .array(
      z.looseObject({
        tool_call_id: z.string().optional(),
        tool_calls: z.array(z.looseObject({ id: z.string() })).default([]),
      }),
    )
    .default([]),
});

const unpaired = (body: string): readonly string[] => {
  const { input, messages } = request.parse(JSON.parse(body));
  const ids = (type: string) => input.flatMap((one) => (one.type === type ? [one.call_id] : []));
  const calls = [...ids("function_call"), ...messages.flatMap((one) => one.tool_calls.map(({ id }) => id))];
  const results = [
    ...ids("function_call_output"),
    ...messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id])),
  ];
  return calls.join() === results.join() ? [] : [`calls ${calls.join()} and results ${results.join()}`];
};
