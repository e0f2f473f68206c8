import { existsSync } from "node:fs";
import type { Config } from "../../settings/config.ts";
import { findDefaultRepo } from "../../settings/default-repo.ts";
import type { Repo } from "../../../ports/conversation.ts";
import type { ForgeAccess } from "../../../ports/forge-access.ts";
import { createRepos } from "../../../runtime/channels/repos.ts";
import type { Reachability } from "./reachability.ts";
import { findingAbout, type Finding } from "../../../ports/finding.ts";

const REPOSITORY = findingAbout("repository");
/** Further repositories are only counted, because each takes a request. */
const MOST = 20;
const PATIENCE = 30_000;
/** Time limit for all repositories together, because unreachable ones would each take their full time. */
const WHOLE = 60_000;

interface RepositoryDeps {
  /** Null if no sandbox can run git. */
  readonly look: ((repo: Repo, signal: AbortSignal) => Promise<Reachability>) | null;
  readonly forge: Pick<ForgeAccess, "mayPush">;
  /** Ends the checks; a time limit of one minute if absent. */
  readonly ending?: AbortSignal;
}

export const namedRepositories = (config: Config, startedIn: string): ReadonlyMap<string, Repo> => {
  const repos = createRepos(config.PARLEY_REPOS);
  const named = repos.choices([]).flatMap((name) => {
    const resolved = repos.resolve(name);
    return resolved.kind === "repo" ? [[name, resolved.repo] as const] : [];
  });
  const usual = findDefaultRepo(config.PARLEY_REPO, startedIn);
  return new Map([...(usual === null ? [] : [[usual.location, usual] as const]), ...named]);
};

export async function* repositoryFindings(
  config: Config,
  startedIn: string,
  deps: RepositoryDeps,
): AsyncGenerator<Finding> {
  if (findDefaultRepo(config.PARLEY_REPO, startedIn) === null) {
    yield REPOSITORY.warning(
      "the console has no default repository",
      "Start Parley inside a git work tree, or set PARLEY_REPO; otherwise the console asks for a repository.",
    );
  }
  const all = [...namedRepositories(config, startedIn)];
  const { ending = AbortSignal.timeout(WHOLE) } = deps;
  let tried = 0;
  for (const [name, repo] of all.slice(0, MOST)) {
    if (ending.aborted) break;
    yield await repositoryFinding(name, repo, { ...deps, ending });
    tried += 1;
  }
  const left = all.length - tried;
  if (left > 0 && tried === MOST) yield REPOSITORY.ok(`${left} more were not tried`);
  else if (left > 0) {
    yield REPOSITORY.warning(
      `${left} more were not tried, because the first ones took a minute`,
      "Run the doctor again when the forges answer.",
    );
  }
  const patterns = config.PARLEY_REPOS.filter((entry) => entry.includes("*"));
  if (patterns.length > 0) {
    yield REPOSITORY.ok(`any of ${patterns.join(", ")}; each is tried when it is chosen for a channel`);
  }
}

const repositoryFinding = async (
  name: string,
  repo: Repo,
  { look, forge, ending }: RepositoryDeps & { readonly ending: AbortSignal },
): Promise<Finding> => {
  if (repo.kind === "path" && !existsSync(repo.location)) {
    return REPOSITORY.error(`${name} does not exist`, "Correct PARLEY_REPO or PARLEY_REPOS.");
  }
  if (look === null) return REPOSITORY.warning(`${name} was not tried`, "Correct the sandbox first.");
  const looked = await look(repo, AbortSignal.any([ending, AbortSignal.timeout(PATIENCE)]));
  if (looked.kind === "unreadable") {
    const closed = looked.why.includes("Permission denied") ? LET_READ : CORRECT;
    return REPOSITORY.error(looked.why, repo.kind === "path" ? closed : OPEN);
  }
  const branches = looked.branches === 1 ? "1 branch" : `${looked.branches} branches`;
  const pushed = await forge.mayPush(repo, AbortSignal.timeout(PATIENCE));
  if (pushed?.kind === "trouble") {
    return REPOSITORY.warning(`${name} can be read (${branches}) but not pushed to`, pushed.why);
  }
  return REPOSITORY.ok(`${name} can be read (${branches})${pushed === null ? "" : " and pushed to"}`);
};

const CORRECT = "Correct PARLEY_REPO or PARLEY_REPOS.";
/** If Parley runs as root, git runs as a separate user. */
const LET_READ = "Git runs as a separate user here: let others read the repository, with chmod -R o+rX.";
const OPEN =
  "Correct the name; a private repository needs an entry in the file that PARLEY_FORGES names (docs/forges.md).";
