/** What chat surfaces keep: an arrival is stored once and handled once; a thread is somebody's from its first moment. */

import { describe, expect, it } from "vitest";
import type { ChatStore } from "../../../src/ports/chat-rows.ts";
import type { InboxRow } from "../../../src/ports/chat.ts";
import { openStore } from "../open-store.ts";
import type { DirectPort } from "../../../src/store/base/write.ts";
import { openWithConnection, temporary } from "../kit.ts";
import { begin, conversationOf, prefix, stateOf } from "../plain.ts";

const row = (id: string, change: Partial<InboxRow> = {}): InboxRow => ({
  id,
  lane: "C1/1.0",
  at: 1,
  body: { text: id },
  ...change,
});

const fresh = (chat: DirectPort<ChatStore>, ...rows: readonly InboxRow[]): readonly string[] => {
  const arrived = chat.arrive("slack", rows);
  if (arrived.kind === "failed") throw new Error(arrived.message);
  return [...arrived.fresh];
};

const repo = (location: string) => ({ kind: "url", location }) as const;

const top = (position: string) => ({ place: "C1", root: position, position });

describe("the inbox", () => {
  it("tells what is new, also within one batch and of another surface", () => {
    const { chat } = openWithConnection();
    expect(fresh(chat, row("1"), row("2"), row("1", { body: "again" }))).toEqual(["1", "2"]);
    expect(fresh(chat, row("2"), row("3"))).toEqual(["3"]);
    expect(chat.arrive("discord", [row("1")])).toMatchObject({ fresh: new Set(["1"]) });
    expect(chat.unhandled("slack")).toEqual([row("1"), row("2"), row("3")]);
  });

  it("keeps the id and drops the words of what was handled, until it is forgotten", () => {
    const { chat } = openWithConnection();
    fresh(chat, row("1"), row("2", { at: 5 }));
    chat.settle("slack", "1");
    expect(chat.unhandled("slack").map(({ id }) => id)).toEqual(["2"]);
    expect(fresh(chat, row("1"))).toEqual([]);
    chat.forget("slack", 6, 6);
    expect(chat.unhandled("slack").map(({ id }) => id)).toEqual(["2"]);
    expect(fresh(chat, row("1"))).toEqual(["1"]);
  });

  it("40.B names where it is heard up to, and what lies in a gap counts for nothing", () => {
    const { chat } = openWithConnection();
    expect([chat.heardUntil("slack"), chat.newest("slack")]).toEqual([null, null]);
    fresh(
      chat,
      row("1", { at: 5, from: top("9.0") }),
      row("2", { at: 4, from: top("10.0") }),
      row("3", { at: 6 }),
    );
    chat.arrive("slack", [row("4", { at: 7, from: top("11.0") })], true);
    expect([chat.heardUntil("slack"), chat.newest("slack")]).toEqual([6, "10.0"]);
  });

  it("survives the process", async () => {
    const directory = temporary();
    const first = openStore(directory);
    if (first.kind === "failed") throw new Error(first.message);
    await first.chat.arrive("slack", [row("1")]);
    await first.store.close();
    const second = openStore(directory);
    if (second.kind === "failed") throw new Error(second.message);
    expect(second.chat.unhandled("slack")).toEqual([row("1")]);
    await second.store.close();
  });
});

describe("places and people", () => {
  it("a place works on the repository chosen last", () => {
    const { chat } = openWithConnection();
    expect(chat.binding("slack", "C1")).toBeNull();
    chat.bind("slack", "C1", { repo: repo("https://a/b/c"), by: "slack:U1", at: 1 });
    chat.bind("slack", "C1", { repo: repo("https://a/b/d"), by: "slack:U2", at: 2 });
    chat.bind("slack", "C2", { repo: repo("https://a/b/d"), by: "slack:U2", at: 2 });
    expect(chat.binding("slack", "C1")).toEqual({ repo: repo("https://a/b/d"), by: "slack:U2", at: 2 });
    expect(chat.binding("discord", "C1")).toBeNull();
    expect(chat.bound("slack")).toEqual([repo("https://a/b/d")]);
  });

  it("who takes part, and what was heard last, belong to a thread", () => {
    const { store, ledger, chat } = openWithConnection();
    begin(store, "c-1");
    ledger.bind({ conversation: "c-1", surface: "slack", place: "C1", root: "1" });
    chat.joined("c-1", { person: "U1", hinted: false });
    chat.joined("c-1", { person: "U2", hinted: false });
    chat.joined("c-1", { person: "U1", hinted: true });
    expect(chat.participants("c-1")).toEqual([
      { person: "U1", hinted: true },
      { person: "U2", hinted: false },
    ]);
    expect(chat.heard("c-1")).toBeNull();
    chat.setHeard("c-1", "1.5");
    chat.setHeard("c-1", "1.7");
    expect(chat.heard("c-1")).toBe("1.7");
  });

  it("a conversation and its thread begin together, and a thread has one conversation", () => {
    const { store, ledger } = openWithConnection();
    const thread = { place: "C1", root: "1" };
    const create = (id: `c-${string}`) =>
      store.create({ ...conversationOf(id), surface: "slack" }, stateOf(id), prefix, thread);
    expect(create("c-1")).toEqual({ kind: "created" });
    expect(ledger.find("slack", "C1", "1")?.conversation).toBe("c-1");
    expect(create("c-2")).toMatchObject({ kind: "failed", code: "conflict" });
    expect(store.load("c-2")).toBeNull();
  });
});

const claim = (id: string, source: string) =>
  ({
    surface: "slack",
    id,
    conversation: "c-1",
    speaker: { id: "slack:U1", mayDrive: true, mayApprove: false },
    text: "go on",
    images: [],
    source,
    at: 1,
  }) as const;
const bob = { place: "C1", root: "1.0", person: "U1" };

const refused = () => {
  const opened = openWithConnection();
  begin(opened.store, "c-1");
  opened.ledger.bind({ conversation: "c-1", surface: "slack", place: "C1", root: "1.0" });
  return opened;
};

describe("replies that people are owed", () => {
  it("D7 a refused claim and its reply are one transaction, and the newest reply joins what was not told yet", () => {
    const { db, store, chat } = refused();
    store.claim(claim("m1", "1.1"));
    db.exec("CREATE TRIGGER full BEFORE INSERT ON replies BEGIN SELECT RAISE(ABORT, 'full'); END");
    const failed = store.refuse({ surface: "slack", id: "m1" }, "agent_busy", 2);
    expect(failed).toMatchObject({ kind: "failed", message: expect.stringContaining("full") });
    expect(store.refused({ surface: "slack", id: "m1" })).toBeNull();
    expect(store.openClaims()).toHaveLength(1);
    db.exec("DROP TRIGGER full");
    store.refuse({ surface: "slack", id: "m1" }, "agent_busy", 2);
    store.claim(claim("m2", "1.2"));
    store.refuse({ surface: "slack", id: "m2" }, "awaiting_approval", 3);
    expect(chat.owed("slack")).toEqual([bob]);
    const why = { kind: "refused", conversation: "c-1" };
    expect(chat.owedTo("slack", bob)).toEqual({
      key: "refusal/m1",
      waiting: [
        { key: "refusal/m1", why: { ...why, claim: "m1", why: "agent_busy" } },
        { key: "refusal/m2", why: { ...why, claim: "m2", why: "awaiting_approval" } },
      ],
      stands: null,
    });
  });

  it("is owed until it is told; what was told late does not count for the newer one", () => {
    const { store, chat } = refused();
    store.claim(claim("m1", "1.1"));
    store.refuse({ surface: "slack", id: "m1" }, "agent_busy", 2);
    chat.owe("slack", bob, { key: "refusal/m2", why: { kind: "said", text: "Later." }, at: 3 });
    chat.told("slack", bob, ["refusal/m1"], "9.1");
    expect(chat.owedTo("slack", bob)).toMatchObject({ key: "refusal/m2", stands: "9.1" });
    chat.told("slack", bob, ["refusal/m2"], "9.2");
    expect(chat.owed("slack")).toEqual([]);
    chat.owe("slack", bob, { key: "refusal/m2", why: { kind: "said", text: "Later." }, at: 4 });
    expect(chat.owed("slack")).toEqual([]);
    chat.owe("slack", bob, { key: "refusal/m3", why: { kind: "said", text: "Again." }, at: 5 });
    expect(chat.owedTo("slack", bob)).toMatchObject({ stands: "9.2" });
  });

  it("40.B joins up to four that wait, and drops one that reads as the newest does", () => {
    const { store, chat } = refused();
    const keys = () => chat.owedTo("slack", bob)?.waiting.map(({ key }) => key.replace("refusal/", ""));
    for (const [at, id] of ["m1", "m2"].entries()) {
      store.claim(claim(id, `1.${at + 1}`));
      store.refuse({ surface: "slack", id }, "agent_busy", at);
    }
    expect(keys()).toEqual(["m2"]);
    expect(chat.owedTo("slack", bob)?.key).toBe("refusal/m1");
    for (const text of ["a", "b", "a", "c", "d", "e"])
      chat.owe("slack", bob, {
        key: `refusal/${text}${text === "a" ? (keys()?.length ?? 0) : ""}`,
        why: { kind: "said", text },
        at: 9,
      });
    expect(keys()).toEqual(["b", "a3", "c", "d", "e"]);
    chat.owe("slack", bob, { key: "refusal/c", why: { kind: "said", text: "c" }, at: 10 });
    expect(keys()).toEqual(["b", "a3", "c", "d", "e"]);
    expect(chat.owedTo("slack", bob)?.key).toBe("refusal/m1");
    chat.told("slack", bob, ["refusal/b", "refusal/a3"], "9.1");
    expect(chat.owedTo("slack", bob)).toMatchObject({ key: "refusal/e", stands: "9.1" });
    expect(keys()).toEqual(["c", "d", "e"]);
    chat.told("slack", bob, ["refusal/c", "refusal/d", "refusal/e"], "9.2");
    expect(chat.owed("slack")).toEqual([]);
  });

  it("what would have begun the thread is answered outside of it; what came from no platform is owed nothing", () => {
    const { store, chat } = refused();
    store.claim(claim("m1", "1.0"));
    store.refuse({ surface: "slack", id: "m1" }, "not_confined", 2);
    store.claim({ ...claim("m2", "1.1"), surface: "console" });
    store.refuse({ surface: "console", id: "m2" }, "agent_busy", 2);
    expect(chat.owed("slack")).toEqual([{ ...bob, root: null }]);
    expect(chat.owed("console")).toEqual([]);
  });

  it("is forgotten with its conversation, and after some days", () => {
    const { store, chat } = refused();
    chat.owe("slack", bob, { key: "refusal/m1", why: { kind: "said", text: "Later." }, at: 3 });
    chat.forget("slack", 3, 3);
    expect(chat.owed("slack")).toEqual([bob]);
    store.hide("c-1");
    while (true) {
      const removed = store.removeSome();
      if (removed.kind === "failed" || !removed.more) break;
    }
    expect(chat.owed("slack")).toEqual([]);
    chat.owe("slack", bob, { key: "refusal/m2", why: { kind: "said", text: "Later." }, at: 3 });
    chat.forget("slack", 4, 4);
    expect(chat.owed("slack")).toEqual([]);
  });
});

describe("WS12 a place that its platform calls by another id", () => {
  const bound = { repo: repo("https://x.test/a"), by: "slack:U1", at: 1 } as const;

  it("WS12 keeps its repository, what arrived there and what waits; another place and another surface stay as they are", () => {
    const { chat } = openWithConnection();
    for (const place of ["C1", "C3"]) chat.bind("slack", place, bound);
    chat.bind("discord", "C1", bound);
    const from = { place: "C1", root: "1.0", position: "1.0" };
    fresh(chat, row("message/T/C1/1.0", { from, body: { event: { channel: "C1", text: "C1" } } }));
    expect(chat.unused("slack").map(({ place }) => place)).toEqual(["C3"]);
    chat.movePlace("slack", "C1", "C2");
    expect([chat.binding("slack", "C1"), chat.binding("slack", "C2")]).toEqual([null, bound]);
    expect([chat.binding("slack", "C3"), chat.binding("discord", "C1")]).toEqual([bound, bound]);
    expect(chat.unhandled("slack")).toMatchObject([
      { id: "message/T/C2/1.0", lane: "C2/1.0", body: { event: { channel: "C2" } } },
    ]);
    expect(fresh(chat, row("message/T/C2/1.0", { from: { ...from, place: "C2" } }))).toEqual([]);
    expect(chat.unused("slack").map(({ place }) => place)).toEqual(["C3"]);
  });

  it("WS12 keeps what the new id has already", () => {
    const { chat } = openWithConnection();
    const other = { ...bound, repo: repo("https://x.test/b") };
    chat.bind("slack", "C1", bound);
    chat.bind("slack", "C2", other);
    chat.movePlace("slack", "C1", "C2");
    expect([chat.binding("slack", "C1"), chat.binding("slack", "C2")]).toEqual([null, other]);
  });
});
