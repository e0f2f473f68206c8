import type { ChannelNote } from "../../../src/features/memory/note.ts";

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
