/** The opening of the first user message: where the agent works and what holds it (D16). */

import type { Base, Conversation } from "./ports.ts";

export const preface = (conversation: Conversation, base: Base): string =>
  [
    "[Parley] This conversation works on a checkout of its own.",
    `Repository: ${conversation.repo.location}`,
    `Commit: ${base.commit} (${base.ref})`,
    `Working directory: ${base.cwd}`,
  ].join("\n");
