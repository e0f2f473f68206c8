/** Tests each entry of the operator's file with the repositories that use the entry. Writes nothing. */

import type { ForgeResult } from "../../ports/forge.ts";
import type { Repo } from "../../ports/conversation.ts";
import { isGitLab } from "./api/access.ts";
import { type CredentialChoice, createChooser, isForApi } from "./choose.ts";
import { type Address, addressOf, GITHUB, projectName } from "../../ports/address.ts";
import type { Credential } from "./api/credentials.ts";
import { createRemote } from "./api/remote.ts";
import type { CredentialInspection } from "./api/inspection.ts";

export interface Inspector {
  /** Entries in the file's order. `known`: repositories that may be used to test an entry. */
  entries(known: readonly Repo[]): readonly InspectedEntry[];
  /** Whether the forge would accept a push; null if the host has no credential for the repository. */
  mayPush(repo: Repo, signal: AbortSignal): Promise<ForgeResult<unknown> | null>;
}

export interface InspectedEntry {
  /** For example `github-token for acme/*`; never contains a secret. */
  readonly name: string;
  /** Project for the test; null if no known project matches the entry. */
  readonly project: string | null;
  inspect(signal: AbortSignal): Promise<CredentialInspection>;
}

export const createInspector = (choice: CredentialChoice): Inspector => {
  const chooser = createChooser(choice);

  const entryOf = (credential: Credential, known: readonly Address[]): InspectedEntry => {
    const { access } = credential;
    const exact = known.find((address) => {
      const { project, key } = chooser.at(address);
      return project?.access === access || key === access;
    });
    const address = exact ?? standIn(credential);
    return {
      name: `${access.kind} for ${credential.repos.join(", ")}`,
      project: exact === undefined ? null : projectName(exact),
      inspect: async (signal) => {
        if (!isForApi(credential))
          return { kind: "usable", expires: null, lacking: [], untried: exact === undefined ? NO_KEY : null };
        const project = chooser.accessWith(credential, address);
        if (isGitLab(project)) return (await import("./gitlab/inspect.ts")).inspectGitLab(project, signal);
        const { inspectGitHub } = await import("./github/inspect.ts");
        return inspectGitHub(project, { isExact: exact !== undefined, signal });
      },
    };
  };

  return {
    entries: (known) => {
      const addresses = known.flatMap((repo) => addressOf(repo) ?? []);
      return choice.credentials.map((credential) => entryOf(credential, addresses));
    },
    mayPush: async (repo, signal) => {
      const address = addressOf(repo);
      if (address === null) return null;
      const { project, key, git, address: own } = chooser.at(address);
      if (git === null || (key === null && project?.access == null)) return null;
      return createRemote(own, git).branches(signal);
    },
  };
};

const NO_KEY =
  "the entry was not tried, because neither the entry nor PARLEY_REPOS names an individual repository that the credential opens";

/** Address that names the forge of an entry, for an entry without a known repository. */
const standIn = ({ repos: [first = ""] }: Credential): Address => {
  const parts = first.split("/");
  const [host = GITHUB, owner = "", name = ""] = parts.length === 2 ? [GITHUB, ...parts] : parts;
  return { host: host.toLowerCase(), owner, name };
};
