/** What the fake forge holds: repositories with issues, pull requests and checks, and who may read them. */

export interface Said {
  readonly author: string;
  /** Epoch milliseconds. */
  readonly at: number;
  text: string;
}

export interface FakeIssue extends Said {
  readonly number: number;
  title: string;
  state: "open" | "closed";
  /** Epoch milliseconds of the last change, where it is not that of its making or of a comment. */
  changed?: number;
  /** Epoch milliseconds; unset: when it was last changed. */
  closed?: number;
  readonly labels: string[];
  readonly comments: Said[];
  /** Set where it is a pull request. */
  pull: FakePull | null;
}

export interface FakePull {
  base: string;
  readonly head: string;
  headCommit: string;
  /** Full name of the repository that the head is in. */
  readonly from: string;
  draft: boolean;
  merged: boolean;
  /** The commit that the merge made on the base. */
  mergeCommit?: string;
  readonly files: readonly FakeFile[];
  readonly reviews: (Said & {
    readonly state: string;
    readonly association?: string;
    readonly commit?: string;
  })[];
  /** `replyTo`: id of the first remark of its thread, counted from 1. */
  readonly remarks: (Said & {
    readonly path: string;
    readonly line: number;
    readonly side?: "LEFT" | "RIGHT";
    readonly startLine?: number;
    /** Number of its review, from 1. */
    readonly review?: number;
    readonly replyTo?: number;
  })[];
}

export interface FakeFile {
  readonly path: string;
  readonly status: "added" | "modified" | "removed";
  readonly added: number;
  readonly removed: number;
  readonly patch?: string;
}

export interface FakeCommit extends Said {
  readonly sha: string;
  readonly files: readonly FakeFile[];
}

export interface FakeRelease extends Said {
  readonly tag: string;
  readonly name: string;
}

export interface FakeRun {
  readonly name: string;
  readonly commit: string;
  readonly conclusion: "success" | "failure" | null;
  /** Kept by the forge's own runner; null where another one ran it. */
  readonly log: string | null;
  readonly summary?: string;
  /** How often the check ran before; each time it had another id. */
  readonly before?: number;
}

export interface FakeRepo {
  readonly owner: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly issues: FakeIssue[];
  readonly runs: FakeRun[];
  readonly releases: FakeRelease[];
  /** Branches and tags, with their commits. */
  readonly refs: Map<string, string>;
  /** Labels that can be given. */
  readonly labels: string[];
  readonly commits: FakeCommit[];
  /** Bytes of files, by `ref:path`. */
  readonly contents: Map<string, Buffer>;
  /** Bare repository that is served to git; null serves none. */
  git: { readonly root: string; readonly path: string } | null;
  archived: boolean;
  hasIssues: boolean;
  /** People who may push. */
  writers?: readonly string[];
  /** Rules of merging; unset: every method, and no protected branch. */
  merging?: FakeMergeRules;
}

export interface FakeMergeRules {
  readonly methods?: readonly ("merge" | "squash" | "rebase")[];
  /** Of the base branch. `classic`: an older protection, which only administrators may read. */
  readonly kind?: "ruleset" | "classic";
  readonly reviews?: number;
  readonly checks?: readonly string[];
  /** Only branches that contain their base are merged. */
  readonly isStrict?: boolean;
  readonly hasQueue?: boolean;
  /** How often GitHub answers that it still computes the mergeable state. */
  unknown?: number;
}

/** What a token may do: `*` stands for every repository. */
export interface Grant {
  readonly repos: readonly string[];
  readonly permissions: readonly string[];
  /** Epoch milliseconds; unset: it has no end. */
  readonly expires?: number;
  /** Of a classic token, which has these instead of permissions of its own. */
  readonly scopes?: readonly string[];
  /** The person in whose name the token writes; absent for the app. */
  readonly login?: string;
}

export interface ForgeWorld {
  readonly repos: Map<string, FakeRepo>;
  readonly tokens: Map<string, Grant>;
  /** What tokens of connected people may do. */
  peopleMay: Grant;
  /** Connected people who may do less than their tokens. `sso`: their organization wants a sign-on first. */
  readonly lesser: Map<string, "reader" | "stranger" | "sso">;
  /** Requests in an hour: of each token, and of all strangers together. */
  allowance: { readonly token: number; readonly stranger: number };
  /** What the app may do where it is installed, and whether somebody has suspended it there. */
  app: { readonly permissions: Readonly<Record<string, string>>; readonly isSuspended: boolean };
  /** New names of what was renamed, by the old ones: git is sent on to them. */
  readonly renamed: Map<string, string>;
  /** Makes a repository `owner/name`. */
  addRepo(fullName: string, options?: { readonly isPrivate?: boolean }): FakeRepo;
  /** What is asked for under the old name is sent on to the new one from now on. */
  rename(from: string, to: string): void;
  /** Makes an issue or, with `pull`, a pull request; numbers are shared. */
  addIssue(fullName: string, issue: Partial<FakeIssue> & { readonly title: string }): FakeIssue;
}

export const createForgeWorld = (now: () => number): ForgeWorld => {
  const repos = new Map<string, FakeRepo>();
  const renamed = new Map<string, string>();
  return {
    repos,
    tokens: new Map(),
    peopleMay: { repos: [], permissions: [] },
    lesser: new Map(),
    allowance: { token: 5_000, stranger: 60 },
    app: { permissions: {}, isSuspended: false },
    renamed,
    rename: (from, to) => {
      const held = repos.get(from.toLowerCase());
      if (held === undefined) throw new Error(`no repository ${from}`);
      const [owner = "", name = ""] = to.split("/");
      repos.delete(from.toLowerCase());
      repos.set(to.toLowerCase(), { ...held, owner, name });
      renamed.set(from.toLowerCase(), to);
    },
    addRepo: (fullName, { isPrivate = false } = {}) => {
      const [owner = "", name = ""] = fullName.split("/");
      const repo: FakeRepo = {
        owner,
        name,
        isPrivate,
        issues: [],
        runs: [],
        releases: [],
        refs: new Map(),
        labels: ["bug"],
        commits: [],
        contents: new Map(),
        git: null,
        archived: false,
        hasIssues: true,
      };
      repos.set(fullName.toLowerCase(), repo);
      return repo;
    },
    addIssue: (fullName, issue) => {
      const repo = repos.get(fullName.toLowerCase());
      if (repo === undefined) throw new Error(`no repository ${fullName}`);
      const made: FakeIssue = {
        number: repo.issues.length + 1,
        state: "open",
        author: "ana",
        at: now(),
        text: "",
        labels: [],
        comments: [],
        pull: null,
        ...issue,
      };
      repo.issues.push(made);
      return made;
    },
  };
};
