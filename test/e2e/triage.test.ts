/**
 * A triage session as people read it in Slack (triage.txt). The real host process with the real Bolt
 * and Anthropic clients, on wire-level servers; its tools run in the real sandbox on a repository of this machine.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import sharp from "sharp";
import { expect, onTestFinished, test, vi } from "vitest";
import { SCOPES, slackManifest } from "../../adapters/slack/receive/manifest.ts";
import { startHost } from "../app/cli/host.ts";
import { scratch } from "../scratch.ts";
import { createFakeAnthropic } from "../fakes/anthropic/fake.ts";
import { call, say, type Turn } from "../fakes/anthropic/turn.ts";
import { createFakeSlack, type FakeSlack } from "../fakes/slack/fake.ts";
import { replayDirectory } from "../replay.ts";
import { unhandled } from "./unhandled.ts";
import { timeless } from "../timeless.ts";

interface Root {
  readonly channel: string;
  readonly ts: string;
}

test("a mention with a stack trace and a screenshot is looked into, denied, asked about, approved by another after a restart and fixed; a turn that failed is tried again", async () => {
  const repo = await makeRepo();
  const model = await createFakeAnthropic();
  const fake = await createFakeSlack({
    rates: "off",
    scopes: Object.keys(SCOPES),
    events: slackManifest(null).settings.event_subscriptions.bot_events,
    users: [{ name: "alice", role: "owner" }, { name: "bob" }, { name: "dora", role: "admin" }],
  });
  const data = scratch("triage");
  const settings = {
    ANTHROPIC_API_KEY: model.apiKey,
    ANTHROPIC_BASE_URL: model.url,
    PARLEY_MODEL: "claude-sonnet-5-5",
    SLACK_BOT_TOKEN: fake.botToken,
    SLACK_APP_TOKEN: fake.appToken,
    SLACK_API_URL: fake.apiUrl,
    PARLEY_REPOS: repo,
    PARLEY_TWO_PERSON: "on",
  };
  let host = await startHost(data, settings);
  onTestFinished(async () => {
    await host.stop("SIGKILL");
    await Promise.all([fake.close(), model.close()]);
    replayDirectory(data);
  });

  fake.as("alice").command("/parley", `repo ${repo}`, "general");
  await vi.waitFor(() => expect(fake.world.ephemerals).toHaveLength(1));

  model.script(...investigation);
  const screenshot = await sharp({ create: { width: 320, height: 200, channels: 3, background: "#aa3333" } })
    .png()
    .toBuffer();
  const root = fake.as("bob").say(`@parley uploads crash since this morning:\n\`\`\`\n${TRACE}\n\`\`\``, {
    channel: "general",
    files: [{ name: "crash.png", bytes: screenshot }],
  });
  await reads(fake, root, /\[Approve\]/);
  await denyWith(fake, "alice", card(fake, root), "Say first what you would change.");
  await reads(fake, root, /I would change one line[^]*tricted[^·\n]* · [[`<]/);

  model.script(...answer);
  fake.as("bob").say("@parley why did it work until today?", { channel: "general", thread: root.ts });
  await reads(fake, root, /ATTEMPTS was 3[^]*tricted[^·\n]* · [[`<]/);

  model.script(...repair);
  fake.as("bob").say("@parley then please fix it", { channel: "general", thread: root.ts });
  await reads(fake, root, /estricted · [[`<][^]*estricted · [[`<][^]*\[Approve\]/);
  fake.as("bob").click(card(fake, root), "Approve");
  await vi.waitFor(() => expect(fake.storyAsText(root.channel, root.ts)).toMatch(/You can't decide this/));
  await vi.waitFor(() => expect(unhandled(data)).toBe(0));
  await host.stop("SIGKILL");
  host = await startHost(data, settings);
  fake.as("dora").click(card(fake, root), "Approve");
  await reads(fake, root, /approved\* by[^]*Fixed in `?[^]*tricted[^·\n]* · [[`<]/);

  model.fault({ kind: "status", status: 529 }, { times: 3 });
  model.script(say("Nothing else tries less than three times."));
  fake.as("alice").say("@parley is there another such place?", { channel: "general", thread: root.ts });
  await reads(fake, root, /\[Try again\]/);
  fake.as("alice").click(buttons(fake, root, '"Try again"'), "Try again");
  // What was shown while it came goes after it stands.
  await reads(fake, root, /^(?![^]*\[Stop\])[^]*Nothing else tries less[^]*tricted[^·\n]* · [[`<]/);

  expect(model.pending()).toBe(0);
  const first = JSON.stringify(model.requests.find(({ path }) => path === "/v1/messages")?.body);
  expect(first).toContain("at send (src/retry.js:4:9)");
  expect(first).toContain('"type":"image"');
  const results = JSON.stringify(model.requests.at(-1)?.body);
  expect(results).toContain("src/retry.js:1:export const ATTEMPTS = 0;");
  expect(results).toContain("touch: cannot touch");
  expect(results).toContain("Say first what you would change.");
  expect([...fake.violations, ...model.violations]).toEqual([]);
  const files = [...fake.world.files.values()].filter(
    ({ user }) => user === fake.world.userNamed("parley").id,
  );
  expect(files.map(({ title, bytes }) => [title, bytes?.toString().match(/^\+test\(/gm)?.length])).toEqual([
    ["The fix, to be applied with git apply", undefined],
    ["What was changed", 60],
  ]);
  expect(files[0]?.bytes?.toString()).toContain("+export const ATTEMPTS = 3;");
  await expect(plainly(fake.storyAsText(root.channel, root.ts), repo)).toMatchFileSnapshot("triage.txt");
  const status = await execa({ cwd: repo })`git status --porcelain`;
  expect(status.stdout).toBe("");
});

const TRACE = `TypeError: Cannot read properties of undefined (reading 'status')
    at send (src/retry.js:4:9)
    at upload (src/upload.js:5:10)`;

/** Restricted: it may look, and what it tries to write the kernel refuses. */
const investigation: readonly Turn[] = [
  call("bash", { command: "grep -rn ATTEMPTS src; touch src/probe" }),
  call("request_mode_upgrade", { reason: "ATTEMPTS is 0, so nothing is ever sent. I would set it to 3." }),
  say(
    "I would change one line: `ATTEMPTS` in `src/retry.js:1` from 0 to 3. The loop at `src/retry.js:3` then runs.",
  ),
];

const answer: readonly Turn[] = [
  call("bash", { command: "git log --format=%s -- src/retry.js" }),
  say("ATTEMPTS was 3 until the commit *Try less in tests*, which set it to 0 for everybody."),
];

const TESTS = Array.from(
  { length: 60 },
  (_, at) =>
    `test("attempt ${at + 1} is made and its answer is looked at before the next one begins", () => {});`,
).join("\n");

const repair: readonly Turn[] = [
  call("request_mode_upgrade", { reason: "To set ATTEMPTS to 3 and to add a test." }),
  call("patch", {
    path: "src/retry.js",
    patches: [{ operation: "replace", oldText: "ATTEMPTS = 0", newText: "ATTEMPTS = 3" }],
  }),
  call("patch", {
    path: "test/retry.test.js",
    patches: [{ operation: "overwrite", newText: `import { test } from "node:test";\n${TESTS}\n` }],
  }),
  call("bash", {
    command:
      "git diff src > fix.patch && node -e 'import(\"./src/retry.js\").then((m) => console.log(m.ATTEMPTS))'",
  }),
  call("attach_file", { path: "fix.patch", title: "The fix, to be applied with git apply" }),
  say("Fixed in `src/retry.js:1`; `test/retry.test.js` covers it. The patch is attached."),
];

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
  const commit = async (message: string, attempts: number): Promise<void> => {
    writeFileSync(join(repo, "src/retry.js"), RETRY.replace("ATTEMPTS = N", `ATTEMPTS = ${attempts}`));
    await git`git add -A`;
    await git`git -c user.name=t -c user.email=t@example.invalid commit -q -m ${message}`;
  };
  await git`git init -q -b main`;
  mkdirSync(join(repo, "src"));
  mkdirSync(join(repo, "test"));
  writeFileSync(join(repo, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(repo, "src/upload.js"), 'export { send as upload } from "./retry.js";\n');
  await commit("Uploads are tried again", 3);
  await commit("Try less in tests", 0);
  return repo;
};

const RETRY = `export const ATTEMPTS = N;
export const send = async (request) => {
  for (let no = 1; no <= ATTEMPTS; no += 1) {
    const answer = await request();
    if (answer.status < 500) return answer;
  }
};
`;

/** The newest message with buttons. */
const card = (fake: FakeSlack, root: Root): Root => buttons(fake, root, "parley_approve");

const buttons = (fake: FakeSlack, root: Root, action: string): Root => {
  const message = fake.world
    .thread(root.channel, root.ts)
    .findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes(action));
  if (message === undefined) throw new Error("nothing is asked");
  return { channel: root.channel, ts: message.ts };
};

const denyWith = async (fake: FakeSlack, name: string, at: Root, comment: string): Promise<void> => {
  fake.as(name).click(at, "Deny, and say why");
  await vi.waitFor(() => expect(fake.as(name).views()).toHaveLength(1));
  fake.as(name).submit({ words: comment });
};

const reads = (fake: FakeSlack, root: Root, wanted: RegExp): Promise<void> =>
  vi.waitFor(() => {
    const text = fake.threadAsText(root.channel, root.ts);
    if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}`);
  });

/** Without what differs from run to run. */
const plainly = (text: string, repo: string): string => timeless(text.replaceAll(repo, "/srv/lantern"));
