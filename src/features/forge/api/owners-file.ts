import { OWNER_FILES, type OwnersFile, type Project } from "../ports/project.ts";
import type { ForgeQuery } from "./ask.ts";

/** `fileAt`: null if the file does not exist. */
export const createReadOwners =
  <C>(
    ask: ForgeQuery<C>,
    fileAt: (client: C, ref: string, path: string) => Promise<OwnersFile | null>,
  ): Project["ownersFile"] =>
  (ref, signal) =>
    ask(`CODEOWNERS at ${ref.slice(0, 80)}`, signal, async (client) => {
      for (const path of OWNER_FILES) {
        const file = await fileAt(client, ref, path);
        if (file !== null) return file;
      }
      return { kind: "none" };
    });

/** `text`: null if the content is no text, or is left out for its size. */
export const ownersFileOf = (text: string | null): OwnersFile =>
  text === null ? { kind: "unreadable" } : { kind: "text", text };
