/**
 * What the host does again and again asks as much of the store with 10,000 conversations and 10,000 messages in one of
 * them as with 10: statements and rows are counted, not time. (That no statement looks at more rows than it answers
 * with is held by test/store/plans.test.ts.)
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FEATURES } from "../../src/app/features/list.ts";
import { start } from "../../src/app/main.ts";
import { readConfig } from "../../src/app/settings/config.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import type { Entry } from "../../src/machine/transcript.ts";
import { connectDatabase } from "../../src/store/base/connect.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { portsOf } from "../../src/store/sqlite.ts";
import { fillStore } from "../bench/many-conversations.ts";
import { answer, beginTalk, liveOf, ran, say, turn } from "../bench/talk.ts";
import { scratch } from "../scratch.ts";
import { openAt, temporary } from "../store/kit.ts";
import { type Counted, type Counting, countStatements } from "./counted.ts";
import { writeHere } from "../store/in-memory.ts";
import { TABLES } from "../store/tables.ts";

const TOKEN = "console-token-of-the-flat-test";
/** What a page of the console shows at a time. */
const PAGE = 50;
/** Posts of a conversation that are asked for. */
const LAST = 8;

it("a start, a scrape, a page of the console and a step ask for as much at 10 conversations and messages as at 10,000", async () => {
  const counting = countStatements();
  const few = await countAll(10, counting);
  const many = await countAll(10_000, counting);
  const grew = Object.keys(few).filter((what) => grows(few[what], many[what]));
  for (const what of grew) console.log(`${what} at 10,000:`, mostOf(many[what]));
  expect(grew).toEqual([]);
});

it("a step reads as few entries of its turn behind 10,000 of them as behind 100", async () => {
  const few = await readInStep(100);
  expect(few).toBeGreaterThan(0);
  expect(await readInStep(10_000)).toBe(few);
});

/** How often the next step looks at an entry of a turn that has so many, in rounds of two calls. */
const readInStep = async (entries: number): Promise<number> => {
  const store = openAt(temporary());
  const talk = await beginTalk(store);
  await talk.take(say());
  await talk.take(answer(talk.live, 2));
  await talk.take(ran(talk.live));
  const stored = store.load(talk.live.state().id);
  if (stored === null) throw new Error("it is not stored");
  let count = 0;
  const counted = (entry: Entry): Entry =>
    new Proxy(entry, { get: (one, key) => ((count += 1), Reflect.get(one, key)) });
  const [first, ...round] = stored.turn;
  if (first === undefined) throw new Error("it has no entries");
  const rounds = Array.from({ length: Math.ceil(entries / round.length) }, () => round.map(counted)).flat();
  const long = liveOf(store, { ...stored, turn: [counted(first), ...rounds] });
  count = 0;
  await long.take(ran(long.live));
  return count;
};

/** One page more may be full, and nothing else. */
const grows = (few: Counted | undefined, many: Counted | undefined): boolean =>
  few === undefined ||
  many === undefined ||
  many.statements > few.statements + 2 ||
  many.rows > few.rows + PAGE;

const mostOf = (counted: Counted | undefined): readonly string[] =>
  [...(counted?.most ?? [])]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([sql, count]) => `${count} of ${sql.replaceAll(/\s+/g, " ").trim().slice(0, 120)}`);

const countAll = async (count: number, counting: Counting): Promise<Readonly<Record<string, Counted>>> => {
  const data = join(scratch("flat"), "data");
  mkdirSync(data);
  fillStore(data, count);
  const { id, step } = await talkIn(data, count, counting);
  const read = readConfig(
    {
      HOME: data,
      PARLEY_DATA: data,
      PARLEY_PORT: "0",
      PARLEY_MODEL: "demo",
      PARLEY_LOG_LEVEL: "error",
      PARLEY_CONSOLE_TOKEN: TOKEN,
    },
    "/nonexistent",
  );
  if (read.kind === "invalid") throw new Error(read.problems.join("\n"));
  const started = await start(read.config, data);
  if (started.kind !== "started")
    throw new Error(started.kind === "failed" ? started.problems.join("\n") : "it left");
  const { host } = started;
  const begun = counting.take();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const get = async (path: string): Promise<Counted> => {
    const response = await fetch(new URL(path, host.url), { headers });
    await response.text();
    expect(response.status, path).toBe(200);
    return counting.take();
  };
  const open = async (): Promise<Counted> => {
    const response = await fetch(new URL(`/api/conversations/${id}/events?last=${LAST}`, host.url), {
      headers,
    });
    const events = response.body?.getReader();
    let heard = "";
    while (!heard.includes("event: snapshot") || !heard.endsWith("\n\n"))
      heard += new TextDecoder().decode((await events?.read())?.value);
    await events?.cancel();
    expect(heard.match(/"ordinal"/g)?.length).toBeGreaterThan(LAST / 2);
    return counting.take();
  };
  const counted = {
    step,
    start: begun,
    scrape: await get("/metrics"),
    status: await get("/api/status"),
    conversation: await open(),
    earlier: await get(`/api/conversations/${id}/posts?last=${LAST}&before=9`),
    list: await get(`/api/conversations?limit=${PAGE}`),
    channels: await get("/api/channels"),
    budgets: await get("/api/budgets"),
    ...(await ofFeatures(get)),
  };
  await host.close();
  return counted;
};

/** By path: what each request of a feature that reads asks for. */
const ofFeatures = async (
  get: (path: string) => Promise<Counted>,
): Promise<Readonly<Record<string, Counted>>> => {
  const counted: Record<string, Counted> = {};
  for (const { method, path } of FEATURES.flatMap(({ requests }) => requests))
    if (method === "get" && !path.includes(":")) counted[path] = await get(path);
  return counted;
};

/** A conversation of so many messages, and what its next turn asks for. */
const talkIn = async (
  data: string,
  messages: number,
  counting: Counting,
): Promise<{ readonly id: ConversationId; readonly step: Counted }> => {
  const name = join(data, "parley.sqlite");
  const connected = connectDatabase(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  db.pragma("synchronous = OFF");
  const { store } = portsOf(name, db, TABLES, silentLog, writeHere, () => {});
  const talk = await beginTalk(store);
  const { id } = talk.live.state();
  while (talk.live.state().seq < 8) await turn(talk);
  lengthen(db, id, messages);
  counting.take();
  await turn(talk);
  const step = counting.take();
  await store.close();
  return { id, step };
};

/** Its messages and posts again and again, until there are so many. */
const lengthen = (db: { exec(sql: string): unknown }, id: ConversationId, messages: number): void => {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 WHERE ${messages} > 10 UNION ALL SELECT i + 1 FROM n WHERE i < ${messages / 8})`;
  const those = `FROM n, (SELECT entries, posts, revision FROM conversations WHERE id = '${id}') AS c`;
  db.exec(`BEGIN;
    INSERT INTO messages (id, conversation, position, turn, kind, entry, words) ${numbers}
      SELECT m.id || '-' || i, m.conversation, m.position + i * c.entries, m.turn, m.kind,
        replace(m.entry, m.id, m.id || '-' || i), m.words
      ${those}, messages m WHERE m.conversation = '${id}';
    INSERT INTO posts (conversation, key, ordinal, revision, body) ${numbers}
      SELECT p.conversation, p.key || '-' || i, p.ordinal + i * c.posts, p.revision + i * c.revision,
        replace(p.body, '"key":"' || p.key || '"', '"key":"' || p.key || '-' || i || '"')
      ${those}, posts p WHERE p.conversation = '${id}';
    UPDATE conversations SET (entries, posts, revision) = (
      SELECT (SELECT max(position) FROM messages WHERE conversation = '${id}') + 1,
        (SELECT max(ordinal) FROM posts WHERE conversation = '${id}') + 1,
        (SELECT max(revision) FROM posts WHERE conversation = '${id}') + 1) WHERE id = '${id}';
    COMMIT`);
};
