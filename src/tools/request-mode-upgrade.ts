/** The core asks a person about a valid call, which never reaches the tool; `run` explains invalid calls (BED-015, row 77). */
import { z } from "zod";
import { inRepository, repositoryField } from "./repository.ts";
import { defineTool, failure, type Tool } from "./tool.ts";

const MAX_REASON = 2000;

const schema = z.object({
  reason: z
    .string()
    .refine((reason) => reason.trim() !== "", { error: "must say why write access is needed" })
    .max(MAX_REASON, { error: `must have at most ${MAX_REASON} characters` })
    .describe(
      "Explanation of why write access is needed: what is to be changed and what for, and what of it a draft cannot do.",
    ),
  repository: repositoryField,
});

export const createUpgradeTool = (): Tool =>
  defineTool({
    name: "request_mode_upgrade",
    description:
      "Ask a person in the conversation to change it from Restricted to Unrestricted mode, where commands may write in the working directory and `patch` works. Only useful in Restricted mode, and only for what a draft cannot do, such as the network, a service or a command in the background: a change that files alone make is rehearsed with `draft` and shown with `propose`. Of several repositories one can be written at a time: for another one ask again. The person sees the reason and approves or denies; the answer is the result of this call. Ask once, when the work needs it, and do not ask again after a denial.",
    origin: "host",
    look: {
      past: "Asked for write access",
      now: "asking for write access",
      fields: [],
      icon: "lock",
      face: "prose",
    },
    judge: null,
    schema,
    tooLarge: `The reason may have ${MAX_REASON} characters.`,
    intent: ({ repository }, folders) => {
      if (folders.length === 0) return { intent: "upgrade" };
      const on = folders.find((folder) => folder === repository);
      return on === undefined ? null : { intent: "upgrade", on };
    },
    run: ({ repository }, call) => {
      const found = inRepository(call, repository);
      return Promise.resolve(failure(found.kind === "trouble" ? found.why : NO_TOOL));
    },
  });

const NO_TOOL = "Only a person can decide this request; no tool carries it out.";
