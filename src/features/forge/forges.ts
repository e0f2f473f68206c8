/**
 * Projects of the forges that this host can use, each with the first matching credential of PARLEY_FORGES, or
 * anonymously.
 */

import type { ForgeWriter, WritableForges, WritableProject } from "./ports/forge-writer.ts";
import { createLruCache } from "../../text/lru-cache.ts";
import { isGitLab, type ProjectAccess } from "./api/access.ts";
import type { RemoteAccess } from "./api/remote.ts";
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
    const { project, git, connect: client } = chooser.at(address);
    if (project === null || git === null) return null;
    const opened = openWith(project, git);
    if (client === null) return opened;
    const deskOf = (token: string, account: string): ForgeWriter => {
      const { desk } = openWith(accessOfPerson(project, token, account), git);
      if (desk === null) throw new TypeError("a person's access has a credential");
      return desk;
    };
    return { ...opened, people: { forge: client.host, deskOf } };
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

const openWith = (project: ProjectAccess, git: RemoteAccess): WritableProject =>
  isGitLab(project) ? createGitLabProject(project, git) : createGitHubProject(project, git);

const accessOfPerson = (project: ProjectAccess, token: string, account: string): ProjectAccess =>
  isGitLab(project)
    ? { ...project, account, access: { kind: "gitlab-token", token } }
    : { ...project, account, access: { kind: "github-token", token } };

const NO_FORGE =
  "This conversation's repository is a directory on Parley's machine, not a project on a forge: it has no issues, pull requests or checks that could be read.";
