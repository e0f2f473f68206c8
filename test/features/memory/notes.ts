import { systemClock } from "../../../src/app/system-clock.ts";
import type { ChannelNote } from "../../../src/features/memory/note.ts";
import { createNoteChecks } from "../../../src/features/memory/note-checks.ts";
import { createNoteRows } from "../../../src/features/memory/rows.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { StageHost } from "../../threads/stage.ts";

/** A note of alice's in #general. */
export const noteOf = (changes: Partial<ChannelNote> & Pick<ChannelNote, "id" | "at">): ChannelNote => ({
  surface: "slack",
  place: "CGENERAL",
  number: 1,
  repo: null,
  isPublic: true,
  server: null,
  text: "We deploy on Tuesdays.",
  wrote: "slack:UALICE",
  author: { id: "slack:UALICE", name: "alice" },
  approver: null,
  source: null,
  messageLink: null,
  expires: null,
  isPinned: false,
  cited: [],
  looked: null,
  stale: null,
  sure: changes.at,
  asked: null,
  ...changes,
});

/** Checks all notes after a push that removed the cited symbol. */
export const pushWithout = async (
  { opened, chat, ledger, surface }: Pick<StageHost, "opened" | "chat" | "ledger" | "surface">,
  symbol: string,
): Promise<void> => {
  const rows = createNoteRows(opened.rows, silentLog);
  for (const note of rows.all())
    await rows.edit(note, { cited: [{ kind: "symbol", name: symbol }], looked: "c1" }, null);
  const checks = createNoteChecks({
    clock: systemClock,
    log: silentLog,
    randomId: () => "check",
    chat,
    ledger,
    rows,
    memory: { all: rows.all },
    code: { check: () => Promise.resolve({ commit: "c2", gone: symbol }) },
    surfaces: () => [surface],
  });
  checks.pushed();
  await checks.settled();
  await checks.close();
};
