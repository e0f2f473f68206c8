/** Chooses the operator's credential for a repository (the first that fits), and the access to its forge. */

import { getCACertificates } from "node:tls";
import type { Repo } from "../../ports/conversation.ts";
import type { Proxies } from "../../ports/outward.ts";
import { isGitLab, type ProjectAccess } from "./api/access.ts";
import { type Address, belowOf, GITHUB } from "../../ports/address.ts";
import type { ApiCredential, Credential, DeployKey } from "./api/credentials.ts";
import { createForgeHttp, type ForgeHttp } from "./api/http.ts";
import { type ConnectClient, connectClientOf } from "./people/client.ts";
import type { RemoteAccess } from "./api/remote.ts";
import { sshRemote } from "./ssh-remote.ts";

export interface CredentialChoice {
  readonly credentials: readonly Credential[];
  /** Whether a repository matches one of the patterns. */
  readonly fits: (patterns: readonly string[], repo: Repo) => boolean;
  /** Name of the software, for the forge's logs. */
  readonly userAgent: string;
  /** Absent for a wire of this process, which follows the rate limits of forges. */
  readonly wire?: ForgeHttp;
}

interface Chosen {
  /** Access to the forge's API; null if this host has none. */
  readonly project: ProjectAccess | null;
  /** Deploy key for git, which takes precedence over a token. */
  readonly key: DeployKey | null;
  /** Access to the git remote: with the deploy key if there is a key, otherwise with the credential for the API. */
  readonly git: RemoteAccess | null;
  /** The project on its forge, which may be below a path. */
  readonly address: Address;
  /** The app with which people connect their accounts of this forge; null if nobody can. */
  readonly connect: ConnectClient | null;
}

interface ApiEntry extends Credential {
  readonly access: ApiCredential;
}

export const createChooser = ({
  credentials,
  fits,
  userAgent,
  wire = createForgeHttp(),
}: CredentialChoice) => {
  const trusting = createTrusting(wire);
  const accessWith = (credential: ApiEntry | null, full: Address): ProjectAccess => {
    const access = credential?.access ?? null;
    const address = belowBase(full, credential);
    const common = {
      address,
      api: credential?.api ?? usualApi(access, address),
      root: (credential?.git ?? `https://${address.host}${belowOf(address)}`).replace(/\/+$/, ""),
      userAgent,
      wire: trusting(credential?.ca),
    };
    return access?.kind === "gitlab-token" ? { ...common, access } : { ...common, access };
  };

  const clientOf = (entry: ApiEntry): ConnectClient | null =>
    connectClientOf(entry, { userAgent, wire: trusting(entry.ca) });

  return {
    accessWith,
    /** The https form and the ssh form of a repository match the same patterns. */
    at: (full: Address): Chosen => {
      const { host, owner, name } = full;
      const repo: Repo = { kind: "url", location: `https://${host}/${owner}/${name}.git` };
      const fitting = credentials.filter(({ repos }) => fits(repos, repo));
      const credential = fitting.find(isForApi) ?? null;
      const project = credential === null && host !== GITHUB ? null : accessWith(credential, full);
      const address = project?.address ?? full;
      const key = fitting.map(({ access }) => access).find((access) => access.kind === "deploy-key") ?? null;
      const shown = project === null ? null : remoteOf(project);
      const git = key === null ? shown : sshRemote(address, key, { userAgent, wire });
      return { project, key, git, address, connect: credential === null ? null : clientOf(credential) };
    },
    /** The forges to which people can connect, without repetition. */
    connectable: (): readonly ConnectClient[] => {
      const all = credentials.filter(isForApi).flatMap((entry) => clientOf(entry) ?? []);
      return all.filter((one, index) => all.findIndex(({ host }) => host === one.host) === index);
    },
  };
};

export const isForApi = (entry: Credential): entry is ApiEntry => entry.access.kind !== "deploy-key";

const usualApi = (access: ApiCredential | null, address: Address): string => {
  const { host } = address;
  if (access?.kind === "gitlab-token") return `https://${host}${belowOf(address)}/api/v4`;
  return host === GITHUB ? "https://api.github.com" : `https://${host}${belowOf(address)}/api/v3`;
};

/** The address without the path below which the forge is served, as named in the entry's `git` or `api`. */
const belowBase = (address: Address, entry: Pick<Credential, "api" | "git"> | null): Address => {
  const base = baseOf(entry?.git, "") || baseOf(entry?.api, "/api/v[34]");
  const { owner } = address;
  if (base === "" || !owner.toLowerCase().startsWith(`${base.toLowerCase()}/`)) return address;
  return { ...address, base: owner.slice(0, base.length), owner: owner.slice(base.length + 1) };
};

/** Path of a URL, without `end` and without slashes at both ends. */
const baseOf = (address: string | null | undefined, end: string): string =>
  (URL.parse(address ?? "")?.pathname ?? "")
    .replace(new RegExp(`${end}/*$`), "")
    .replaceAll(/^\/+|\/+$/g, "");

/** Returns a wire that trusts additional certificate authorities. The same set of authorities gets the same wire. */
const createTrusting = (wire: ForgeHttp) => {
  const wires = new Map<string, ForgeHttp>();
  return (ca: string | undefined): ForgeHttp => {
    if (ca === undefined) return wire;
    const known = wires.get(ca) ?? createForgeHttp({ ...wire, fetch: fetchTrusting(ca, wire.proxies) });
    wires.set(ca, known);
    return known;
  };
};

/** A fetch for one forge that trusts an additional certificate authority. The proxy is the same as for all other fetches. */
const fetchTrusting = (ca: string, proxies: Proxies | null): typeof globalThis.fetch => {
  let agent: Promise<object> | null = null;
  return async (input, init) => {
    agent ??= import("undici").then((undici) => {
      const trusted = { ca: [...getCACertificates("default"), ca] };
      return proxies === null
        ? new undici.Agent({ connect: trusted })
        : new undici.EnvHttpProxyAgent({ ...proxies, connect: trusted, requestTls: trusted });
    });
    // Node's types accept only the agent of the undici that is built into Node.
    return globalThis.fetch(input, Object.assign({ ...init }, { dispatcher: await agent }));
  };
};

/** GitLab's user name for a client with a token. */
const USER = "oauth2";

/** Access to a project's git remote; the credential is created when it is first needed. */
const remoteOf = (access: ProjectAccess): RemoteAccess => {
  const { root, userAgent, wire } = access;
  if (isGitLab(access)) {
    const shown = { user: USER, password: access.access.token };
    return { root, userAgent, wire, credential: () => Promise.resolve(shown), right: "write_repository" };
  }
  let opened: RemoteAccess["credential"] | null = null;
  const credential = async () => {
    // Loads the client's library only when it is needed.
    opened ??= (await import("./github/client.ts")).createCredential(access);
    return opened();
  };
  return { root, userAgent, wire, credential, right: "contents=write" };
};
