/**
 * 40.A4: a marker for each feature that keeps words beside the conversation itself: a draft with its title, difference and test, an
 * answer that is found as a solved thread, what a person thinks of an answer, and the terms of both search indexes. The conversation
 * is deleted, or the person forgotten: no file of the real host holds a marker afterwards, and no index a term.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import type { RunningHost } from "../app/cli/host.ts";
import { call, say } from "../fakes/anthropic/turn.ts";
import { sharedPostgres } from "../fakes/postgres.ts";
import { scratch } from "../scratch.ts";
import { startOnSlack } from "./slack-host.ts";

/** Of bob's words, and of what was made of them. They begin differently: an index keeps of its terms what the one before lacks. */
const WORD = {
  question: "aqquestionplanted",
  answer: "bqanswerplanted",
  title: "cqtitleplanted",
  summary: "dqsummaryplanted",
  diff: "eqdiffplanted",
  file: "fqfilenameplanted",
  test: "gqtestplanted",
  why: "hqwhyplanted",
} as const;

const words = Object.values(WORD);

/** `beside`: settings. */
const planted = async (beside: Readonly<Record<string, string>> = {}) => {
  const { slack, model, data, repo, host } = await startOnSlack(
    "planted-features",
    {
      channels: [{ name: "general" }, { name: "random" }],
      users: [
        { name: "alice", role: "owner" },
        { name: "bob", role: "member" },
      ],
    },
    { PARLEY_APPROVERS: "slack:admins,console:operator", ...beside },
  );
  const [alice, bob] = [slack.as("alice"), slack.as("bob")];
  const told = (count: number) =>
    vi.waitFor(() => expect(slack.world.ephemerals.length).toBeGreaterThanOrEqual(count));
  alice.command("/parley", `repo ${repo}`, "general");
  await told(1);
  alice.command("/parley", "knowledge add threads", "random");
  await told(2);

  model.script(say(`${WORD.question} is handled in \`README.md:1\`: ${WORD.answer}.`));
  const root = bob.say(`@parley where is ${WORD.question} handled?`, { channel: "general" });
  const reads = (at: { readonly channel: string; readonly ts: string }, wanted: RegExp) =>
    vi.waitFor(() => expect(slack.threadAsText(at.channel, at.ts)).toMatch(wanted));
  await reads(root, new RegExp(`${WORD.answer}[^]*Solved`));
  const answer = { channel: root.channel, ts: slack.world.thread(root.channel, root.ts).at(-1)?.ts ?? "" };
  const whispers = () => slack.world.ephemerals.filter((one) => one.for === bob.id);
  bob.click(answer, "👎");
  await vi.waitFor(() => expect(whispers().at(-1)?.text).toMatch(/did not help/));
  bob.click({ channel: root.channel, ts: whispers().at(-1)?.ts ?? "" }, "Say why");
  await vi.waitFor(() => expect(bob.views()).toHaveLength(1));
  bob.submit({ words: `It lacks ${WORD.why}.` });
  bob.click(answer, "Solved");
  // Another channel finds the thread, although it was marked before anybody knew who can read it.
  await vi.waitFor(() => expect(held(data).join("\n")).toMatch(/bqanswerplanted \/knowledge\.sqlite/));

  model.script(
    call("draft", {}),
    call("bash", { where: "draft", command: `echo ${WORD.diff} > ${WORD.file}.txt` }),
    call("propose", {
      title: `Add ${WORD.title}`,
      summary: `It holds ${WORD.summary}.`,
      test_command: `echo ${WORD.test}`,
    }),
  );
  const drafted = bob.say(
    `@parley draft ${WORD.diff} in ${WORD.file}.txt titled ${WORD.title}, say ${WORD.summary}, test with ${WORD.test}: ${WORD.why}`,
    { channel: "general" },
  );
  await reads(drafted, /\[Apply\]/);
  await vi.waitFor(() => expect(termsIn(data)).toEqual(expect.arrayContaining([WORD.answer])));
  const before = held(data).join("\n");
  for (const word of words) expect(before).toContain(word);
  expect(before).toContain("sealed.json");
  return { host, data, bob };
};

/** Nothing of these is left, as soon as the index of knowledge has looked again. */
const expectNothing = (data: string, of: readonly string[] = words): Promise<void> =>
  vi.waitFor(() => {
    expect(held(data, of)).toEqual([]);
    expect(termsIn(data).filter((term) => of.includes(term))).toEqual([]);
  });

/** Bob said all but what the model answered. */
const bobs = words.filter((word) => word !== WORD.answer);

const listed = z.looseObject({ conversations: z.array(z.looseObject({ id: z.string() })) });

const conversationsOf = async (host: RunningHost): Promise<readonly string[]> =>
  listed.parse((await host.call("GET", "/api/conversations")).body).conversations.map(({ id }) => id);

test("40.A4 a conversation that is deleted leaves no byte of what its features kept", async () => {
  const { host, data } = await planted();
  const ids = await conversationsOf(host);
  expect(ids).toHaveLength(2);
  for (const id of ids)
    expect((await host.call("DELETE", `/api/conversations/${id}`)).status).toBeLessThan(300);
  await expectNothing(data);
});

test("40.A4 a person who is forgotten leaves no byte in what features kept of their words", async () => {
  const { host, data, bob } = await planted();
  const forgotten = await host.call("POST", "/api/people/forget", { person: `slack:${bob.id}` });
  expect(forgotten).toMatchObject({ status: 200 });
  await expectNothing(data, bobs);
  await host.stop("SIGKILL");
  expect(held(data, bobs)).toEqual([]);
});

test("40.A4 one of several hosts leaves nothing in the rows of their database either", async ({ skip }) => {
  const postgres = await sharedPostgres();
  if (postgres === null) return skip();
  const database = await postgres.create();
  const { host, data, bob } = await planted({
    PARLEY_DATABASE: database,
    PARLEY_HOST_NAME: "one",
    PARLEY_SHARED_STORAGE: scratch("planted-shared"),
  });
  const pool = new pg.Pool({ connectionString: database });
  onTestFinished(() => pool.end());
  const rows = async (): Promise<readonly string[]> => {
    const { rows: found } = await pool.query("SELECT body::text AS body FROM parley.rows");
    const bodies = JSON.stringify(found);
    return words.filter((word) => bodies.includes(word));
  };
  expect(await rows()).toEqual(expect.arrayContaining([WORD.question, WORD.answer, WORD.title, WORD.test]));
  const forgotten = await host.call("POST", "/api/people/forget", { person: `slack:${bob.id}` });
  expect(forgotten).toMatchObject({ status: 200 });
  await expectNothing(data, bobs);
  expect((await rows()).filter((word) => word !== WORD.answer)).toEqual([]);
});

/** What a command wrote into a draft is a file of the repository, and stays as one of the checkout does. */
const DRAFTED = /\/draft\/work\//;

/** Markers with the files that hold them. */
const held = (data: string, of: readonly string[] = words): readonly string[] =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .flatMap((path) => {
      const name = path.slice(data.length);
      if (of === bobs && DRAFTED.test(name)) return [];
      const bytes = readIfThere(path);
      return of
        .filter((word) => bytes.includes(word) || name.includes(word))
        .map((word) => `${word} ${name}`);
    });

const readIfThere = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
};

/** All terms of both indexes: a term's bytes are spread over what it shares with the one before. */
const termsIn = (data: string): readonly string[] =>
  [
    ["parley.sqlite", "search"],
    ["knowledge.sqlite", "words"],
  ].flatMap(([file = "", table = ""]) => {
    const db = new Sqlite(join(data, file), { readonly: true });
    try {
      db.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, ${table}, row)`);
      return db.prepare<[], string>("SELECT term FROM temp.vocabulary").pluck().all();
    } finally {
      db.close();
    }
  });
