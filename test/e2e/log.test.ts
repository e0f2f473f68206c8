/**
 * The whole log of a day in which everything happens, with a mark in each thing that people, models and commands say: none is in
 * it, at any level. Every line is structured, and those about a conversation name it.
 */

import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { SCOPES, slackManifest } from "../../adapters/slack/receive/manifest.ts";
import { createFakeSlack } from "../fakes/slack/fake.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import { createRig } from "./rig.ts";

/** One in each place where content can stand. */
const MARK = {
  message: "zqmessage",
  answer: "zqanswer",
  command: "zqcommand",
  output: "zqoutput",
  file: "zqfile",
  patch: "zqpatch",
  reason: "zqreason",
  tool: "zqtool",
  input: "zqinput",
  title: "zqtitle",
  provider: "zqprovider",
  chat: "zqchat",
  person: "zqperson",
  channel: "zqchannel",
  search: "zqsearch",
  instructions: "zqinstructions",
} as const;

const line = z.looseObject({
  level: z.number(),
  time: z.iso.datetime(),
  msg: z.string().min(1),
  conversation: z.string().optional(),
});

test("nothing that anybody says is in the log of a whole day, and every line is structured", async () => {
  const slack = await createFakeSlack({
    rates: "off",
    scopes: Object.keys(SCOPES),
    events: slackManifest(null).settings.event_subscriptions.bot_events,
    users: [{ name: MARK.person, role: "owner" }],
    channels: [{ name: MARK.channel }],
  });
  onTestFinished(() => slack.close());
  const rig = await createRig({
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    PARLEY_REPOS: "/nonexistent/repo",
    PARLEY_LOG_LEVEL: "debug",
  });
  const { fake } = rig;
  const logged: string[] = [];
  const keep = (): void => void logged.push(...rig.host().errors);

  // A turn with tools that work, fail, do not exist and are given nonsense, after a provider that fails once.
  const thread = await rig.begin();
  fake.fault({ kind: "status", status: 529, message: MARK.provider });
  fake.script(
    call("bash", { command: `echo ${MARK.command} > /tmp/${MARK.file}; echo ${MARK.output}; exit 3` }),
    call("bash", { command: `git log ${MARK.command}` }),
    call("read_image", { path: `${MARK.file}.png` }),
    call(MARK.tool, { what: MARK.input }),
    call("keyword_search", { keywords: 7, [MARK.input]: MARK.input }),
    call("request_mode_upgrade", { reason: MARK.reason }),
  );
  const asked = await thread.turn(`${MARK.message} please`);
  expect(asked.phase).toBe("awaitingApproval");
  fake.script(
    call("bash", { command: `echo ${MARK.patch} > ${MARK.file}.txt && cat ${MARK.file}.txt` }),
    say(`${MARK.answer} is done, see \`${MARK.file}.txt:1\``),
  );
  await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
  await thread.until("idle");
  expect(fake.pending()).toBe(0);
  expect(JSON.stringify(fake.requests.at(-1)?.body)).toContain(MARK.output);

  // It is renamed and searched for; the provider refuses for good; the process dies in the middle of a command.
  const ask = rig.host().call;
  await ask("PATCH", `/api/conversations/${thread.id}`, { title: MARK.title });
  await ask("GET", `/api/search?q=${MARK.search}`);
  fake.fault({ kind: "status", status: 400, message: MARK.provider });
  await thread.say(`${MARK.message} again`);
  await thread.until("failed");
  fake.script(call("bash", { command: `echo ${MARK.command}; sleep 60` }));
  await thread.say(`${MARK.message} and again`);
  await thread.until("running");
  keep();
  await rig.crash();
  await thread.until("idle", "failed");

  // Chat: a channel without a repository, a repository that is not there, and a platform that refuses to show what was said.
  const person = slack.as(MARK.person);
  person.command("/parley", "repo /nonexistent/repo", MARK.channel);
  await vi.waitFor(() => expect(slack.world.ephemerals.length).toBeGreaterThan(0));
  person.command("/parley", `instructions ${MARK.instructions}`, MARK.channel);
  await vi.waitFor(() => expect(slack.world.ephemerals.length).toBeGreaterThan(1));
  slack.fault({ kind: "error", error: "internal_error" }, { match: { method: "chat.postMessage" } });
  const root = person.say(`@parley ${MARK.chat}`, { channel: MARK.channel });
  await vi.waitFor(() =>
    expect(slack.threadAsText(root.channel, root.ts)).toMatch(/does not exist|no longer exists|nonexistent/),
  );
  await rig.host().stop("SIGTERM");
  keep();

  const lines = logged.map((text) => line.parse(JSON.parse(text)));
  expect(
    lines.some(({ msg, conversation }) => msg === "model: call answered" && conversation === thread.id),
  ).toBe(true);
  expect(
    lines.some(({ msg, conversation }) => msg === "model: call failed" && conversation === thread.id),
  ).toBe(true);
  expect(lines.some(({ msg, level }) => msg === "checkout: checkout not opened" && level === 40)).toBe(true);
  for (const [what, mark] of Object.entries(MARK)) {
    expect(
      logged.filter((text) => text.includes(mark)),
      `${what} in the log`,
    ).toEqual([]);
  }
});
