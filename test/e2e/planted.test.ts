/**
 * What somebody said is planted wherever it can come to stand in chat, and they are forgotten: no byte of it is left below
 * the data directory, neither beside the running host nor where it was killed.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { call, say } from "../fakes/anthropic/turn.ts";
import type { Exchange } from "../fakes/shared/exchange.ts";
import { replayDirectory } from "../replay.ts";
import { startOnSlack } from "./slack-host.ts";

const OFTEN = { interval: 20 };

/** Of bob's, by where they are said first. Each is long enough to be known by itself. */
const WORD = {
  message: "zqmessageplanted",
  file: "zqfilewordplanted",
  busy: "zqbusywordplanted",
  edited: "zqeditedplanted",
  again: "zqeditedagainplanted",
  deleted: "zqdeletedplanted",
  title: "zqtitleplanted",
  instructions: "zqinstructionsplanted",
  shared: "zqsharedplanted",
  direct: "zqdirectplanted",
} as const;

const bodyOf = (request: Exchange): string => JSON.stringify(request.body ?? null);
const ofParent = (request: Exchange): boolean => bodyOf(request).includes("You are Parley, a coding agent");
const ofAgent = (request: Exchange): boolean => bodyOf(request).includes("You are a sub-agent of Parley");

test("no byte of what a person said is left, wherever it was planted", async () => {
  const { slack, model, data, repo, host } = await startOnSlack(
    "planted",
    {
      users: [
        { name: "alice", role: "owner" },
        { name: "bob", role: "owner" },
      ],
    },
    { PARLEY_APPROVERS: "slack:admins" },
  );
  const [alice, bob] = [slack.as("alice"), slack.as("bob")];
  const reads = (at: { readonly channel: string; readonly ts: string }, wanted: RegExp): Promise<string> =>
    vi.waitFor(() => {
      const text = slack.threadAsText(at.channel, at.ts);
      if (!wanted.test(text)) throw new Error(`${wanted} is not in:\n${text}`);
      return text;
    }, OFTEN);
  const told = (count: number) =>
    vi.waitFor(() => expect(slack.world.ephemerals.length).toBeGreaterThanOrEqual(count), OFTEN);

  alice.command("/parley", `repo ${repo}`, "general");
  bob.command("/parley", `instructions Speak of ${WORD.instructions} here`, "general");
  await told(2);

  // What the model makes of it: in an answer, in a call and in its result, also in a name, and for a sub-agent.
  model.scriptFor(
    ofParent,
    call("bash", {
      command: `echo ${WORD.message} ${WORD.instructions}; ls ${WORD.message}-${WORD.file}.ts`,
    }),
    call("spawn_agents", { tasks: [{ task: `Look for ${WORD.message} in all files` }] }),
    call("request_mode_upgrade", { reason: `To write ${WORD.message} down` }),
  );
  model.scriptFor(ofAgent, call("submit_result", { result: `No ${WORD.message} anywhere` }));
  const root = bob.say(`@parley where is ${WORD.message} handled?`, {
    channel: "general",
    files: [{ name: `${WORD.file}.txt`, bytes: Buffer.from(`content of ${WORD.file}`) }],
  });
  const there = { channel: "general", thread: root.ts };
  await reads(root, /\[Approve\]/);
  bob.say(`@parley ${WORD.busy} quick`, there);
  await reads(root, /waits|Stop and send/);
  const card = slack.world
    .thread(root.channel, root.ts)
    .findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes("parley_approve"));
  model.scriptFor(
    ofParent,
    say(`I found ${WORD.message} nowhere.`),
    say("One."),
    say("Two."),
    say("Three."),
    say("Four."),
  );
  alice.click({ channel: root.channel, ts: card?.ts ?? "" }, "Deny");
  await reads(root, /nowhere/);
  // What the platform changes later, who names the thread, and who forwards what was said.
  const edited = bob.say(`@parley what of ${WORD.edited} here?`, there);
  await reads(root, /One\./);
  bob.edit(edited, `@parley what of ${WORD.edited} and ${WORD.again} here?`);
  const deleted = bob.say(`@parley and of ${WORD.deleted} here?`, there);
  await reads(root, /Two\./);
  bob.remove(deleted);
  bob.say(`@parley rename: ${WORD.title} talk`, there);
  const talk = bob.say(`I told them ${WORD.shared} last week already`, { channel: "general" });
  await reads(alice.share(talk, "@parley what does he mean?", { channel: "general" }), /Three\./);
  await reads(bob.say(`what about ${WORD.direct} then?`), /Four\./);
  await vi.waitFor(async () => {
    const { body } = await host.call("GET", "/api/conversations");
    expect(JSON.stringify(body)).toContain(WORD.title);
  }, OFTEN);

  const before = new Set(holds(data).map((line) => line.split(" ")[0]));
  // What is edited or deleted on the platform may be gone by now.
  const certain = [
    WORD.message,
    WORD.file,
    WORD.busy,
    WORD.title,
    WORD.instructions,
    WORD.shared,
    WORD.direct,
  ];
  for (const word of certain) expect(before).toContain(word);
  const forget = () => host.call("POST", "/api/people/forget", { person: `slack:${bob.id}` });
  expect(await forget()).toMatchObject({
    status: 200,
    body: { conversations: 3, channels: 1, names: ["bob"] },
  });
  expect(holds(data)).toEqual([]);
  expect((await forget()).status).toBe(404);
  await host.stop("SIGKILL");
  expect(holds(data)).toEqual([]);
  expect(replayDirectory(data)).toBeGreaterThan(10);
});

/** Words with the files that they are in. */
const holds = (data: string): readonly string[] =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .flatMap((path) => {
      const bytes = readFileSync(path);
      return Object.values(WORD)
        .filter((word) => bytes.includes(word))
        .map((word) => `${word} ${path.slice(data.length)}`);
    });
