/** Watches: start threads in channels for schedules, signed webhooks, posts of apps, and events of forges. */

import { z } from "zod";
import { defineFeature } from "../../feature.ts";
import { onOff } from "../../settings/kinds.ts";
import { secret } from "../../settings/secrets.ts";
import { tables } from "./tables.ts";

export const watches = defineFeature({
  name: "watches",
  settings: z.object({
    PARLEY_HOOK_SECRET: secret.min(16, "must have at least 16 characters").optional(),
    PARLEY_WATCH_PEOPLE: onOff.default(true),
  }),
  tables: tables,
  open: async ({ PARLEY_HOOK_SECRET: master, PARLEY_WATCH_PEOPLE: people }, core) => {
    const { openWatches } = await import("./open.ts");
    return openWatches(core, master, people);
  },
  commands: async (own) => {
    const { watchCommands } = await import("./commands.ts");
    const { ignoreCommand } = await import("./people/ignore.ts");
    return [...watchCommands(() => own().book), ignoreCommand(own)];
  },
  clicks: (own) => ({
    file_issue: async (...pressed) => (await import("./look-clicks.ts")).fileIssueClick(...pressed),
    not_useful: async (...pressed) => (await import("./look-clicks.ts")).notUsefulClick(own)(...pressed),
    look_help: async (...pressed) => (await import("./look-clicks.ts")).lookHelpClick(own)(...pressed),
    look: async (...pressed) => {
      const { startInvestigation } = await import("./start-investigation.ts");
      return startInvestigation(...pressed);
    },
  }),
  requests: (own) => [
    {
      method: "get",
      path: "/api/watches",
      does: "Every watch of every channel, with waiting events and today's spending.",
      approvers: null,
      answer: async () => (await import("./requests.ts")).listWatches(own()),
    },
    {
      method: "post",
      path: "/api/watches",
      does: "Creates a watch: `surface`, `place`, and one of `every` (as `/parley every`), `hook`, `posts`, `people` (options as `/parley watch people`), `emoji` or `forge`; `name`, `mode`, `instructions`.",
      approvers: "switch on watches",
      answer: async (request) => (await import("./requests.ts")).addWatch(own(), request),
    },
    {
      method: "patch",
      path: "/api/watches/:id",
      does: "Changes a watch: `standing` (`on` or `paused`), `perHour`, `budgetUsd` a day.",
      approvers: "change watches",
      answer: async (request, part) =>
        (await import("./requests.ts")).changeWatch(own(), request, part("id")),
    },
    {
      method: "delete",
      path: "/api/watches/:id",
      does: "Removes a watch; waiting events are dropped.",
      approvers: "remove watches",
      answer: async (_, part) => (await import("./requests.ts")).removeWatch(own(), part("id")),
    },
    {
      method: "get",
      path: "/api/watches/:id/looks",
      does: "The latest decisions about posts of people, with cost and reason, and the examples of the watch.",
      approvers: null,
      answer: async (_, part) => (await import("./look-requests.ts")).listLooks(own(), part("id")),
    },
    {
      method: "post",
      path: "/api/watches/:id/corrections",
      does: "Corrects a decision: `place`, `post`, `correct` (`nothing`, `duplicate` or `look`). The post becomes an example.",
      approvers: "correct decisions of watches",
      answer: async (request, part) =>
        (await import("./look-requests.ts")).correctLook(own(), part("id"), request),
    },
    {
      method: "delete",
      path: "/api/watches/:id/corrections/:correction",
      does: "Removes an example.",
      approvers: "correct decisions of watches",
      answer: async (_, part) =>
        (await import("./look-requests.ts")).uncorrectLook(own(), part("id"), part("correction")),
    },
  ],
  board: { name: "watches", title: "Watches" },
  findings: async function* ({ PARLEY_HOOK_SECRET: master }, doctor) {
    const { hookFindings } = await import("./findings.ts");
    yield* hookFindings(master, doctor);
  },
  hearsPushes: ({ PARLEY_HOOK_SECRET: master }) => master !== undefined,
  programs: [
    {
      name: "hook",
      options: "NAME",
      does: "print the address and the secret of a webhook, for the sender",
      accepts: ([name, ...more]) => more.length === 0 && /^[a-z0-9][a-z0-9-]{1,39}$/i.test(name ?? ""),
      run: async ([name = ""], { PARLEY_HOOK_SECRET: master }) => {
        const { hookText } = await import("./program.ts");
        return hookText(name.toLowerCase(), master);
      },
    },
  ],
});
