/** Which of the operator's credentials is used for a repository (the first that fits), and what is asked with it. */

import { getCACertificates } from "node:tls";
import type { Repo } from "../../ports/conversation.ts";
import type { Proxies } from "../../ports/outward.ts";
import { isGitLab, type ProjectAccess } from "./api/access.ts";
import { type Address, belowOf, GITHUB } from "../../ports/address.ts";
import type { ApiCredential, Credential, DeployKey } from "./api/credentials.ts";
import { createForgeHttp, type ForgeHttp } from "./api/http.ts";
import type { RemoteAccess } from "./api/remote.ts";
import { sshRemote } from "./ssh-remote.ts";

export interface CredentialChoice {
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
  /** The project on its forge, which may be below a path. */
  readonly address: Address;
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

  return {
    accessWith,
    /** However the repository is written (over https or ssh), it is the same one to the patterns. */
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
      return { project, key, git, address };
    },
  };
};

export const isForApi = (entry: Credential): entry is ApiEntry => entry.access.kind !== "deploy-key";

const usualApi = (access: ApiCredential | null, address: Address): string => {
  const { host } = address;
  if (access?.kind === "gitlab-token") return `https://${host}${belowOf(address)}/api/v4`;
  return host === GITHUB ? "https://api.github.com" : `https://${host}${belowOf(address)}/api/v3`;
};

/** The address without the path that the forge is below, as the entry's own addresses name it. */
const belowBase = (address: Address, entry: Pick<Credential, "api" | "git"> | null): Address => {
  const base = baseOf(entry?.git, "") || baseOf(entry?.api, "/api/v[34]");
  const { owner } = address;
  if (base === "" || !owner.toLowerCase().startsWith(`${base.toLowerCase()}/`)) return address;
  return { ...address, base: owner.slice(0, base.length), owner: owner.slice(base.length + 1) };
};

/** The path of an address, without `end` and without slashes at its ends. */
const baseOf = (address: string | null | undefined, end: string): string =>
  (URL.parse(address ?? "")?.pathname ?? "")
    .replace(new RegExp(`${end}/*$`), "")
    .replaceAll(/^\/+|\/+$/g, "");

/** The wire for each file of authorities: as the usual one, and trusting these beside. */
const createTrusting = (wire: ForgeHttp) => {
  const wires = new Map<string, ForgeHttp>();
  return (ca: string | undefined): ForgeHttp => {
    if (ca === undefined) return wire;
    const known = wires.get(ca) ?? createForgeHttp({ ...wire, fetch: fetchTrusting(ca, wire.proxies) });
    wires.set(ca, known);
    return known;
  };
};

/** Requests of a forge whose certificate is of an authority that no other request trusts, through the proxy of all others. */
const fetchTrusting = (ca: string, proxies: Proxies | null): typeof globalThis.fetch => {
  let agent: Promise<object> | null = null;
  return async (input, init) => {
    agent ??= import("undici").then((undici) => {
      const trusted = { ca: [...getCACertificates("default"), ca] };
      return proxies === null
        ? new undici.Agent({ connect: trusted })
        : new undici.EnvHttpProxyAgent({ ...proxies, connect: trusted, requestTls: trusted });
    });
    // Node's types know the agent of their own undici alone.
    return globalThis.fetch(input, Object.assign({ ...init }, { dispatcher: await agent }));
  };
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
