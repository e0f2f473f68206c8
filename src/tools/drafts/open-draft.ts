/** `draft`: opens the copy in which a conversation prepares a change (D42). Works under every permission and changes none. */
import * as z from "zod";
import type { Probe } from "../../../sandbox/types.ts";
import type { Drafts } from "../../ports/drafts.ts";
import { inRepository, repositoryField } from "../repository.ts";
import { defineTool, failure, success, type Tool, valueOf } from "../tool.ts";

const DESCRIPTION = [
  'Open a draft: a disposable copy of the working directory that you may change without asking anybody, in Restricted mode too. Use it for every change that needs no network. bash, patch, keyword_search, read_image and attach_file work in it with `where: "draft"`; without that, and for all other tools, everything is as before. Called again it answers that it is open, with everything as you left it.',
  "Change the files, run the tests there, then call propose: people are shown the very result and make it real with one click, or say what to change. Commit in the draft with git only where the change has several steps that people may take one by one.",
].join("\n");

export const createDraftTool = (
  drafts: Pick<Drafts, "open">,
  probe: Pick<Probe, "restricted" | "refusal">,
): Tool =>
  defineTool({
    name: "draft",
    description: DESCRIPTION,
    origin: "host",
    look: { past: "Opened a draft", now: "opening a draft", fields: [], icon: "branch", face: "code" },
    judge: null,
    schema: z.object({ repository: repositoryField }),
    tooLarge: "A name is short.",
    run: async ({ repository }, call) => {
      if (!probe.restricted)
        return failure(`No draft can be opened here: ${probe.refusal ?? "the kernel cannot hold it"}`);
      const aimed = valueOf(inRepository(call, repository));
      const opened = await drafts.open(aimed.conversation.id, call.signal);
      if (opened.kind === "failed") return failure(opened.message);
      const { again, files } = opened;
      return success(
        again ? AGAIN : `The draft is open: a copy of the working directory, ${files} files. ${HOW}`,
      );
    },
  });

const HOW = 'bash and patch write it with where: "draft". Call propose when the change is finished.';
const AGAIN = `The draft is open already, as you left it. ${HOW}`;
