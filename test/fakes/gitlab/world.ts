/** What the fake GitLab holds: projects with issues, merge requests and jobs, and what each token may. */

import type { CommitStatusSchema } from "@gitbeaker/core";

export interface Note {
  readonly author: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly system?: boolean;
  readonly position?: {
    readonly path: string;
    readonly line: number | null;
    readonly oldLine?: number | null;
  };
  /** Id of the discussion; unset: the note has one of its own. */
  readonly discussion?: string;
}

/** A note that only its author sees. */
export interface FakeDraft extends Note {
  readonly id: number;
}

export interface FakeIssue {
  readonly iid: number;
  title: string;
  readonly text: string;
  readonly author: string;
  readonly at: number;
  state: "opened" | "closed";
  /** Epoch milliseconds; unset: when it was made. */
  readonly closed?: number;
  labels: readonly string[];
  readonly notes: Note[];
}

export interface FakeMerge extends Omit<FakeIssue, "state"> {
  state: "opened" | "closed" | "merged";
  readonly source: string;
  target: string;
  sha: string;
  /** Heads before the present one, the oldest first. */
  readonly heads: string[];
  readonly drafts: FakeDraft[];
  /** Id of another project that the source branch is in. */
  readonly fork: number | null;
  readonly diffs: readonly { readonly path: string; readonly diff: string; readonly isNew?: boolean }[];
  /** Who has approved, and who has requested changes. */
  approvedBy: readonly string[];
  changesBy: readonly string[];
  mergeCommit?: string;
}

export interface FakeCommit extends Readonly<Pick<FakeMerge, "author" | "at" | "text" | "sha" | "diffs">> {}

export interface FakeJob {
  readonly id: number;
  readonly name: string;
  readonly sha: string;
  readonly status: CommitStatusSchema["status"];
  /** Null where another system than GitLab's runner reports it. */
  readonly log: string | null;
  readonly description?: string;
}

export interface FakeProject {
  readonly id: number;
  readonly path: string;
  readonly isPrivate: boolean;
  readonly issues: FakeIssue[];
  readonly merges: FakeMerge[];
  readonly jobs: FakeJob[];
  /** Commits by the name of a branch. */
  readonly refs: Map<string, string>;
  readonly labels: string[];
  readonly commits: FakeCommit[];
  /** Texts of files, by `ref:path`. */
  readonly contents: Map<string, string>;
  /** Bare repository that is served to git; null serves none. */
  git: { readonly root: string; readonly path: string } | null;
  archived: boolean;
  /** Access levels by name. */
  members?: Readonly<Record<string, number>>;
  /** Rules of merging; unset: a merge commit, and nothing required. */
  merging?: FakeMergeRules;
}

export interface FakeMergeRules {
  readonly method?: "merge" | "rebase_merge" | "ff";
  readonly squash?: "never" | "always" | "default_on" | "default_off";
  readonly approvals?: number;
  readonly mustPass?: boolean;
  /** How often GitLab answers that it still computes the status. */
  checking?: number;
}

/** What a token may do: `*` stands for every project. */
export interface Grant {
  readonly projects: readonly string[];
  readonly scopes: readonly ("api" | "read_api" | "read_repository" | "write_repository")[];
  /** A day as in `2026-12-01`; unset: it has no end. */
  readonly expires?: string;
  /** The person in whose name the token writes; absent for the operator's token. */
  readonly login?: string;
}

export interface GitLabWorld {
  readonly projects: Map<string, FakeProject>;
  readonly tokens: Map<string, Grant>;
  /** What tokens of connected people may do. */
  peopleMay: Grant;
  /** Connected people who may do less than their tokens. */
  readonly lesser: Map<string, "reader" | "stranger">;
  /** New paths of what was moved, by the old ones. */
  readonly moved: Map<string, string>;
  addProject(path: string, options?: { readonly isPrivate?: boolean }): FakeProject;
  addIssue(path: string, issue: Partial<FakeIssue> & { readonly title: string }): FakeIssue;
  addMerge(path: string, merge: Partial<FakeMerge> & { readonly title: string }): FakeMerge;
}

export const createGitLabWorld = (now: () => number): GitLabWorld => {
  const projects = new Map<string, FakeProject>();
  const held = (path: string): FakeProject => {
    const project = projects.get(path);
    if (project === undefined) throw new Error(`no project ${path}`);
    return project;
  };
  const common = () => ({ text: "", author: "ana", at: now(), labels: [], notes: [] });
  return {
    projects,
    tokens: new Map(),
    peopleMay: { projects: [], scopes: ["api"] },
    lesser: new Map(),
    moved: new Map(),
    addProject: (path, { isPrivate = true } = {}) => {
      const project: FakeProject = {
        id: projects.size + 41,
        path,
        isPrivate,
        issues: [],
        merges: [],
        jobs: [],
        refs: new Map(),
        labels: ["bug"],
        commits: [],
        contents: new Map(),
        git: null,
        archived: false,
      };
      projects.set(path, project);
      return project;
    },
    addIssue: (path, issue) => {
      const { issues } = held(path);
      const made: FakeIssue = { ...common(), iid: issues.length + 1, state: "opened", ...issue };
      issues.push(made);
      return made;
    },
    addMerge: (path, merge) => {
      const { merges } = held(path);
      const branches = {
        source: "fix",
        target: "main",
        sha: "0".repeat(40),
        fork: null,
        diffs: [],
        heads: [],
        drafts: [],
      };
      const verdicts = { approvedBy: [], changesBy: [] };
      const made: FakeMerge = {
        ...common(),
        ...branches,
        ...verdicts,
        iid: merges.length + 1,
        state: "opened",
        ...merge,
      };
      merges.push(made);
      return made;
    },
  };
};
