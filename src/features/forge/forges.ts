/**
 * Projects of the forges that this host can use, each with the first matching credential of PARLEY_FORGES, or
 * anonymously.
 */

import type { WritableForges, WritableProject } from "./ports/forge-writer.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { isGitLab } from "./api/access.ts";
import { type CredentialChoice, createChooser } from "./choose.ts";
import { type Address, addressOf, projectName } from "../../ports/address.ts";
import { createGitHubProject } from "./github/project.ts";
import { createGitLabProject } from "./gitlab/project.ts";

/** Maximum number of cached clients; each takes a few kilobytes. */
const MAX_KEPT = 200;

export const createForges = (choice: CredentialChoice): WritableForges => {
  const chooser = createChooser(choice);
  const kept = createLruCache<WritableProject>(MAX_KEPT);

  const open = (address: Address): WritableProject | null => {
    const { project, git } = chooser.at(address);
    if (project === null || git === null) return null;
    return isGitLab(project) ? createGitLabProject(project, git) : createGitHubProject(project, git);
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
      kept.set(key, project);
      return { kind: "project", project };
    },
  };
};

const NO_FORGE =
  "This conversation's repository is a directory on Parley's machine, not a project on a forge: it has no issues, pull requests or checks that could be read.";
