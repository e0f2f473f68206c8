import type { ForgeResult } from "../ports/forge.ts";
import { foldersOf, workspaceOf } from "../ports/conversation.ts";
import type { ToolRun } from "../ports/tools.ts";
import { textField } from "./tool.ts";

export const repositoryField = textField
  .max(100)
  .optional()
  .describe("Folder of the repository; needed only if this conversation has several.");

/** Narrows the call to the workspace, address and commit of the named repository. */
export const inRepository = <T extends Pick<ToolRun, "conversation" | "base">>(
  call: T,
  named: string | undefined,
): ForgeResult<T> => {
  const { conversation, base } = call;
  const folders = foldersOf({ ...conversation, base });
  if (folders.length === 0) return { kind: "found", value: call };
  const folder = folders.find(({ name }) => name === named);
  if (folder === undefined)
    return {
      kind: "trouble",
      why: unnamed(
        folders.map(({ name }) => name),
        named,
      ),
    };
  const { repo, commit, ref, index } = folder;
  const at = { commit, ref, cwd: base.cwd };
  const id = workspaceOf(conversation.id, index);
  return {
    kind: "found",
    value: { ...call, conversation: { ...conversation, id, repo, base: at }, base: at },
  };
};

const unnamed = (names: readonly string[], named: string | undefined): string =>
  `${named === undefined ? "This conversation has several repositories" : `There is no repository ${named} here`}: name one of ${names.join(", ")} as \`repository\`.`;
