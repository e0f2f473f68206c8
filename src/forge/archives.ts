/** What forges have of the projects that channels work on, to be kept beside their checkouts (src/ports/knowledge/archive.ts). */

import type { Archives } from "../ports/knowledge/archive.ts";
import { addressOf } from "./address.ts";
import { accessWith, type Choice, choose, GITHUB, isGitLab } from "./choose.ts";
import { createGitHubArchive } from "./github/archive.ts";
import { createGitLabArchive } from "./gitlab/archive.ts";
import { createForgeHttp } from "./http.ts";

export const createArchives = (choice: Choice): Archives => {
  const { userAgent, wire = createForgeHttp() } = choice;
  return {
    of: (repo) => {
      const address = addressOf(repo);
      if (address === null) return null;
      const { api: credential } = choose(choice, address);
      if (credential === null && address.host !== GITHUB) return null;
      const access = accessWith({ userAgent, wire }, credential, address);
      return isGitLab(access) ? createGitLabArchive(access) : createGitHubArchive(access);
    },
  };
};
