/** The forges that this host talks to, and with what: the first fitting line of PARLEY_FORGES, else without a name. */

import type { Repo } from "../runtime/ports.ts";
import type { WritableForges, WritableProject } from "../runtime/ports-desk.ts";
import { type Address, addressOf, projectName } from "./address.ts";
import type { Credential } from "./credentials.ts";
import { createGitHubProject } from "./github/project.ts";
import { createWire, type Wire } from "./wire.ts";

export interface ForgesDeps {
  readonly credentials: readonly Credential[];
  /** Whether a repository fits one of the patterns. */
  readonly fits: (patterns: readonly string[], repo: Repo) => boolean;
  /** For the forge's own logs: names of the software that asks. */
  readonly userAgent: string;
  /** Unset: this process's own, at the pace that forges ask for. */
  readonly wire?: Wire;
}

const GITHUB = "github.com";
/** Projects whose clients are kept: each is a few kilobytes. */
const MAX_KEPT = 200;

export const createForges = ({
  credentials,
  fits,
  userAgent,
  wire = createWire(),
}: ForgesDeps): WritableForges => {
  const kept = new Map<string, WritableProject>();

  const open = (repo: Repo, address: Address): WritableProject | null => {
    const credential = credentials.find(({ repos }) => fits(repos, repo)) ?? null;
    if (credential === null && address.host !== GITHUB) return null;
    const api =
      credential?.api ??
      (address.host === GITHUB ? "https://api.github.com" : `https://${address.host}/api/v3`);
    const root = (credential?.git ?? `https://${address.host}`).replace(/\/+$/, "");
    const access = credential?.access ?? null;
    return createGitHubProject({ address, api, access, userAgent, wire }, root);
  };

  return {
    at: (repo) => {
      const address = addressOf(repo);
      if (address === null) return { kind: "none", why: NO_FORGE };
      const key = projectName(address);
      const project = kept.get(key) ?? open(repo, address);
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
