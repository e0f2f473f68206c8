/**
 * D8 on a database that the product itself has filled, in every table: a person who is forgotten and a conversation that is
 * deleted leave no word in any row, index or byte of the files. All others keep theirs.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import * as z from "zod";
import type { ConversationId, PersonId } from "../../../src/machine/id.ts";
import { withCoreTables } from "../../../src/store/tables/all-rows.ts";
import { conversationIdSchema } from "../../../src/store/schema/id.ts";
import { openStore } from "../../store/open-store.ts";
import { TABLES } from "../../store/tables.ts";
import { temporary } from "../../store/kit.ts";
import { memberRows } from "../../store/member-rows.ts";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { OFTEN, told } from "../rig.ts";
import { createRig, type SlackRig } from "./rig.ts";
import { bookOf, watcherOf } from "../begun-by-itself.ts";

const PEOPLE = [
  { name: "alice", role: "owner" },
  { name: "ann", role: "owner" },
  { name: "bob", role: "owner" },
] as const;
const ROOMS = { ann: "annroom", bob: "bobroom" } as const;
const PLACES = { ann: "CANNROOM", bob: "CBOBROOM" } as const;
type Name = keyof typeof ROOMS;

/** One word for each place in which a person leaves words. Single words of twelve letters count as repeated. */
const PARTS = [
  "said",
  "quoted",
  "instructed",
  "ordered",
  "scheduled",
  "voted",
  "note",
  "commented",
  "renamed",
  "refused",
  "owed",
  "account",
] as const;
type Part = (typeof PARTS)[number];

const wordOf = (name: Name, part: Part): string => `${name}markzebra${part}`;
const MARKS = { ann: /annmarkzebra[a-z]*/g, bob: /bobmarkzebra[a-z]*/g } as const;
/** Words of an event, which are nobody's. */
const eventOf = (name: Name): string => `${name}eventzebra`;

const person = (name: string): PersonId => `slack:U${name.toUpperCase()}`;
const speaker = (name: Name) => ({ id: person(name), name, mayDrive: true, mayApprove: true }) as const;

/** Traces of one person. */
interface Story {
  /** Said, quoted, and begun by the two watches. */
  readonly conversations: readonly ConversationId[];
  /** The first message of the first thread. */
  readonly root: string;
}

const quiet = (rig: SlackRig, id: ConversationId) =>
  expect
    .poll(async () => (await rig.bot.read(id))?.state.phase.kind, OFTEN)
    .toMatch(/^(idle|awaitingApproval)$/);

const conversationAt = (rig: SlackRig, place: string, root: string): Promise<ConversationId> =>
  expect
    .poll(() => rig.ledger.find("slack", place, root)?.conversation, OFTEN)
    .toMatch(/^c-/)
    .then(() => {
      const found = rig.ledger.find("slack", place, root);
      if (found === null) throw new Error("the thread has no conversation");
      return found.conversation;
    });

/** A person uses everything that stores words. */
const fill = async (rig: SlackRig, name: Name, release: () => void): Promise<Story> => {
  const { fake, opened, bot } = rig;
  const channel = ROOMS[name];
  const place = PLACES[name];
  const word = (part: Part): string => wordOf(name, part);
  const self = fake.as(name);
  await opened.chat.instruct("slack", place, {
    text: `Mind ${word("instructed")}.`,
    by: person(name),
    at: 1,
  });

  // A question that is denied with a comment, a name, a vote with its reason, and the mark.
  const asked = self.say(`@parley upgrade for ${word("said")}`, { channel });
  const first = await conversationAt(rig, place, asked.ts);
  await expect.poll(() => rig.store.pendingQuestion(first)?.wire ?? "", OFTEN).not.toBe("");
  const question = rig.store.pendingQuestion(first)?.wire ?? "";
  await bot.act(first, {
    kind: "decide",
    question,
    choice: "deny",
    by: speaker(name),
    comment: `not with ${word("commented")}`,
  });
  await rig.thread(asked, /Answer 2/);
  await quiet(rig, first);
  await bot.rename(first, `About ${word("renamed")}`, person(name));
  const answer = rig.answers.answersPage(0, null, 100).find(({ conversation }) => conversation === first);
  if (answer === undefined) throw new Error("the answer is not stored");
  const vote = { conversation: first, message: answer.message, person: person(name), click: "1", at: 1 };
  await opened.feedback.vote(vote, "down");
  await opened.feedback.explain({ ...vote, click: "2" }, `because of ${word("voted")}`);
  await opened.feedback.solve({ conversation: first, message: answer.message }, 1);

  // A message that is refused while another one is at work.
  self.say("@parley hold on", { channel, thread: asked.ts });
  await expect.poll(() => told(rig.asked.at(-1)), OFTEN).toContain("hold on");
  self.say(`@parley also ${word("refused")}`, { channel, thread: asked.ts });
  await expect
    .poll(() => rig.store.claims(first).some(({ claim }) => claim.text.includes(word("refused"))), OFTEN)
    .toBe(true);
  release();
  await quiet(rig, first);

  // Another person asks below words of this one, which are quoted.
  const root = self.say(`I think ${word("quoted")} is it`, { channel });
  fake.as("alice").say("@parley is it so?", { channel, thread: root.ts });
  const quoting = await conversationAt(rig, place, root.ts);
  await expect.poll(() => rig.store.claims(quoting)[0]?.claim.text ?? "", OFTEN).toContain(word("quoted"));
  await quiet(rig, quoting);

  // Watches with instructions and a schedule, and the threads that they begin.
  const at = { surface: "slack", place, by: person(name), mode: null };
  const hook = { kind: "hook", title: null, text: null, key: null } as const;
  const instructions = `Look for ${word("ordered")}.`;
  await bookOf(rig).add({ ...at, source: hook, instructions, name: `${name}-hook` });
  const read = await bookOf(rig).readSchedule(`day at 9:00: tell ${word("scheduled")}`);
  if (read.source === undefined) throw new Error("the schedule cannot be read");
  await bookOf(rig).add({ ...at, source: read.source, instructions: null, name: `${name}-daily` });
  const text = `tell ${word("scheduled")}`;
  const begun = [
    { watch: `${name}-hook`, title: "An event", text: `It is about ${eventOf(name)}` },
    { watch: `${name}-daily`, title: text, text },
  ];
  for (const one of begun) {
    const event = { delivery: "1", fingerprint: "f", link: null, at: 1, ...one };
    expect(await watcherOf(rig).take(event)).toEqual({ kind: "stored" });
  }
  const lately = opened.rows.select(
    "SELECT conversation FROM watch_threads WHERE watch = @watch ORDER BY began DESC LIMIT 1",
  );
  const begunBy = () => begun.flatMap(({ watch }) => conversations.parse(lately({ watch })));
  await expect.poll(() => begunBy().length, OFTEN).toBe(2);
  const watched = begunBy();
  for (const id of watched) await quiet(rig, id);
  return { conversations: [first, quoting, ...watched], root: asked.ts };
};

const conversations = z.array(
  z.object({ conversation: conversationIdSchema }).transform(({ conversation }) => conversation),
);

/** Rows that no story above makes, by the ports that make them. */
const fillOthers = async (
  { opened }: SlackRig,
  name: Name,
  { conversations: [first], root }: Story,
): Promise<void> => {
  const place = PLACES[name];
  const by = person(name);
  if (first === undefined) throw new Error("there is no conversation");
  const to = { place, root, person: by.slice("slack:".length) };
  await opened.chat.owe("slack", to, {
    key: `k-${name}`,
    why: { kind: "said", text: `${wordOf(name, "owed")}.zip is no text.` },
    at: 1,
  });
  await opened.chat.setChannel("slack", place, {
    mode: null,
    model: null,
    approvers: [by],
    servers: [],
    knowledge: [],
    language: null,
    review: null,
    quiet: null,
    links: false,
    by,
    at: 1,
  });
  await opened.chat.setUnbound("slack", { root: "9.9", note: null, at: 1, place, message: "9.9" });
  await opened.chat.setAnnounced("slack", { place, message: "8.8", isOpen: true, wire: `w-${name}` });
  await opened.rows.write([
    {
      sql: "INSERT INTO digests (surface, place, server, told, set_by, at) VALUES ('slack', @place, NULL, '2026-11-23', @by, 1)",
      values: { place, by },
    },
    {
      sql: "INSERT INTO review_cards (surface, wire, place, messages) VALUES ('slack', @wire, @place, '[\"7.7\"]')",
      values: { place, wire: `w-${name}` },
    },
    {
      sql: `INSERT INTO channel_notes (id, surface, place, number, is_public, text, wrote, author, at, pinned, cited, sure)
        VALUES (@id, 'slack', @place, (SELECT 1 + count(*) FROM channel_notes), 1, @text, @by, @by, 1, 0, '[]', 1)`,
      values: { id: `n-${name}`, place, by, text: wordOf(name, "note") },
    },
    {
      sql: `INSERT INTO note_changes (note, at, id, what, person, before, wrote, surface, place, number)
        VALUES (@id, 1, @id, 'edited', @by, @text, @by, 'slack', @place, 1)`,
      values: { id: `n-${name}`, place, by, text: wordOf(name, "note") },
    },
    {
      sql: `INSERT INTO note_proposals (id, surface, place, conversation, turn, at, fingerprint, text, author, outcome)
        VALUES (@id, 'slack', @place, @first, 1, 1, 'f', @text, @by, 'open')`,
      values: { id: `n-${name}`, place, first, by, text: wordOf(name, "note") },
    },
    {
      sql: `INSERT INTO forge_people (person, forge, login, name, email, sealed, version, at)
        VALUES (@by, 'github.com', @text, 'N', 'e@x', @text, 'v', 1)`,
      values: { by, text: wordOf(name, "account") },
    },
    {
      sql: `INSERT INTO forge_sign_ins (person, forge, surface, place, version, sealed, pause, ends)
        VALUES (@by, 'github.com', 'slack', @place, 'v', @text, 1, 1)`,
      values: { by, place, text: wordOf(name, "account") },
    },
    {
      sql: `INSERT INTO first_looks (watch, surface, place, post, at, decision, reason, cost, author, conversation)
        VALUES (@id, 'slack', @place, '1.1', 1, 'look', 'A bug.', 5, @by, @first)`,
      values: { id: `n-${name}`, place, by, first },
    },
    {
      sql: `INSERT INTO look_corrections (id, watch, surface, place, post, decided, correct, text, author, set_by, at)
        VALUES (@id, @id, 'slack', @place, '1.1', 'nothing', 'look', @text, @by, @by, 1)`,
      values: { id: `n-${name}`, place, by, text: wordOf(name, "note") },
    },
    {
      sql: "INSERT INTO ignored_people (surface, person, at) VALUES ('slack', @by, 1)",
      values: { by },
    },
    {
      sql: "INSERT INTO watch_places (watch, surface, place, at) VALUES (@id, 'slack', @place, 1)",
      values: { id: `n-${name}`, place },
    },
    {
      sql: "INSERT INTO test_secrets (repo, name, sealed, set_by, at) VALUES ('github.com/acme/api', @name, 'v1.k.b', @by, 1)",
      values: { name: name.toUpperCase(), by },
    },
    {
      sql: `INSERT INTO test_declarations (repo, secrets, services)
        VALUES ('github.com/acme/' || @name, '["API_KEY"]', '["redis"]')`,
      values: { name },
    },
    {
      sql: `INSERT INTO tended_pulls (id, conversation, surface, place, person, person_name, name, number, branch, began,
          ends, pushes, budget, head, seen, turn, tries, phase, cause, told)
        VALUES (@id, @first, 'slack', @place, @by, @text, 'acme/api#1', 1, 'b', 1, 1, 1, 1, 'h', '[]', 0, 0, 'watching',
          '{"checks":false,"remarks":[]}', 1)`,
      values: { id: `p-${name}`, first, place, by, text: wordOf(name, "note") },
    },
    {
      sql: `INSERT INTO tended_pushes (tended, no, conversation, fingerprint, standing, told)
        VALUES (@id, 1, @first, 'f', 'landed', 1)`,
      values: { id: `p-${name}`, first },
    },
    { sql: "INSERT OR IGNORE INTO quiet (conversation, quiet) VALUES (@first, 1)", values: { first } },
  ]);
  await opened.purse.spend("2026-11-23", [`person:${by}`], 5);
  await opened.purse.setBudget({ scope: `person:${by}`, most: 500, by, at: 1 });
  const facts = { kind: "fault", surface: "slack", conversation: first } as const;
  await opened.rows.write([
    {
      sql: "INSERT INTO alerts (key, host, facts, began, ended, told) VALUES (@key, NULL, @facts, 1, NULL, 'nothing')",
      values: { key: `a-${name}`, facts: JSON.stringify(facts) },
    },
  ]);
  await memberRows(opened.rows).join("here", "start");
  await opened.rows.write([
    { sql: "INSERT INTO homes (home, host) VALUES (@home, 'here')", values: { home: first } },
  ]);
  const payers = [{ scope: `person:${by}` as const, usual: 100 }];
  await opened.purse.reserve({ host: "here", day: "2026-11-23", payers, least: 1, most: 1 });
};

const cell = z.record(z.string(), z.unknown());

/** Every match in every cell, as `table.column match`. */
const found = (db: Database.Database, wanted: RegExp): readonly string[] =>
  tablesIn(db)
    .flatMap((table) =>
      db
        .prepare(`SELECT * FROM "${table}"`)
        .all()
        .flatMap((row) =>
          Object.entries(cell.parse(row)).flatMap(([column, value]) =>
            Array.from(textOf(value).matchAll(wanted), ([match]) => `${table}.${column} ${match}`),
          ),
        ),
    )
    .toSorted((a, b) => (a < b ? -1 : 1));

/** Those of the search index too. */
const tablesIn = (db: Database.Database): readonly string[] =>
  z
    .array(z.string())
    .parse(db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main'").pluck().all());

const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);

const bytesIn = (directory: string, words: string): readonly string[] =>
  readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(words));

const nothing = (): void => undefined;

/** Two persons, each with conversations of their own, on a database with files. */
const filled = async () => {
  const directory = temporary();
  const opened = openStore(directory);
  if (opened.kind === "failed") throw new Error(opened.message);
  let release = nothing;
  const rig = await createRig({
    opened,
    fake: {
      users: PEOPLE,
      channels: Object.values(ROOMS).map((name) => ({ name })),
    },
    bound: Object.values(PLACES),
    answer: (messages) => {
      const [last = ""] = told(messages).split("\n").slice(-1);
      if (last.includes("hold on"))
        return new Promise((resolve) => {
          release = () => resolve(textAnswer("Held."));
        });
      return last.includes("upgrade for")
        ? toolAnswer({ name: "request_mode_upgrade", input: { reason: `For: ${last}` } })
        : textAnswer(`Answer 2. You wrote: ${last}`);
    },
  });
  const stories = {
    ann: await fill(rig, "ann", () => release()),
    bob: await fill(rig, "bob", () => release()),
  };
  await rig.fake.settled();
  for (const name of ["ann", "bob"] as const) await fillOthers(rig, name, stories[name]);
  const indexed = await opened.rows.writeLocal(INDEX.map((sql) => ({ sql, values: {} })));
  if (indexed.kind === "failed") throw new Error(indexed.message);
  const look = <T>(does: (db: Database.Database) => T): T => {
    const db = new Database(join(directory, "parley.sqlite"), { readonly: true });
    try {
      return does(db);
    } finally {
      db.close();
    }
  };
  return { directory, rig, stories, look };
};

/** What the console's search finds: all words and titles. */
const INDEX = [
  // The host's own index may have begun.
  "DELETE FROM search",
  "DELETE FROM searched",
  "INSERT OR IGNORE INTO searched (conversation, message) SELECT conversation, id FROM messages WHERE words IS NOT NULL",
  "INSERT INTO searched (conversation, message) SELECT id, NULL FROM conversations",
  "INSERT INTO search (rowid, text) SELECT n, words FROM searched JOIN messages ON messages.id = searched.message",
  `INSERT INTO search (rowid, text) SELECT n, title FROM searched JOIN conversations ON conversations.id = searched.conversation
    WHERE searched.message IS NULL`,
  "DELETE FROM unsearched",
  "UPDATE search_reached SET message = (SELECT coalesce(max(rowid), 0) FROM messages)",
];

/** Tables that are empty between two steps. */
const PASSING = ["loose_blobs", "unsearched"];

/** Ids that documents promise to keep: who decided, chose or paid, and names that others' words stand under. */
const IDS_STAY = [
  "budgets.scope",
  "budgets.set_by",
  "channels.approvers",
  "channels.set_by",
  "claims.body",
  "conversations.created_by",
  "conversations.state",
  "digests.set_by",
  "events.actor",
  "events.event",
  "ignored_people.person",
  "messages.entry",
  // A schedule's thread names who set it up.
  "messages.words",
  "posts.body",
  "questions.settled_by",
  "reserved.scopes",
  "spent.scope",
  "watches.set_by",
];

/** Columns that still name a deleted conversation: until the end of the alert is told. */
const CONVERSATIONS_STAY = ["alerts.facts"];

const columnsThat = (...which: readonly ("person" | "both")[]): readonly string[] =>
  withCoreTables(TABLES).flatMap(({ tables }) =>
    Object.entries(tables).flatMap(([table, columns]) =>
      which.flatMap((one) => (columns[one] ?? []).map((column) => `${table}.${column}`)),
    ),
  );

const columnsOf = (hits: readonly string[]): readonly string[] => [
  ...new Set(hits.map((hit) => hit.slice(0, hit.indexOf(" ")))),
];

/** The index's own tables say the same once more, in an order that differs. */
const rowsIn = (hits: readonly string[]): readonly string[] =>
  hits.filter((hit) => !hit.startsWith("search_"));

it("words that were taken back are in no table, index or byte of the files, and all other words stay", async () => {
  const { rig, directory, stories, look } = await filled();
  const { bot, opened } = rig;
  const by = person("alice");
  const marks = (name: Name): readonly string[] => look((db) => rowsIn(found(db, MARKS[name])));

  // Every table is filled, and words stand only in columns that are declared as erased.
  const empty = look((db) =>
    tablesIn(db).filter((table) => db.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get() === undefined),
  );
  expect(empty.toSorted()).toEqual(PASSING);
  const words = columnsThat("person", "both");
  expect(columnsOf(marks("ann")).filter((one) => !words.includes(one))).toEqual([]);
  for (const part of PARTS) expect(marks("ann").join()).toContain(wordOf("ann", part));
  expect(bytesIn(directory, "annmark")).not.toEqual([]);

  // A person who has voted and nothing else.
  const [answer] = opened.answers.answersPage(0, null, 1);
  if (answer === undefined) throw new Error("there is no answer");
  const vote = { conversation: answer.conversation, message: answer.message, click: "3", at: 1 };
  await opened.feedback.explain({ ...vote, person: "slack:UDAVE" }, "davemarkzebravoted");
  expect(bytesIn(directory, "davemark")).not.toEqual([]);
  expect(await bot.forgetPerson({ by, person: "slack:UDAVE", names: [] })).toMatchObject({
    conversations: 0,
  });
  expect(bytesIn(directory, "davemark")).toEqual([]);

  // A person.
  // A reply that is owed is sent as soon as the host has a reason to look, and is then no longer stored.
  const staying = (): readonly string[] => marks("bob").filter((hit) => !hit.startsWith("replies.why"));
  const ofBob = staying();
  const done = await bot.forgetPerson({ by, person: person("ann"), names: [] });
  expect(done).toEqual({ kind: "done", conversations: 4, channels: 1, names: ["ann"] });
  expect(look((db) => found(db, MARKS.ann))).toEqual([]);
  expect(bytesIn(directory, "annmark")).toEqual([]);
  expect(staying()).toEqual(ofBob);
  const ids = columnsOf(look((db) => found(db, /slack:UANN\b/g)));
  expect(ids.filter((one) => !IDS_STAY.includes(one))).toEqual([]);
  const watches = watcherOf(rig)
    .all()
    .map(({ id, instructions }) => [id, instructions] as const);
  expect(new Map(watches)).toEqual(
    new Map([
      ["ann-hook", null],
      ["bob-hook", `Look for ${wordOf("bob", "ordered")}.`],
      ["bob-daily", null],
    ]),
  );

  // All words of a conversation, whose thread was deleted.
  const [first, , begun, daily] = stories.bob.conversations;
  if (first === undefined || begun === undefined || daily === undefined)
    throw new Error("a story is missing");
  const event = new RegExp(eventOf("bob"), "g");
  expect(columnsOf(look((db) => found(db, event)))).toContain("watch_threads.event");
  await bot.forget(begun, { by, meant: { kind: "all" }, cut: (said) => ({ left: said, taken: [] }) });
  expect(look((db) => found(db, event))).toEqual([]);
  expect(bytesIn(directory, eventOf("bob"))).toEqual([]);

  // Conversations.
  for (const id of [first, begun, daily]) expect(await bot.remove(id, by)).toEqual({ kind: "done" });
  const named = columnsOf(look((db) => found(db, new RegExp([first, begun, daily].join("|"), "g"))));
  expect(named.filter((one) => !CONVERSATIONS_STAY.includes(one))).toEqual([]);
  for (const part of ["said", "commented", "renamed", "refused", "voted", "owed"] as const)
    expect(bytesIn(directory, wordOf("bob", part))).toEqual([]);
  const left = marks("bob").map((hit) => hit.split(" ")[0] ?? "");
  expect(new Set(left)).toEqual(
    new Set([
      "channel_notes.text",
      "claims.body",
      "forge_people.login",
      "forge_people.sealed",
      "forge_sign_ins.sealed",
      "instructions.text",
      "conversations.instructions",
      "look_corrections.text",
      "note_changes.before",
      "messages.words",
      "search.text",
      "watches.instructions",
      "watches.source",
    ]),
  );
  expect(marks("bob").join()).toContain(wordOf("bob", "quoted"));
});
