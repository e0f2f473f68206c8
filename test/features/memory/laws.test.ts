/**
 * Laws of a channel's memory over random events on the real store: agents that propose whatever they read, people who click,
 * write and are erased, and weeks that pass. MEMORY_EVENTS: how many (with `--testTimeout=0`).
 */

import { expect, it } from "vitest";
import { createChannelMemory } from "../../../src/features/memory/memory.ts";
import {
  MAX_NOTES,
  noteFingerprint,
  pausedUntil,
  REFUSALS_WITHIN,
} from "../../../src/features/memory/note.ts";
import { createNoteRows } from "../../../src/features/memory/rows.ts";
import { tables } from "../../../src/features/memory/tables.ts";
import type { ConversationId, PersonId } from "../../../src/machine/id.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createChance } from "../../crash/adversary/chance.ts";
import { createManualClock } from "../../runtime/world.ts";
import { testSeed } from "../../seed.ts";
import { openGrouped } from "../../store/kit.ts";

const READERS = { isPublic: true, server: null, messageLink: null };
const EVENTS = Number(process.env["MEMORY_EVENTS"] ?? "4000");
const A_WORLD = 400;
const DAY = 86_400_000;
const PEOPLE = ["slack:UALICE", "slack:UBOB", "slack:UCAROL"] as const satisfies readonly PersonId[];
const PLACES = ["C1", "C2"] as const;

/** The person's name is in every text of theirs, so that what is left of it can be found. */
const textOf = (by: string, no: number): string => `${by} says ${no}`;

const play = async (seed: number): Promise<number> => {
  const chance = createChance(seed);
  const opened = openGrouped();
  const clock = createManualClock();
  const rows = createNoteRows(opened.rows, silentLog);
  let ids = 0;
  const memory = createChannelMemory({
    rows,
    clock,
    randomId: () => `id${(ids += 1)}`,
    chat: opened.chat,
    ledger: {
      thread: (conversation) => {
        const place = conversation.endsWith("1") ? "C1" : "C2";
        return { conversation, surface: "slack", place, root: "1", delivered: 0 };
      },
    },
    repo: null,
    code: {
      find: () => Promise.resolve({ cited: [], commit: null }),
      check: () => Promise.resolve(null),
    },
  });
  /** Texts that a person approved or wrote, by channel. */
  const approved = new Set<string>();
  const numbers = new Map<string, Set<number>>();
  const refused: { readonly place: string; readonly fingerprint: string; readonly at: number }[] = [];
  const erased = new Set<string>();
  let events = 0;

  const all = () => PLACES.flatMap((place) => memory.inChannel({ surface: "slack", place }));
  const someone = (): PersonId => chance.of(PEOPLE);
  const check = (): void => {
    for (const place of PLACES) {
      const notes = memory.inChannel({ surface: "slack", place });
      expect(notes.length).toBeLessThanOrEqual(MAX_NOTES);
      for (const { text, number } of notes) {
        expect(approved).toContain(`${place} ${text}`);
        numbers.set(place, (numbers.get(place) ?? new Set()).add(number));
      }
      expect(new Set(notes.map(({ number }) => number)).size).toBe(notes.length);
    }
  };

  const deeds: readonly (() => Promise<void>)[] = [
    // The agent, from whatever it read: nothing exists by that alone.
    async () => {
      const place = chance.of(PLACES);
      const conversation: ConversationId = `c-${place.slice(1)}`;
      const by = someone();
      const text = textOf(by, chance.below(12));
      const before = all();
      const result = await memory.propose({
        conversation,
        surface: "slack",
        turn: chance.below(1_000_000),
        text,
        isAboutRepo: false,
        author: { id: by, name: null },
      });
      expect(all()).toEqual(before);
      if (result.kind !== "proposed") return;
      const fingerprint = noteFingerprint(text);
      const own = refused.filter((one) => one.place === place);
      expect(own.some((one) => one.fingerprint === fingerprint && !erased.has(by))).toBe(false);
      expect(
        pausedUntil(rows.refusals({ surface: "slack", place }, clock.now() - REFUSALS_WITHIN), clock.now()),
      ).toBeNull();
    },
    // Somebody clicks, perhaps twice.
    async () => {
      const proposal = memory.proposals().at(chance.below(3));
      if (proposal?.text == null) return;
      const by = someone();
      const edited = chance.once(3) ? textOf(by, 100 + chance.below(9)) : null;
      approved.add(`${proposal.place} ${edited ?? proposal.text}`);
      const first = await memory.remember(proposal.id, edited, { id: by, name: null }, READERS);
      const count = all().length;
      if (first?.kind === "done")
        expect(await memory.remember(proposal.id, edited, { id: someone(), name: null }, READERS)).toBeNull();
      expect(all().length).toBe(count);
    },
    async () => {
      const proposal = memory.proposals().at(chance.below(3));
      if (proposal?.text == null) return;
      expect((await memory.refuse(proposal.id))?.kind).toBe("done");
      refused.push({ place: proposal.place, fingerprint: proposal.fingerprint, at: clock.now() });
      expect(await memory.refuse(proposal.id)).toBeNull();
    },
    async () => {
      const [place, by] = [chance.of(PLACES), someone()];
      const text = textOf(by, 200 + chance.below(60));
      approved.add(`${place} ${text}`);
      const note = { text, isAboutRepo: false, expires: null };
      await memory.add({ surface: "slack", place }, note, { id: by, name: null }, READERS);
    },
    async () => {
      const note = all().at(chance.below(all().length + 1));
      if (note === undefined) return;
      const by = someone();
      if (chance.once(2)) {
        await memory.remove(note, { id: by, name: null });
        expect(memory.numbered(note, note.number)).toBeNull();
        return;
      }
      const text = textOf(by, 300 + chance.below(60));
      approved.add(`${note.place} ${text}`);
      await memory.edit(note, text, { id: by, name: null });
    },
    async () => {
      clock.advance(chance.below(3) * DAY);
    },
    // A person is erased: no word of theirs is left.
    async () => {
      if (!chance.once(8)) return;
      const by = someone();
      for (const { erase } of tables)
        if (erase.person.kind === "person")
          for (const sql of erase.person.sql) opened.db.prepare(sql).run({ person: by });
      erased.add(by);
      for (const { text } of all()) expect(text.startsWith(by)).toBe(false);
      for (const place of PLACES)
        for (const { before, person } of memory.changes({ surface: "slack", place })) {
          expect(before?.startsWith(by) ?? false).toBe(false);
          expect(person?.id).not.toBe(by);
        }
      expect(memory.proposals().some(({ author }) => author.id === by)).toBe(false);
    },
  ];
  for (; events < A_WORLD; events += 1) {
    await deeds[chance.below(deeds.length)]?.();
    if (events % 8 === 7) check();
  }
  return events;
};

it("notes exist by people's deeds alone, once, within bounds, and go with their people", async () => {
  const first = testSeed();
  let events = 0;
  for (let index = 0; events < EVENTS; index += 1) events += await play(first + index);
  expect(events).toBeGreaterThanOrEqual(EVENTS);
});
