import { OWNER_FILES, type Project } from "../ports/project.ts";
import type { ForgeQuery } from "./ask.ts";

/** `textAt`: text of a file; null if the file does not exist. */
export const createReadOwners =
  <C>(
    ask: ForgeQuery<C>,
    textAt: (client: C, ref: string, path: string) => Promise<string | null>,
  ): Project["ownersFile"] =>
  (ref, signal) =>
    ask(`CODEOWNERS at ${ref.slice(0, 80)}`, signal, async (client) => {
      for (const path of OWNER_FILES) {
        const text = await textAt(client, ref, path);
        if (text !== null) return text;
      }
      return null;
    });
