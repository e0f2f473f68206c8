/** What forges have of the projects that channels work on, to be kept beside their checkouts (src/ports/forge-archive.ts). */

import type { Archives } from "../../ports/forge-archive.ts";
import { isGitLab } from "./api/access.ts";
import { addressOf } from "../../ports/address.ts";
import { type CredentialChoice, createChooser } from "./choose.ts";
import { createGitHubArchive } from "./github/archive.ts";
import { createGitLabArchive } from "./gitlab/archive.ts";

export const createArchives = (choice: CredentialChoice): Archives => {
  const chooser = createChooser(choice);
  return {
    of: (repo) => {
      const address = addressOf(repo);
      const project = address === null ? null : chooser.at(address).project;
      if (project === null) return null;
      return isGitLab(project) ? createGitLabArchive(project) : createGitHubArchive(project);
    },
  };
};
