/** What is found, in which order, whatever is typed; and that what was taken back is found nowhere, nor on the disk. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { IndexHit, SearchIndex } from "../../../../src/features/console/search/ports.ts";
import { createSearchIndex } from "../../../../src/features/console/search/search-index.ts";
import type { ConversationId, MessageId } from "../../../../src/machine/id.ts";
import type { StoredContent } from "../../../../src/thread/prompt.ts";
import type { State } from "../../../../src/machine/state.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { migrate } from "../../../../src/store/base/migrations.ts";
import { takeSnapshot } from "../../../../src/store/snapshot.ts";
import { openWithConnection, temporary } from "../../../store/kit.ts";
import { begin, commitOf, conversationOf, prefix, stateOf, take } from "../../../store/plain.ts";

type Opened = ReturnType<typeof openWithConnection>;

const said = (text: string): StoredContent => ({ kind: "said", text, images: [] });
const answer = (text: string): StoredContent => ({ kind: "answer", blocks: [{ kind: "text", text }] });

/** A step that brings words; the state after it. */
const tell = ({ store }: Opened, before: State, id: MessageId, words: StoredContent): State =>
  take(store, commitOf(before, { words: [{ id, words }] }));

const searchOf = ({ rows }: Opened): SearchIndex =>
  createSearchIndex({
    rows: { select: rows.select, writeLocal: async (changes) => rows.writeLocal(changes) },
    log: silentLog,
  });

const catchUp = async (opened: Opened): Promise<number> => {
  const search = searchOf(opened);
  for (let calls = 1; ; calls += 1) {
    const done = await search.index();
    if (done.kind === "failed") throw new Error(done.message);
    if (done.isDone) return calls;
  }
};

const found = (opened: Opened, typed: string): readonly string[] =>
  searchOf(opened)
    .find(typed, 20, null)
    .map(({ conversation, message }) => message ?? conversation);

const secret = (no: number) => `qz${no}rosebud${no * 7919}xw`;

const shown = ({ snippet }: IndexHit): string =>
  snippet.map(({ text, match }) => (match ? `[${text}]` : text)).join("");

it("what people and the agent said is found by whole words, beginnings and phrases, the newest first", async () => {
  const opened = openWithConnection();
  let state = begin(opened.store);
  state = tell(opened, state, "m-1", said("Where does the Zürich retry policy live?"));
  state = tell(opened, state, "m-2", answer("The retry policy\nlives in retry.ts"));
  tell(opened, state, "m-3", { kind: "result", text: "retry retry", images: [], diff: null });
  await catchUp(opened);
  expect(found(opened, "retry")).toEqual(["m-2", "m-1"]);
  expect(found(opened, "ZURICH pol")).toEqual(["m-1"]);
  expect(found(opened, '"policy lives"')).toEqual(["m-2"]);
  expect(found(opened, '"lives policy"')).toEqual([]);
  expect(found(opened, "retry absent")).toEqual([]);
  const [first, second] = searchOf(opened).find("policy", 20, null);
  expect(first).toMatchObject({ of: "answer", message: "m-2", surface: "console", title: "A thread" });
  expect(first && shown(first)).toBe("The retry [policy] lives in retry.ts");
  expect(second && shown(second)).toBe("Where does the Zürich retry [policy] live?");
  const [page] = searchOf(opened).find("policy", 1, null);
  expect(
    searchOf(opened)
      .find("policy", 20, page?.at ?? 0)
      .map(({ message }) => message),
  ).toEqual(["m-1"]);
});

it("a long text is shown around the first word that was found", async () => {
  const opened = openWithConnection();
  const text = `${"and so on ".repeat(60)}to the Policies ${"and on ".repeat(60)}`;
  tell(opened, begin(opened.store), "m-1", said(text));
  await catchUp(opened);
  const [hit] = searchOf(opened).find("polic", 20, null);
  expect(hit && shown(hit)).toMatch(/^… (on |so |and )+to the \[Policies\] and on .* …$/);
  expect(hit && shown(hit).length).toBeLessThan(240);
});

it("blanks are no text, and signs that do not print are shown as a blank", async () => {
  const opened = openWithConnection();
  const state = tell(opened, begin(opened.store), "m-1", said(" \n\t "));
  tell(opened, state, "m-2", said("\n\none\u0001two\n\nthree\u0007four\n"));
  await catchUp(opened);
  expect(found(opened, "one four")).toEqual(["m-2"]);
  expect(opened.db.prepare("SELECT count(*) AS n FROM searched WHERE message = 'm-1'").get()).toEqual({
    n: 0,
  });
  const [hit] = searchOf(opened).find("two", 20, null);
  expect(hit && shown(hit)).toBe("one [two] three four");
});

it("titles are found as they are now; what sub-agents said to their parent is not", async () => {
  const opened = openWithConnection();
  const { store } = opened;
  begin(store);
  const agent: ConversationId = "c-1-e1.0";
  const of = { ...stateOf(agent), kind: "subagent", parent: "c-1" } as const;
  store.create(conversationOf(agent, { title: "lantern" }), of, prefix);
  tell(opened, of, "m-9", answer("lantern"));
  await catchUp(opened);
  expect(found(opened, "thread")).toEqual(["c-1"]);
  expect(found(opened, "lantern")).toEqual([]);
  store.setTitle("c-1", "Lantern", "console:operator");
  expect(found(opened, "thread")).toEqual([]);
  await catchUp(opened);
  expect(found(opened, "lantern")).toEqual(["c-1"]);
  expect(searchOf(opened).find("lantern", 20, null)[0]).toMatchObject({ of: "title", message: null });
});

it("whatever is typed is searched for and never an error", async () => {
  const opened = openWithConnection();
  const words = 'AND OR NOT NEAR text:x a-b c* ^d {e} "f" (g) 8.5 naïve';
  tell(opened, begin(opened.store), "m-1", said(words));
  await catchUp(opened);
  for (const typed of ["AND", "NEAR", "text:x", "a-b", "c*", "^d", "{e}", '"f', "(g)", "8.5", "NAIVE"]) {
    expect(found(opened, typed), typed).toEqual(["m-1"]);
  }
  for (const typed of ["", "  ", '"', '""', "-", "* ( )", "\u0000", "\ud800"]) {
    expect(found(opened, typed), JSON.stringify(typed)).toEqual([]);
  }
  const signs = fc.string({
    unit: fc.constantFrom(...'a b " * ( ) : ^ - + { } / \\ \u0000 \ud800 é 中 AND NEAR'.split(" "), " "),
    maxLength: 24,
  });
  fc.assert(fc.property(fc.oneof(signs, fc.string()), (typed) => Array.isArray(found(opened, typed))));
});

it("each call takes up a bounded part, and none is left out", async () => {
  const opened = openWithConnection();
  let state = begin(opened.store);
  for (let no = 0; no < 150; no += 1) state = tell(opened, state, `m-${no}`, said(`word${no} common`));
  tell(opened, state, "m-long", said("common ".repeat(60_000)));
  expect(await catchUp(opened)).toBe(3);
  const hits = searchOf(opened).find("common", 200, null);
  expect(hits).toHaveLength(151);
  expect(hits[0] && shown(hits[0]).length).toBeLessThan(350);
  expect(await catchUp(opened)).toBe(1);
});

it("what was erased is found no more at once, and no byte of it is left in the database", async () => {
  const name = join(temporary(), "parley.sqlite");
  const opened = openWithConnection(name);
  const { store, db } = opened;
  let state = begin(store);
  for (let no = 0; no < 200; no += 1) {
    const text = `filler${no} plain ${no % 10 === 0 ? secret(no) : ""} word-${no * 31}-`;
    state = tell(opened, state, `m-${no}`, no % 2 === 0 ? said(text) : answer(text));
    if (no % 50 === 0) await catchUp(opened);
  }
  store.setTitle("c-1", "qztitlexw", "console:operator");
  await catchUp(opened);
  const gone = Array.from({ length: 20 }, (_, index) => index * 10);
  const erasure = {
    words: gone.map((no) => ({
      id: `m-${no}` as const,
      words: no === 0 ? said("left") : ({ kind: "gone" } as const),
    })),
    claims: [],
    title: "Deleted message",
    uninstructed: false,
  };
  for (const no of gone) expect(found(opened, secret(no))).toEqual([`m-${no}`]);
  take(store, commitOf(state, { erasure }));
  for (const no of gone) expect(found(opened, secret(no))).toEqual([]);
  expect(found(opened, "left")).toEqual([]);
  await catchUp(opened);
  expect(found(opened, "left")).toEqual(["m-0"]);
  expect(found(opened, '"word 31"')).toEqual(["m-1"]);
  db.pragma("wal_checkpoint(TRUNCATE)");
  const bytes = readFileSync(name, "latin1");
  for (const no of gone) expect(bytes).not.toContain(secret(no).slice(0, 7));
  expect(bytes).not.toContain("qztitle");
  expect(bytes).toContain("word-31-");
});

it("a conversation whose rows are deleted leaves the index with them, and new messages in their place are taken up", async () => {
  const opened = openWithConnection();
  const { store, db } = opened;
  tell(opened, begin(store), "m-1", said("kept"));
  tell(opened, begin(store, "c-2"), "m-2", said("lantern"));
  await catchUp(opened);
  const tables = ["messages", "events", "posts", "questions", "claims"];
  for (const table of tables) db.prepare(`DELETE FROM ${table} WHERE conversation = 'c-2'`).run();
  db.prepare("DELETE FROM conversations WHERE id = 'c-2'").run();
  expect(db.prepare("SELECT count(*) AS n FROM searched").get()).toEqual({ n: 2 });
  expect(found(opened, "lantern")).toEqual([]);
  tell(opened, begin(store, "c-3"), "m-3", said("lantern again"));
  await catchUp(opened);
  expect(found(opened, "lantern")).toEqual(["m-3"]);
  expect(found(opened, "kept")).toEqual(["m-1"]);
});

it("what an older version stored is taken up, and a copy of the database is searched like the original", async () => {
  const directory = temporary();
  const opened = openWithConnection(join(directory, "parley.sqlite"));
  const state = tell(opened, begin(opened.store), "m-1", said("before"));
  opened.db.exec("DELETE FROM searched; UPDATE search_reached SET message = 0");
  opened.db.exec("INSERT INTO unsearched (conversation) VALUES ('c-1')");
  await catchUp(opened);
  expect(found(opened, "before")).toEqual(["m-1"]);
  expect(found(opened, "thread")).toEqual(["c-1"]);
  tell(opened, state, "m-2", said("later"));
  const target = join(directory, "copy.sqlite");
  expect(takeSnapshot(directory, target)).toMatchObject({ kind: "taken" });
  const copy = openWithConnection(target);
  expect(found(copy, "before")).toEqual(["m-1"]);
  await catchUp(copy);
  expect(found(copy, "later")).toEqual(["m-2"]);
  expect(new Sqlite(target).pragma("integrity_check(1)", { simple: true })).toBe("ok");
  expect(migrate(copy.db, "copy")).toEqual({ kind: "ready" });
});
