/** Files of setup in the data directory that are no settings, such as a refresh token that can be used once. */

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SetupContext } from "../../../ports/platform-setup.ts";
import { prepareDataDirectory } from "../../settings/data-directory.ts";
import { writePrivateFile } from "./private-file.ts";

export const createKeptFiles = (directory: string): Pick<SetupContext, "keep" | "kept"> => ({
  keep: (name, text) => {
    try {
      const path = join(directory, name);
      if (text === null) rmSync(path, { force: true });
      else {
        if (prepareDataDirectory(directory).kind === "invalid") return Promise.resolve(false);
        writePrivateFile(path, text);
      }
      return Promise.resolve(true);
    } catch {
      return Promise.resolve(false);
    }
  },
  kept: (name) => {
    const path = join(directory, name);
    return existsSync(path) ? readFileSync(path, "utf8") : null;
  },
});
