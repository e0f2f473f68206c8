import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import type { MemoryContext } from "./open.ts";
import { tables } from "./tables.ts";

const MANAGE = "change notes";

export const memory = defineFeature({
  name: "memory",
  settings: z.object({}),
  tables: tables,
  open: async (_, core) => {
    const { openMemory } = await import("./open.ts");
    return openMemory(core);
  },
  commands: async (own: () => MemoryContext) => {
    const { memoryCommand } = await import("./command.ts");
    return [memoryCommand(own)];
  },
  clicks: (own) => ({
    remember: async (...pressed) => (await import("./clicks.ts")).remember(own())(...pressed),
    remember_edited: async (...pressed) => (await import("./clicks.ts")).rememberEdited(own())(...pressed),
    refuse_note: async (...pressed) => (await import("./clicks.ts")).refuseNote(own())(...pressed),
    confirm_note: async (...pressed) => (await import("./clicks.ts")).confirmNote(own())(...pressed),
    forget_note: async (...pressed) => (await import("./clicks.ts")).forgetNote(own())(...pressed),
  }),
  requests: (own) => [
    {
      method: "get",
      path: "/api/memory",
      does: "Notes of all channels, with what changed in them, and the notes that wait for a decision.",
      approvers: null,
      answer: async () => (await import("./requests.ts")).readNotes(own()),
    },
    {
      method: "post",
      path: "/api/memory",
      does: "Changes notes: `action` is `add` (with `channel` such as `slack:C…`, `text`, `isAboutRepo`), `edit` (`id`, `text`), `remove`, `pin`, `unpin` or `confirm` (`id`), `remember` (`proposal`, optionally `text`) or `refuse` (`proposal`).",
      approvers: MANAGE,
      answer: async (request) => (await import("./requests.ts")).changeNotes(own(), request),
    },
  ],
  board: { name: "memory", title: "Memory" },
});
