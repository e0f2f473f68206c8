import { dirname } from "node:path/posix";
import { webRoot } from "../../ports/conversation.ts";
import type { BaseFile } from "../../ports/test-surroundings.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import type { Workspace } from "../checkout/record.ts";
import { bareOf } from "../mirror/generation.ts";

const LINK_MODE = "120000";

/** Reads from the mirror at the conversation's commit, so no draft and no checkout has influence. */
export const readBaseFile = async (
  { generations, layout }: Pick<CheckoutParts, "generations" | "layout">,
  workspace: Workspace,
  path: string,
  mostBytes: number,
): Promise<BaseFile> => {
  const bare = bareOf(layout, workspace);
  const root = await generations.entries(bare, workspace.commit, []);
  const folder = dirname(path);
  if (!root.some((entry) => entry.path === folder && entry.type === "tree")) return { kind: "none" };
  const [found] = await generations.entries(bare, workspace.commit, [path]);
  if (found === undefined) return { kind: "none" };
  if (found.type !== "blob" || found.mode === LINK_MODE)
    return { kind: "unusable", why: `${path} is not a regular file.` };
  if (found.size === null || found.size > mostBytes)
    return { kind: "unusable", why: `${path} is larger than ${mostBytes} bytes.` };
  return { kind: "text", text: await generations.blob(bare, found.id) };
};

export const testedRepo = ({ origin, name }: Workspace): string =>
  origin === null ? name : (webRoot(origin) ?? name);
