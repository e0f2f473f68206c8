/** The forges that this host talks to, and with what: the first fitting line of PARLEY_FORGES, else without a name. */

import type { WritableForges, WritableProject } from "./ports/desk.ts";
import { createLruCache } from "../../text/remembered.ts";
import { isGitLab } from "./api/access.ts";
import { type CredentialChoice, createChooser } from "./choose.ts";
import { type Address, addressOf, projectName } from "../../ports/address.ts";
import { createGitHubProject } from "./github/project.ts";
import { createGitLabProject } from "./gitlab/project.ts";

/** Projects whose clients are kept: each is a few kilobytes. */
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
