import type { FileContext } from "../../feature.ts";
import type { WritableForges } from "./ports/forge-writer.ts";
import type { ForgeAccess } from "../../ports/forge-access.ts";
import { createRepos, entryProblem } from "../../runtime/channels/repos.ts";
import { type CredentialChoice, createChooser } from "./choose.ts";
import { readCredentials, secretsIn } from "./api/credentials.ts";
import { createGitProxies } from "./git-proxies.ts";
import { createForges } from "./forges.ts";
import { createForgeHttp } from "./api/http.ts";
import type { ConnectClient } from "./people/client.ts";
import { createLateNames } from "./people/in-name.ts";
import { createInspector, type Inspector } from "./inspector.ts";
import { createDraftPulls } from "./tools/draft-pulls.ts";
import type { Archives } from "../../ports/forge-archive.ts";
import { isGitLab } from "./api/access.ts";
import { addressOf } from "../../ports/address.ts";
import { createGitHubArchive } from "./github/archive.ts";
import { createTendGuard } from "./tend/guard.ts";
import type { LateTending } from "./tend/open.ts";
import { createPageReader } from "./pages.ts";
import { createGitLabArchive } from "./gitlab/archive.ts";

export type OpenedForges =
  | {
      readonly kind: "forges";
      readonly access: ForgeAccess;
      readonly forges: WritableForges;
      readonly inspector: Inspector;
      readonly secrets: readonly string[];
      readonly names: ReturnType<typeof createLateNames>;
      /** Forges to which people can connect their accounts. */
      readonly clients: readonly ConnectClient[];
      readonly tending: LateTending;
    }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** `path`: file of credentials; null if there is no file. Only public content can then be read. */
export const openForges = (path: string | null, { version, ...ways }: FileContext): OpenedForges => {
  const read =
    path === null ? ({ kind: "credentials", credentials: [] } as const) : readCredentials(path, entryProblem);
  if (read.kind === "invalid") return read;
  const { credentials } = read;
  const choice: CredentialChoice = {
    credentials,
    fits: (patterns, repo) => createRepos(patterns).nameOf(repo) !== null,
    userAgent: `parley/${version}`,
    wire: createForgeHttp(ways),
  };
  const forges = createForges(choice);
  const inspector = createInspector(choice);
  const names = createLateNames();
  const tending: LateTending = { guard: createTendGuard(), context: null };
  return {
    kind: "forges",
    access: {
      doors: createGitProxies(choice),
      archives: createArchives(choice),
      pulls: (outgoing) => createDraftPulls(forges, { ...outgoing, guard: tending.guard }, names),
      mayPush: (repo, signal) => inspector.mayPush(repo, signal),
      readPage: createPageReader(forges, createForges({ ...choice, credentials: [] })),
    },
    forges,
    inspector,
    secrets: secretsIn(credentials),
    names,
    clients: createChooser(choice).connectable(),
    tending,
  };
};

const createArchives = (choice: CredentialChoice): Archives => {
  const chooser = createChooser(choice);
  return {
    of: (repo) => {
      const address = addressOf(repo);
      const project = address === null ? null : chooser.at(address).project;
      if (project === null) return null;
      return isGitLab(project) ? createGitLabArchive(project) : createGitHubArchive(project);
    },
  };
};
