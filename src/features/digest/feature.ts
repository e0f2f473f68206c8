import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import { tables } from "./tables.ts";

const SEE = "see how questions went";

export const digest = defineFeature({
  name: "digest",
  settings: z.object({}),
  tables: tables,
  open: async (_, core) => {
    const { openDigests } = await import("./open.ts");
    return openDigests(core);
  },
  commands: async (own) => {
    const { digestCommand } = await import("./command.ts");
    return [digestCommand(own)];
  },
  clicks: (own) => ({
    page: async (...pressed) => {
      const { draftPage } = await import("./draft-page.ts");
      return draftPage(own(), ...pressed);
    },
  }),
  requests: (own) => [
    {
      method: "get",
      path: "/api/digest",
      does: "Questions of a week and their outcomes. `week`: any day of the week (default: this week), `channel`: `slack:C…` (all of the host).",
      approvers: SEE,
      answer: async (request) => (await import("./requests.ts")).readDigest(own(), request),
    },
    {
      method: "get",
      path: "/api/digest/csv",
      does: "The same for spreadsheets.",
      approvers: SEE,
      answer: async (request) => (await import("./requests.ts")).downloadDigest(own(), request),
    },
    {
      method: "post",
      path: "/api/digest/draft",
      does: "Starts a conversation that drafts the missing page of a topic: `week`, `topic` (the topic's `key`), optionally `channel`. Returns the conversation's id.",
      approvers: "begin the draft of a page",
      answer: async (request) => (await import("./requests.ts")).requestDraftPage(own(), request),
    },
  ],
  board: { name: "questions", title: "Questions" },
});
