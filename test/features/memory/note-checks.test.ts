/** When notes are checked, and what their authors are told: over the real store, with code that changes as the test says. */

import { expect, it } from "vitest";
import { conversationOf } from "../../store/plain.ts";
import { DAY, type ConversationId } from "../../../src/machine/id.ts";
import { createChannelMemory, type ChannelMemory } from "../../../src/features/memory/memory.ts";
import { createNoteChecks } from "../../../src/features/memory/note-checks.ts";
import { createNoteRows } from "../../../src/features/memory/rows.ts";
import { english } from "../../../src/i18n/say.ts";
import type { Addressee, PrivateNote } from "../../../src/ports/surface.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createManualClock } from "../../runtime/world.ts";
import { openMemory as openStore } from "../../store/in-memory.ts";

const READERS = { isPublic: true, server: null };
const CHANNEL = { surface: "slack", place: "CGENERAL" };
const ALICE = { id: "slack:UALICE", name: "alice" } as const;
const REPO = { kind: "url", location: "https://github.com/acme/api.git" } as const;

const world = async () => {
  const opened = openStore();
  await opened.chat.bind("slack", "CGENERAL", { repo: REPO, by: ALICE.id, at: 1 });
  const clock = createManualClock();
  const now = { gone: null as string | null, commit: "c1", isOn: true };
  const told: { readonly to: Addressee; readonly note: PrivateNote }[] = [];
  let ids = 0;
  const rows = createNoteRows(opened.rows, silentLog);
  const code = {
    find: (text: string) =>
      Promise.resolve(
        text.includes("`")
          ? { cited: [{ kind: "symbol", name: "retryPolicy" } as const], commit: "c0" }
          : { cited: [], commit: null },
      ),
    check: () => Promise.resolve({ commit: now.commit, gone: now.gone }),
  };
  const parts = {
    clock,
    log: silentLog,
    randomId: () => `id${(ids += 1)}`,
    chat: opened.chat,
    ledger: {
      ...opened.ledger,
      // A conversation of another channel.
      thread: (conversation: ConversationId) =>
        opened.ledger.thread(conversation) ??
        (conversation === "c-other"
          ? { conversation, surface: "slack", place: "COTHER", root: "1", delivered: 0 }
          : null),
    },
  };
  const memory: ChannelMemory = createChannelMemory({ ...parts, rows, code, repo: null });
  const surface = {
    name: "slack",
    standing: () => (now.isOn ? "on" : "off"),
    say: () => english,
    answer: (to: Addressee, note: PrivateNote) => {
      told.push({ to, note });
      return Promise.resolve({ kind: "done", id: "" } as const);
    },
  };
  const checks = createNoteChecks({ ...parts, rows, memory, code, surfaces: () => [surface] });
  const look = async (): Promise<void> => {
    checks.pushed();
    await checks.settled();
  };
  const add = async (text: string) => {
    const done = await memory.add(CHANNEL, { text, isAboutRepo: false, expires: null }, ALICE, READERS);
    if (done.kind !== "done") throw new Error(done.kind);
    return done.note;
  };
  const usable = () => memory.inChannel(CHANNEL).filter(({ stale }) => stale === null);
  return { memory, clock, now, told, look, add, usable };
};

it("a note whose code changed is used no more, and its author is told once, with two buttons", async () => {
  const { now, told, look, add, usable } = await world();
  const note = await add("`retryPolicy` is 5.");
  await look();
  expect([usable().length, told.length]).toEqual([1, 0]);
  Object.assign(now, { gone: "retryPolicy", commit: "c2" });
  await look();
  await look();
  expect(usable()).toEqual([]);
  expect(told).toEqual([
    {
      to: { place: "CGENERAL", root: null, person: "UALICE" },
      note: {
        text: "Your note 1 is not used any more, because retryPolicy changed: “`retryPolicy` is 5.”",
        buttons: [
          { action: { feature: "confirm_note" }, label: "Still true", value: note.id },
          { action: { feature: "forget_note" }, label: "Forget", value: note.id },
        ],
      },
    },
  ]);
});

it("a conversation of a program proposes no note, neither for a channel nor for the console", async () => {
  const { memory } = await world();
  const draft = {
    conversation: "c-1",
    turn: 1,
    text: "We deploy.",
    isAboutRepo: false,
    author: ALICE,
  } as const;
  expect((await memory.propose({ ...draft, surface: "gateway" })).kind).toBe("refused");
  expect((await memory.propose({ ...draft, surface: "console" })).kind).toBe("proposed");
});

it("a note of the operator's whose code changed is used no more, and nobody in the channel is told", async () => {
  const { memory, now, told, look, usable } = await world();
  const note = { text: "`retryPolicy` is 5.", isAboutRepo: false, expires: null };
  await memory.add(
    CHANNEL,
    note,
    { id: "console:operator", name: "Console" },
    { isPublic: false, server: null },
  );
  Object.assign(now, { gone: "retryPolicy", commit: "c2" });
  await look();
  expect([usable(), told]).toEqual([[], []]);
});

it("Still true uses it again, until its code changes again", async () => {
  const { memory, now, told, look, add, usable } = await world();
  const note = await add("`retryPolicy` is 5.");
  Object.assign(now, { gone: "retryPolicy", commit: "c2" });
  await look();
  await memory.confirm(memory.note(note.id) ?? note, ALICE);
  expect(usable().length).toBe(1);
  Object.assign(now, { commit: "c3" });
  await look();
  expect([usable().length, told.length]).toEqual([0, 2]);
});

it("a note without code is asked about once after 90 days, and stays in use", async () => {
  const { memory, clock, told, look, add, usable } = await world();
  const note = await add("We deploy on Tuesdays.");
  clock.advance(90 * DAY - 1);
  await look();
  expect(told).toEqual([]);
  clock.advance(1);
  await look();
  await look();
  expect(told.map(({ note: { text } }) => text)).toEqual([
    "Your note 1 is 90 days old: “We deploy on Tuesdays.” Is it still true?",
  ]);
  expect(usable().length).toBe(1);
  await memory.confirm(memory.note(note.id) ?? note, ALICE);
  clock.advance(90 * DAY);
  await look();
  expect(told.length).toBe(2);
});

it("an author is told once the platform is on again", async () => {
  const { now, told, look, add } = await world();
  await add("`retryPolicy` is 5.");
  Object.assign(now, { gone: "retryPolicy", commit: "c2", isOn: false });
  await look();
  expect(told).toEqual([]);
  now.isOn = true;
  await look();
  expect(told.length).toBe(1);
});

it("a note about a repository is read in other channels of its server, and on no other server", async () => {
  const { memory } = await world();
  const note = { text: "Use pnpm.", isAboutRepo: true, expires: null };
  await memory.add(CHANNEL, note, ALICE, { isPublic: true, server: "S1" });
  const usedOn = (server: string): number =>
    memory.usedIn({ ...conversationOf("c-other", { repo: REPO, base: null }), surface: "slack", server })
      .length;
  expect([usedOn("S1"), usedOn("S2")]).toEqual([1, 0]);
});
