/** The forges that this host talks to, and with what: the first fitting line of PARLEY_FORGES, else without a name. */

import type { WritableForges, WritableProject } from "../ports/desk.ts";
import { accessWith, type Choice, choose, GITHUB, isGitLab } from "./choose.ts";
import { type Address, addressOf, projectName } from "./address.ts";
import { createGitHubProject } from "./github/project.ts";
import { createGitLabProject } from "./gitlab/project.ts";
import { sshRemote } from "./ssh-remote.ts";
import { createForgeHttp } from "./http.ts";

/** Projects whose clients are kept: each is a few kilobytes. */
const MAX_KEPT = 200;

export const createForges = (choice: Choice): WritableForges => {
  const { userAgent, wire = createForgeHttp() } = choice;
  const kept = new Map<string, WritableProject>();

  const open = (address: Address): WritableProject | null => {
    const { api: credential, key } = choose(choice, address);
    if (credential === null && address.host !== GITHUB) return null;
    const access = accessWith({ userAgent, wire }, credential, address);
    const pushed = key === null ? null : sshRemote(address, key, { userAgent, wire });
    return isGitLab(access) ? createGitLabProject(access, pushed) : createGitHubProject(access, pushed);
  };

  return {
    at: (repo) => {
      const address = addressOf(repo);
      if (address === null) return { kind: "none", why: NO_FORGE };
      const key = projectName(address);
      const project = kept.get(key) ?? open(address);
      if (project === null) {
        return {
          kind: "none",
          why: `Parley does not know the forge at ${address.host}. Its operator can add it to the file that PARLEY_FORGES names.`,
        };
      }
      if (!kept.has(key) && kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, project);
      return { kind: "project", project };
    },
  };
};

const NO_FORGE =
  "This conversation's repository is a directory on Parley's machine, not a project on a forge: it has no issues, pull requests or checks that could be read.";
