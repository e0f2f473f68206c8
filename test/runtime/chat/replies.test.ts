/** Replies that people are owed, on a clock of their own: never lost, one message for each person and thread (D7). */

import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Refusal } from "../../../src/machine/refusal.ts";
import type { Claim } from "../../../src/ports/claims.ts";
import type { RefusalReason } from "../../../src/ports/replies.ts";
import { createReplies } from "../../../src/runtime/chat/replies.ts";
import type { Addressee, PrivateNote, NoteKey, SendOutcome } from "../../../src/ports/surface.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createManualClock } from "../world.ts";
import { openMemory } from "../../store/in-memory.ts";

const BOB: Addressee = { place: "C1", root: "1.1", person: "UBOB" };
const CAROL: Addressee = { ...BOB, person: "UCAROL" };
const away: SendOutcome = { kind: "refused", why: "HTTP 502", permanent: false };
const lost: SendOutcome = { kind: "unknown", why: "HTTP 503" };

/** A platform that answers as it is told to, and takes everything else. */
const createOwing = () => {
  const manual = createManualClock();
  const clock = {
    ...manual,
    /** Everything that was begun has come as far as it comes without time. */
    quiet: async (): Promise<void> => {
      for (let turn = 0; turn < 40; turn += 1) await setImmediate();
    },
    advance: async (by: number): Promise<void> => {
      await clock.quiet();
      manual.advance(by);
      await clock.quiet();
    },
  };
  const { chat } = openMemory();
  const told: { readonly to: string; readonly text: string; readonly once: NoteKey | null }[] = [];
  const buttons: PrivateNote["buttons"][] = [];
  const outcomes: SendOutcome[] = [];
  const disk = { refuses: false };
  /** Claims that nobody has sent since. */
  const refused = new Map<string, Claim>();
  const answer = (
    { person }: Addressee,
    { text, ...note }: PrivateNote,
    once: NoteKey | null,
  ): Promise<SendOutcome> => {
    buttons.push(note.buttons);
    const outcome = outcomes.shift() ?? { kind: "done", id: `m${told.length}` };
    if (outcome.kind === "done" || outcome.kind === "unknown") told.push({ to: person, text, once });
    return Promise.resolve(outcome);
  };
  const full = { kind: "failed", code: "disk_full", message: "full" } as const;
  const store = {
    ...chat,
    owe: (...given: Parameters<typeof chat.owe>) =>
      disk.refuses ? Promise.resolve(full) : chat.owe(...given),
    told: (...given: Parameters<typeof chat.told>) =>
      disk.refuses ? Promise.resolve(full) : chat.told(...given),
  };
  const start = () =>
    createReplies({
      name: "slack",
      store,
      surface: { answer, apply: () => Promise.resolve({ kind: "done", id: "" }) },
      bot: { read: () => Promise.resolve(null), refusedClaim: (key) => refused.get(key.id) ?? null },
      languageAt: () => "en",
      clock,
      log: silentLog,
    });
  const texts = () => told.map(({ text }) => text);
  const labels = () => buttons.at(-1)?.map(({ label, value }) => `${label}: ${value}`);
  return { clock, chat, told, texts, labels, outcomes, disk, refused, start };
};

const CONVERSATION = "c-1";
const busy = (claim: string, why: Refusal = "agent_busy"): RefusalReason => ({
  kind: "refused",
  conversation: CONVERSATION,
  claim,
  why,
});
const claimOf = (id: string): Claim => ({
  surface: "slack",
  id,
  conversation: CONVERSATION,
  at: 1,
  text: "And this?",
  images: [],
  speaker: { id: "slack:UBOB", mayDrive: true, mayApprove: false },
});

it("is told once, and the one before it is named so that it can go", async () => {
  const { clock, chat, told, start } = createOwing();
  const replies = start();
  await replies.owe(BOB, "1", "one");
  await replies.owe(BOB, "1", "one");
  await clock.advance(30_000);
  await replies.owe(BOB, "2", "two");
  await replies.owe(CAROL, "3", "three");
  await clock.quiet();
  expect(told).toEqual([
    { to: "UBOB", text: "one", once: { key: "refusal/1", replaces: null } },
    { to: "UBOB", text: "two", once: { key: "refusal/2", replaces: "m0" } },
    { to: "UCAROL", text: "three", once: { key: "refusal/3", replaces: null } },
  ]);
  expect(chat.owed("slack")).toEqual([]);
});

it("40.B waits while the platform is away, and then all that was owed meanwhile is told in one message", async () => {
  const { clock, told, outcomes, chat, start } = createOwing();
  outcomes.push(away, away);
  const replies = start();
  await replies.owe(BOB, "1", "one");
  await replies.owe(BOB, "2", "two");
  await replies.owe(BOB, "3", "one");
  await clock.quiet();
  expect(told).toEqual([]);
  await clock.advance(1_000);
  await clock.advance(2_000);
  const once = { key: "refusal/1", replaces: null, renews: true };
  expect(told).toEqual([{ to: "UBOB", text: "two\none", once }]);
  expect(chat.owed("slack")).toEqual([]);
});

it("40.B a reply that was replaced before it could be read is repeated in the newer one, and only then", async () => {
  const { clock, told, outcomes, start } = createOwing();
  const replies = start();
  for (const [id, text] of ["one", "two", "one"].entries()) {
    await replies.owe(BOB, `${id}`, text);
    await clock.advance(10_000);
  }
  await clock.advance(20_000);
  await replies.owe(BOB, "3", "three");
  await clock.quiet();
  // Slack takes a reply away by itself: none is repeated there.
  outcomes.push({ kind: "done", id: "" });
  await replies.owe(CAROL, "4", "four");
  await clock.quiet();
  await replies.owe(CAROL, "5", "five");
  await clock.quiet();
  expect(told.map(({ text, once }) => [text, once?.replaces])).toEqual([
    ["one", null],
    ["one\ntwo", "m0"],
    ["two\none", "m1"],
    ["three", "m2"],
    ["four", null],
    ["five", null],
  ]);
});

it("40.B two replies of which the platform took neither are told by the next process, in their order", async () => {
  const { clock, told, outcomes, start } = createOwing();
  outcomes.push({ kind: "gone", what: "thread", why: "missing_access" }, lost);
  const before = start();
  await before.owe(BOB, "1", "one");
  await clock.quiet();
  await before.owe(BOB, "2", "two");
  await clock.quiet();
  const closing = before.close();
  await clock.quiet();
  await closing;
  const after = start();
  after.start();
  await clock.quiet();
  const again = "one\ntwo (You may have received this notice already.)";
  expect(told.map(({ text, once }) => [text, once?.key])).toEqual([
    ["one\ntwo", "refusal/1"],
    [again, "refusal/1"],
  ]);
});

it("40.B replies that are too long for one message are told in several that all stay", async () => {
  const { clock, told, outcomes, start } = createOwing();
  outcomes.push(away);
  const replies = start();
  for (const [no, letter] of ["a", "b", "c"].entries()) await replies.owe(BOB, `${no}`, letter.repeat(1_000));
  await clock.advance(1_000);
  expect(told.map(({ text, once }) => [text[0], text.length, once?.replaces])).toEqual([
    ["a", 1_000, null],
    ["b", 1_000, null],
    ["c", 1_000, null],
  ]);
});

it("that may have been told says so the second time, in this process and in the next", async () => {
  const { clock, texts, outcomes, start } = createOwing();
  outcomes.push(lost, lost);
  const replies = start();
  await replies.owe(BOB, "1", "one");
  await clock.advance(1_000);
  const closing = replies.close();
  await clock.quiet();
  await closing;
  start().start();
  await clock.quiet();
  const again = "one (You may have received this notice already.)";
  expect(texts()).toEqual(["one", again, again]);
  await clock.advance(120_000);
  expect(texts()).toHaveLength(3);
});

it("that the platform refuses for good stays owed for the next process and is not asked for again in this one", async () => {
  const { clock, chat, texts, outcomes, start } = createOwing();
  outcomes.push({ kind: "gone", what: "thread", why: "invalid_auth" });
  await start().owe(BOB, "1", "one");
  await clock.advance(600_000);
  expect(texts()).toEqual([]);
  expect(chat.owed("slack")).toEqual([BOB]);
  start().start();
  await clock.quiet();
  expect(texts()).toHaveLength(1);
});

it("40.B is told in the end if neither the disk nor the platform took it at first", async () => {
  const { clock, texts, disk, outcomes, chat, start } = createOwing();
  outcomes.push(away, { kind: "gone", what: "thread", why: "locked" });
  disk.refuses = true;
  const owed = start().owe(BOB, "1", "one");
  await clock.advance(1_000);
  expect(texts()).toEqual([]);
  disk.refuses = false;
  await clock.advance(15_000);
  await owed;
  await clock.quiet();
  expect(texts()).toEqual(["one"]);
  expect(chat.owed("slack")).toEqual([]);
});

it("is told although the disk refuses to owe it, and not twice where the disk refuses to note it", async () => {
  const { clock, texts, disk, chat, start } = createOwing();
  const replies = start();
  await replies.owe(BOB, "1", "one");
  disk.refuses = true;
  await clock.advance(5_000);
  await replies.owe(CAROL, "2", "two");
  await clock.advance(5_000);
  expect(texts()).toEqual(["one", "two"]);
  disk.refuses = false;
  await clock.advance(1_000);
  expect(chat.owed("slack")).toEqual([]);
});

it.each<[Refusal, readonly string[]]>([
  ["agent_busy", ["Stop: c-1", "Stop and send this: m1", "Send when done: m1", "Add to this turn: m1"]],
  [
    "awaiting_approval",
    ["Stop: c-1", "Stop and send this: m1", "Send when done: m1", "Add to this turn: m1"],
  ],
  ["answer_held", ["Stop: c-1", "Stop and send this: m1", "Send when done: m1"]],
  ["cancellation_in_progress", ["Send when done: m1"]],
  ["summarizing", []],
  ["may_not_drive", []],
])("D51 a refusal offers what the conversation would accept (%s)", async (why, wanted) => {
  const { clock, labels, refused, start } = createOwing();
  refused.set("m1", claimOf("m1"));
  await start().owe(BOB, "m1", busy("m1", why));
  await clock.quiet();
  expect(labels()).toEqual(wanted);
});

it("D51 a refusal is not told if its message was sent meanwhile, and the reply says what happens to the message", async () => {
  const { clock, texts, labels, outcomes, refused, chat, start } = createOwing();
  outcomes.push(away);
  refused.set("m1", claimOf("m1"));
  const replies = start();
  await replies.owe(BOB, "m1", busy("m1"));
  await clock.quiet();
  refused.delete("m1");
  await replies.owe(BOB, "waiting/m1", {
    kind: "accepted",
    conversation: CONVERSATION,
    claim: "m1",
    as: "waiting",
    restricts: false,
  });
  await clock.advance(1_000);
  expect(texts()).toEqual(["Your message waits. I will start on it when I am done here."]);
  expect(labels()).toEqual(["Remove: m1"]);
  expect(chat.owed("slack")).toEqual([]);
});

it("D51 nothing is told if the message of the only refusal was sent meanwhile", async () => {
  const { clock, texts, outcomes, refused, chat, start } = createOwing();
  outcomes.push(away);
  refused.set("m1", claimOf("m1"));
  await start().owe(BOB, "m1", busy("m1"));
  await clock.quiet();
  refused.delete("m1");
  await clock.advance(1_000);
  expect([texts(), chat.owed("slack")]).toEqual([[], []]);
});

it("D51 the author of an addition without write permission reads that the turn is Restricted", async () => {
  const { clock, texts, start } = createOwing();
  const added = { kind: "accepted", conversation: CONVERSATION, claim: "m1", as: "added" } as const;
  const replies = start();
  await replies.owe(BOB, "m1", { ...added, restricts: false });
  await replies.owe(CAROL, "m2", { ...added, claim: "m2", restricts: true });
  await clock.quiet();
  expect(texts()).toEqual([
    "I will read your message before my next step.",
    "I will read your message before my next step. You have no write permission here, so the rest of this turn is Restricted.",
  ]);
});
