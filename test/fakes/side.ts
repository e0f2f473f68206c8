/** A forge at the wire, GitHub or GitLab: what a scene needs of whichever it is. */

import type { Repo } from "../../src/ports/conversation.ts";
import { omitUndefined } from "../../src/text/omit-undefined.ts";
import { createFakeForge, type ForgeFault } from "./forge/fake.ts";
import type { FakeRun } from "./forge/world.ts";
import { createFakeGitLab, type GitLabFault } from "./gitlab/fake.ts";
import { noteOfDiscussion } from "./gitlab/tending.ts";
import type { DeviceWorld } from "./shared/device-flow.ts";
import type { Gate } from "./shared/gates.ts";

/** An issue, or a pull request, as it stands there. */
export interface Post {
  /** As in `#1` or `!1`. */
  readonly name: string;
  readonly author: string;
  readonly title: string;
  readonly text: string;
  readonly state: string;
  readonly labels: readonly string[];
  readonly comments: readonly { readonly author: string; readonly text: string }[];
  /** Null: an issue. */
  readonly pull: { readonly head: string; readonly base: string; readonly isDraft: boolean } | null;
}

export type CheckState = "success" | "failure" | "running";

interface NewPull {
  readonly title: string;
  readonly branch: string;
  readonly isDraft?: boolean;
}

export interface MergeRules {
  /** Required approvals. */
  readonly reviews?: number;
  /** Only branches that contain their base are merged. */
  readonly isStrict?: boolean;
  readonly method?: "squash" | "rebase";
  /** Answers with which the forge says that it still computes. */
  readonly unknown?: number;
}

interface NewIssue {
  readonly title: string;
  readonly author?: string;
  readonly text?: string;
  /** Open where it is unset. */
  readonly state?: "closed";
}

interface NewRemark {
  readonly author: string;
  readonly text: string;
  readonly path?: string;
}

export interface SideRemark {
  readonly author: string;
  readonly text: string;
  readonly to: number | null;
}

interface NewChange extends Pick<NewIssue, "title" | "author" | "text"> {
  readonly head: string;
  readonly commit: string;
  readonly path: string;
  readonly patch: string;
  /** GitHub: the repository of the head. */
  readonly fork?: string;
}

/** Comments of a posted review, each with its line. `verdict`: `comment`, unless it says more. */
export interface PostedReview {
  readonly text: string;
  readonly verdict: string;
  readonly comments: readonly { readonly on: string; readonly text: string }[];
}

export interface Side {
  readonly host: string;
  /** Root of its git repositories, and of its pages. */
  readonly url: string;
  readonly api: string;
  readonly token: string;
  readonly access: { readonly kind: Side["kind"]; readonly token: string };
  /** Of the file that PARLEY_FORGES names. */
  readonly kind: "github-token" | "gitlab-token";
  /** Makes a private project that the token may read and write, served from below `root`; its name has two parts. */
  open(project: string, root: string): void;
  addIssue(project: string, issue: NewIssue): void;
  /** A file of the default branch, as its API serves it. */
  putFile(project: string, path: string, text: string): void;
  /** A pull request that changes one file. */
  addChange(project: string, change: NewChange): void;
  /** Gives the newest pull request another head. `patch`: the new patch of its first file; unset: the patch stays. */
  moveChange(project: string, commit: string, patch?: string): void;
  /** Reviews of the newest pull request. */
  reviews(project: string): readonly PostedReview[];
  /** A check of a commit has failed, and printed that. */
  failCheck(
    project: string,
    check: { readonly name: string; readonly commit: string; readonly log: string },
  ): void;
  /** A check of a commit, as it stands from now on. */
  setCheck(
    project: string,
    check: { readonly name: string; readonly commit: string; readonly state: CheckState },
  ): void;
  /** Makes a pull request of a branch that is there; answers its number. */
  addPull(project: string, pull: NewPull): number;
  /** The verdict of a person who may write, or of a stranger. */
  review(
    project: string,
    number: number,
    author: string,
    verdict: "approved" | "changes requested",
    isStranger?: boolean,
  ): void;
  setMergeRules(project: string, rules: MergeRules): void;
  /** A check of a commit runs, or has passed. */
  otherCheck(project: string, commit: string, state: "running" | "passed"): void;
  /** A person comments on a line of a pull request. */
  remark(project: string, number: number, remark: NewRemark): void;
  /** All comments on lines, in order. `to`: place of the first comment of the thread, counted from 0. */
  remarks(project: string, number: number): readonly SideRemark[];
  /** Takes the right to push from a connected person. */
  lessen(login: string): void;
  /** The people may push. */
  letWrite(project: string, ...people: readonly string[]): void;
  endPull(project: string, number: number, how: "closed" | "merged"): void;
  /** A person edits a pull request. */
  editPull(project: string, number: number, change: { readonly title: string; readonly base: string }): void;
  /** People may connect their accounts with this app, and then write as the token may. */
  letConnect(clientId: string): void;
  readonly signIn: DeviceWorld;
  /** Takes the token away, or gives it back. */
  setToken(isValid: boolean): void;
  /** Where people find an issue. */
  issuePage(project: string, number: number): string;
  /** Issues and pull requests, in order. */
  posts(project: string): readonly Post[];
  /** What was asked of it besides reading. */
  writes(): readonly string[];
  /** Number of requests so far. */
  reads(): number;
  /** Holds back the next request for a pull request until the gate is opened. */
  holdPull(): Gate;
  spoil(fault: FaultName, isNext: (operation: string) => boolean): () => void;
  readonly violations: readonly string[];
  close(): Promise<void>;
}

/** Faults at which a test ends a process. */
export interface ForgeToSpoil {
  spoil(fault: "no answer" | "a lost acknowledgement", isNext: (operation: string) => boolean): () => void;
}

/** What the story of one pull request needs of a forge. */
export interface StorySide
  extends ForgeToSpoil,
    Pick<Side, "host" | "url" | "api" | "token" | "kind" | "open" | "failCheck" | "setCheck" | "review">,
    Pick<Side, "setMergeRules" | "remark" | "remarks" | "letWrite" | "letConnect" | "signIn" | "posts">,
    Pick<Side, "writes" | "violations" | "close"> {}

export const FAULTS = [
  "a reset before it was done",
  "a lost acknowledgement",
  "a 502 from a proxy",
  "no answer",
  "a secondary limit",
  "a used-up allowance",
  "a long limit",
] as const;
export type FaultName = (typeof FAULTS)[number];

const PERMISSIONS = [
  ...["metadata", "issues", "contents", "pull_requests"].flatMap((what) => [`${what}=read`, `${what}=write`]),
  ...["checks", "statuses", "actions"].map((what) => `${what}=read`),
];

const githubFaults: Readonly<Record<FaultName, ForgeFault>> = {
  "a reset before it was done": { kind: "cut" },
  "a lost acknowledgement": { kind: "lost" },
  "a 502 from a proxy": { kind: "status", status: 502 },
  "no answer": { kind: "stall" },
  "a secondary limit": { kind: "secondary", retryAfter: 1 },
  "a used-up allowance": { kind: "limited", resetIn: 3_000 },
  "a long limit": { kind: "secondary", retryAfter: 3_000 },
};

const gitlabFaults: Readonly<Record<FaultName, GitLabFault>> = {
  "a reset before it was done": { kind: "cut" },
  "a lost acknowledgement": { kind: "lost" },
  "a 502 from a proxy": { kind: "status", status: 502 },
  "no answer": { kind: "stall" },
  "a secondary limit": { kind: "limited", retryAfter: 1 },
  "a used-up allowance": { kind: "limited", retryAfter: 3_000 },
  "a long limit": { kind: "limited", retryAfter: 3_000 },
};

export const onGitHub = async (): Promise<Side> => {
  const fake = await createFakeForge();
  const token = "github_pat_0123456789";
  fake.world.allowance = { token: Number.POSITIVE_INFINITY, stranger: 0 };
  fake.world.tokens.set(token, { repos: ["*"], permissions: PERMISSIONS });
  const githubIssue = (project: string, number: number) =>
    fake.world.repos.get(project)?.issues.find((issue) => issue.number === number);
  const githubPull = (project: string, number: number) => githubIssue(project, number)?.pull ?? null;
  /** Only the latest run of a check is listed. */
  const putRun = (project: string, run: FakeRun): void => {
    const runs = fake.world.repos.get(project)?.runs ?? [];
    const at = runs.findIndex(({ name, commit }) => name === run.name && commit === run.commit);
    const { before = 0, conclusion = null } = runs[at] ?? {};
    const next = { ...run, before: conclusion === null ? before : before + 1 };
    runs.splice(at < 0 ? runs.length : at, at < 0 ? 0 : 1, next);
  };
  return {
    host: "github.com",
    url: fake.url,
    api: fake.url,
    token,
    access: { kind: "github-token", token },
    kind: "github-token",
    open: (project, root) => {
      fake.world.addRepo(project, { isPrivate: true }).git = { root, path: `/${project}.git` };
    },
    addIssue: (project, issue) => void fake.world.addIssue(project, issue),
    putFile: (project, path, text) =>
      void fake.world.repos.get(project)?.contents.set(`main:${path}`, Buffer.from(text)),
    addChange: (project, { head, commit: headCommit, path, patch, fork: from = project, ...issue }) => {
      const files = [{ path, status: "modified", ...sizeOf(patch), patch } as const];
      const ends = { base: "main", head, headCommit, from, draft: false, merged: false };
      fake.world.addIssue(project, { ...issue, pull: { ...ends, files, reviews: [], remarks: [] } });
    },
    moveChange: (project, headCommit, patch) => {
      const pull = fake.world.repos.get(project)?.issues.findLast((issue) => issue.pull !== null)?.pull;
      if (pull === undefined || pull === null) return;
      const [first, ...rest] = pull.files;
      const files =
        patch === undefined || first === undefined
          ? pull.files
          : [{ ...first, ...sizeOf(patch), patch }, ...rest];
      Object.assign(pull, { headCommit, files });
    },
    reviews: (project) => {
      const pull = fake.world.repos.get(project)?.issues.findLast((issue) => issue.pull !== null)?.pull;
      return (pull?.reviews ?? []).map(({ text, state }, index) => ({
        text,
        verdict: state === "COMMENTED" ? "comment" : state,
        comments: (pull?.remarks ?? [])
          .filter(({ review }) => review === index + 1)
          .map(({ path, line, side, text: remark }) => ({
            on: `${path}:${side === "LEFT" ? "-" : ""}${line}`,
            text: remark,
          })),
      }));
    },
    failCheck: (project, check) => putRun(project, { ...check, conclusion: "failure" }),
    setCheck: (project, { state, ...check }) =>
      putRun(project, { ...check, log: null, conclusion: state === "running" ? null : state }),
    addPull: (project, { title, branch, isDraft = false }) => {
      const ends = { base: "main", head: branch, headCommit: "", from: project, draft: isDraft };
      const pull = { ...ends, merged: false, files: [], reviews: [], remarks: [] };
      return fake.world.addIssue(project, { title, pull }).number;
    },
    review: (project, number, author, verdict, isStranger = false) => {
      const state = verdict === "approved" ? "APPROVED" : "CHANGES_REQUESTED";
      const pull = fake.world.repos.get(project)?.issues.find((one) => one.number === number)?.pull;
      const association = isStranger ? "NONE" : "MEMBER";
      pull?.reviews.push({ author, at: Date.now(), text: "", state, association });
    },
    setMergeRules: (project, { reviews = 0, isStrict = false, method, unknown = 0 }) => {
      const held = fake.world.repos.get(project);
      const methods = method === undefined ? undefined : [method];
      if (held !== undefined)
        held.merging = { reviews, isStrict, unknown, ...(methods === undefined ? {} : { methods }) };
    },
    otherCheck: (project, commit, state) =>
      void fake.world.repos.get(project)?.runs.push({
        name: `${state} check`,
        commit,
        log: null,
        conclusion: state === "passed" ? "success" : null,
      }),
    remark: (project, number, { author, text, path = "src/retry.js" }) =>
      void githubPull(project, number)?.remarks.push({ author, text, path, line: 1, at: Date.now() }),
    remarks: (project, number) =>
      (githubPull(project, number)?.remarks ?? []).map(({ author, text, replyTo }) => ({
        author,
        text,
        to: replyTo === undefined ? null : replyTo - 1,
      })),
    lessen: (login) => void fake.world.lesser.set(login, "reader"),
    letWrite: (project, ...people) => {
      const repo = fake.world.repos.get(project);
      if (repo !== undefined) repo.writers = people;
    },
    endPull: (project, number, how) => {
      const issue = githubIssue(project, number);
      if (issue?.pull == null) return;
      issue.state = "closed";
      issue.pull.merged = how === "merged";
    },
    editPull: (project, number, { title, base }) => {
      const issue = githubIssue(project, number);
      if (issue?.pull == null) return;
      issue.title = title;
      issue.pull.base = base;
    },
    letConnect: (id) => {
      fake.signIn.client = { id, secret: null };
      fake.world.peopleMay = { repos: ["*"], permissions: PERMISSIONS };
    },
    signIn: fake.signIn,
    setToken: (isValid) => {
      if (isValid) fake.world.tokens.set(token, { repos: ["*"], permissions: PERMISSIONS });
      else fake.world.tokens.delete(token);
    },
    issuePage: (project, number) => `https://github.com/${project}/issues/${number}`,
    posts: (project) =>
      (fake.world.repos.get(project)?.issues ?? []).map(({ number, pull, ...issue }) => ({
        ...issue,
        name: `#${number}`,
        pull: pull && { head: pull.head, base: pull.base, isDraft: pull.draft },
      })),
    writes: () => writesIn(fake.calls),
    reads: () => fake.calls.length,
    holdPull: () => {
      const gate = fake.gate();
      fake.fault({ kind: "wait", gate: gate.gate }, "pulls/create");
      return gate;
    },
    spoil: (fault, isNext) => fake.spoil(githubFaults[fault], isNext),
    violations: fake.violations,
    close: () => fake.close(),
  };
};

export const onGitLab = async (): Promise<Side> => {
  const fake = await createFakeGitLab();
  const token = "glpat-canary0123456789";
  fake.world.tokens.set(token, { projects: ["*"], scopes: ["api"] });
  const gitlabMerge = (project: string, number: number) =>
    fake.world.projects.get(project)?.merges.find(({ iid }) => iid === number);
  const jobsOf = (project: string) => fake.world.projects.get(project)?.jobs ?? [];
  const nextJob = (project: string): number => Math.max(0, ...jobsOf(project).map(({ id }) => id)) + 1;
  return {
    host: "gitlab.example.org",
    url: fake.url,
    api: fake.api,
    token,
    access: { kind: "gitlab-token", token },
    kind: "gitlab-token",
    open: (project, root) => {
      fake.world.addProject(project).git = { root, path: `/${project}.git` };
    },
    addIssue: (project, issue) => void fake.world.addIssue(project, issue),
    putFile: (project, path, text) =>
      void fake.world.projects.get(project)?.contents.set(`main:${path}`, text),
    addChange: (project, { head: source, commit: sha, path, patch, title, author, text }) =>
      void fake.world.addMerge(project, {
        title,
        ...omitUndefined({ author, text }),
        source,
        sha,
        diffs: [{ path, diff: `${patch}\n` }],
      }),
    moveChange: (project, sha, patch) => {
      const merge = fake.world.projects.get(project)?.merges.at(-1);
      if (merge === undefined) return;
      const [first, ...rest] = merge.diffs;
      const diffs =
        patch === undefined || first === undefined
          ? merge.diffs
          : [{ ...first, diff: `${patch}\n` }, ...rest];
      Object.assign(merge, { sha, diffs });
    },
    reviews: (project) => {
      const notes = fake.world.projects.get(project)?.merges.at(-1)?.notes ?? [];
      const comments = notes.flatMap(({ text, position }) =>
        position === undefined
          ? []
          : [{ on: `${position.path}:${position.line ?? `-${position.oldLine ?? "?"}`}`, text }],
      );
      return notes
        .filter(({ position }) => position === undefined)
        .map(({ text }) => ({ text, verdict: "comment", comments }));
    },
    failCheck: (project, { name, commit, log }) =>
      void jobsOf(project).push({
        id: nextJob(project),
        name,
        sha: commit,
        log,
        status: "failed",
      }),
    setCheck: (project, { name, commit, state }) => {
      const jobs = jobsOf(project);
      const at = jobs.findIndex((job) => job.name === name && job.sha === commit);
      const status = state === "failure" ? "failed" : state;
      const known = jobs[at];
      const id = known?.status === "running" ? known.id : nextJob(project);
      const job = { id, name, sha: commit, log: null, status } as const;
      jobs.splice(at < 0 ? jobs.length : at, at < 0 ? 0 : 1, job);
    },
    addPull: (project, { title, branch, isDraft = false }) =>
      fake.world.addMerge(project, { title: isDraft ? `Draft: ${title}` : title, source: branch }).iid,
    review: (project, number, author, verdict, isStranger = false) => {
      const merge = fake.world.projects.get(project)?.merges.find(({ iid }) => iid === number);
      // GitLab takes no verdict of somebody without a role in the project.
      if (merge === undefined || isStranger) return;
      const others = (names: readonly string[]) => names.filter((name) => name !== author);
      merge.approvedBy = [...others(merge.approvedBy), ...(verdict === "approved" ? [author] : [])];
      merge.changesBy = [...others(merge.changesBy), ...(verdict === "approved" ? [] : [author])];
    },
    setMergeRules: (project, { reviews = 0, isStrict = false, method, unknown = 0 }) => {
      const held = fake.world.projects.get(project);
      const way = method === "rebase" ? "ff" : isStrict ? "rebase_merge" : "merge";
      const squash = method === "squash" ? "always" : "default_off";
      if (held !== undefined) held.merging = { approvals: reviews, method: way, squash, checking: unknown };
    },
    otherCheck: (project, commit, state) =>
      void jobsOf(project).push({
        id: nextJob(project),
        name: `${state} check`,
        sha: commit,
        log: null,
        status: state === "passed" ? "success" : "running",
      }),
    remark: (project, number, { author, text, path = "src/retry.js" }) =>
      void gitlabMerge(project, number)?.notes.push({
        author,
        text,
        at: Date.now(),
        position: { path, line: 1 },
      }),
    remarks: (project, number) => {
      const merge = gitlabMerge(project, number);
      const notes = merge?.notes ?? [];
      return notes.map(({ author, text, discussion }) => ({
        author,
        text,
        to: merge === undefined || discussion === undefined ? null : noteOfDiscussion(merge, discussion),
      }));
    },
    lessen: (login) => void fake.world.lesser.set(login, "reader"),
    letWrite: (project, ...people) => {
      const held = fake.world.projects.get(project);
      if (held !== undefined) held.members = Object.fromEntries(people.map((name) => [name, 30]));
    },
    endPull: (project, number, how) => {
      const merge = gitlabMerge(project, number);
      if (merge !== undefined) merge.state = how;
    },
    editPull: (project, number, { title, base }) => {
      const merge = gitlabMerge(project, number);
      if (merge !== undefined) Object.assign(merge, { title, target: base });
    },
    letConnect: (id) => {
      fake.signIn.client = { id, secret: null };
      fake.world.peopleMay = { projects: ["*"], scopes: ["api"] };
    },
    signIn: fake.signIn,
    setToken: (isValid) => {
      if (isValid) fake.world.tokens.set(token, { projects: ["*"], scopes: ["api"] });
      else fake.world.tokens.delete(token);
    },
    issuePage: (project, number) => `https://gitlab.example.org/${project}/-/issues/${number}`,
    posts: (project) => {
      const held = fake.world.projects.get(project);
      return [
        ...(held?.issues ?? []).map(({ iid, notes, ...issue }) => ({
          ...issue,
          name: `#${iid}`,
          comments: notes,
          pull: null,
        })),
        ...(held?.merges ?? []).map(({ iid, notes, source: head, target: base, ...merge }) => ({
          ...merge,
          name: `!${iid}`,
          title: merge.title.replace(/^Draft: /, ""),
          comments: notes,
          pull: { head, base, isDraft: merge.title.startsWith("Draft: ") },
        })),
      ];
    },
    writes: () => writesIn(fake.calls),
    reads: () => fake.calls.length,
    holdPull: () => {
      const gate = fake.gate();
      fake.fault({ kind: "wait", gate: gate.gate }, "new merge request");
      return gate;
    },
    spoil: (fault, isNext) => fake.spoil(gitlabFaults[fault], isNext),
    violations: fake.violations,
    close: () => fake.close(),
  };
};

const sizeOf = (patch: string) => {
  const lines = patch.split("\n");
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
};

type Calls = readonly {
  readonly operation: string;
  readonly exchange: { readonly method: string };
}[];

const writesIn = (calls: Calls): readonly string[] =>
  calls.flatMap(({ operation, exchange: { method } }) => (method === "GET" ? [] : [operation]));

type EntrySide = Pick<Side, "kind" | "host" | "api" | "url" | "token" | "signIn">;

/** What the operator has put down for it. */
export const entryOf = ({ kind, host, api, url: git, token, signIn }: EntrySide, project: string) => ({
  kind,
  repos: [`${host}/${project}`],
  api,
  git,
  token,
  ...(signIn.client === null ? {} : { clientId: signIn.client.id }),
});

/** What a channel is bound to. */
export const repoOn = ({ host }: Pick<Side, "host">, project: string): Repo => ({
  kind: "url",
  location: `https://${host}/${project}.git`,
});
