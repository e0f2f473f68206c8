/** Which of the operator's credentials is used for a repository (the first that fits), and what is asked with it. */

import type { Repo } from "../ports/conversation.ts";
import { isGitLab, type ProjectAccess } from "./access.ts";
import { type Address, GITHUB } from "./address.ts";
import type { ApiCredential, Credential, DeployKey } from "./credentials.ts";
import { createForgeHttp, type ForgeHttp } from "./http.ts";
import type { RemoteAccess } from "./remote.ts";
import { sshRemote } from "./ssh-remote.ts";

export interface Choice {
  readonly credentials: readonly Credential[];
  /** Whether a repository fits one of the patterns. */
  readonly fits: (patterns: readonly string[], repo: Repo) => boolean;
  /** For the forge's own logs: names of the software that asks. */
  readonly userAgent: string;
  /** Unset: this process's own, at the pace that forges ask for. */
  readonly wire?: ForgeHttp;
}

interface Chosen {
  /** For the forge's API; null where it has none that this host could ask. */
  readonly project: ProjectAccess | null;
  /** For git, before any token. */
  readonly key: DeployKey | null;
  /** Its git remote: with the key, else as the project. */
  readonly git: RemoteAccess | null;
}

interface ApiEntry extends Credential {
  readonly access: ApiCredential;
}

export const createChooser = ({ credentials, fits, userAgent, wire = createForgeHttp() }: Choice) => {
  const accessWith = (credential: ApiEntry | null, address: Address): ProjectAccess => {
    const access = credential?.access ?? null;
    const common = {
      address,
      api: credential?.api ?? usualApi(access, address),
      root: (credential?.git ?? `https://${address.host}`).replace(/\/+$/, ""),
      userAgent,
      wire,
    };
    return access?.kind === "gitlab-token" ? { ...common, access } : { ...common, access };
  };

  return {
    accessWith,
    /** However the repository is written (over https or ssh), it is the same one to the patterns. */
    at: (address: Address): Chosen => {
      const { host, owner, name } = address;
      const repo: Repo = { kind: "url", location: `https://${host}/${owner}/${name}.git` };
      const fitting = credentials.filter(({ repos }) => fits(repos, repo));
      const credential = fitting.find(isForApi) ?? null;
      const project = credential === null && host !== GITHUB ? null : accessWith(credential, address);
      const key = fitting.map(({ access }) => access).find((access) => access.kind === "deploy-key") ?? null;
      const shown = project === null ? null : remoteOf(project);
      return { project, key, git: key === null ? shown : sshRemote(address, key, { userAgent, wire }) };
    },
  };
};

export const isForApi = (entry: Credential): entry is ApiEntry => entry.access.kind !== "deploy-key";

const usualApi = (access: ApiCredential | null, { host }: Address): string => {
  if (access?.kind === "gitlab-token") return `https://${host}/api/v4`;
  return host === GITHUB ? "https://api.github.com" : `https://${host}/api/v3`;
};

/** GitLab's name for whoever comes with a token. */
const USER = "oauth2";

/** What its git remote is to be shown: made when it is first needed. */
const remoteOf = (access: ProjectAccess): RemoteAccess => {
  const { root, userAgent, wire } = access;
  if (isGitLab(access)) {
    const shown = { user: USER, password: access.access.token };
    return { root, userAgent, wire, credential: () => Promise.resolve(shown), right: "write_repository" };
  }
  let opened: RemoteAccess["credential"] | null = null;
  const credential = async () => {
    // The library of the client is loaded when it is needed.
    opened ??= (await import("./github/client.ts")).createCredential(access);
    return opened();
  };
  return { root, userAgent, wire, credential, right: "contents=write" };
};
