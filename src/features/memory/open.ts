import type { Core } from "../../feature.ts";
import type { Millis } from "../../machine/id.ts";
import type { Attendant } from "../../ports/attendant.ts";
import type { ChannelNotes } from "../../ports/notes.ts";
import { createCitedCode } from "./cited-code.ts";
import { createChannelMemory, type ChannelMemory } from "./memory.ts";
import { type ChannelNote, chosenNotes } from "./note.ts";
import { createNoteTool } from "./propose-note.ts";
import { createNoteRows } from "./rows.ts";
import { createShowDecision, type ShowDecision } from "./show-decision.ts";
import { createNoteChecks } from "./note-checks.ts";

export interface MemoryContext extends Pick<Core, "chat" | "operator"> {
  readonly memory: ChannelMemory;
  readonly show: ShowDecision;
}

export const openMemory = (core: Core) => {
  const ending = new AbortController();
  const rows = createNoteRows(core.rows, core.log);
  const code = createCitedCode(core, ending.signal);
  const memory = createChannelMemory({ ...core, rows, code });
  const checks = createNoteChecks({ ...core, rows, memory, code });
  const own: MemoryContext = {
    memory,
    show: createShowDecision(core),
    chat: core.chat,
    operator: core.operator,
  };
  return {
    own,
    memory: forModel(memory, core.clock.now),
    tools: [createNoteTool(memory, core.store)],
    attend: (): Attendant => ({
      held: (proposal) => memory.proposal(proposal)?.text ?? null,
      heard: () => undefined,
      start: () => undefined,
      close: () => Promise.resolve(),
    }),
    pushed: checks.pushed,
    start: checks.start,
    leave: async () => {
      ending.abort();
      await checks.close();
    },
  };
};

const forModel = (memory: ChannelMemory, now: () => Millis): ChannelNotes => ({
  usedIn: (conversation) => memory.usedIn(conversation).map((note) => ({ id: note.id, line: lineOf(note) })),
  inChannel: (at) => chosenNotes(memory.inChannel(at), now()).map(lineOf),
  lines: (ids) => ids.flatMap((id) => memory.note(id) ?? []).map(lineOf),
});

/** The date instead of the age, so that the line never changes. */
const lineOf = ({ number, text, author, at, repo }: ChannelNote): string => {
  const day = new Date(at).toISOString().slice(0, 10);
  const about = repo === null ? "" : ", about the repository";
  return `${number}. ${text} (${author.name ?? author.id}, ${day}${about})`;
};
