/** Finds the project of a call: the conversation's own, which no argument can change. */

import type { ProjectLookup, Project } from "../ports/project.ts";
import type { Repo } from "../../../ports/conversation.ts";
import type { ToolRun } from "../../../ports/tools.ts";
import { inRepository } from "../../../tools/repository.ts";
import { Unable, valueOf } from "../../../tools/tool.ts";

/** `folder`: folder of the intended repository, if the conversation has several repositories. */
export const projectOf = <C extends Pick<ToolRun, "conversation" | "base">, P extends Project>(
  forges: { at(repo: Repo): ProjectLookup<P> },
  call: C,
  folder: string | undefined,
): { readonly aimed: C; readonly project: P } => {
  const aimed = valueOf(inRepository(call, folder));
  const located = forges.at(aimed.conversation.repo);
  if (located.kind === "none") throw new Unable(located.why);
  return { aimed, project: located.project };
};
