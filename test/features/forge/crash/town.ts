/**
 * A day of writes to a forge: everything is filed, said, labelled and proposed once, whatever ends or fails in between.
 * The forge's client and git's protocol are real, on the wire-level forge; each of their requests is a point at which the
 * host can end. What the checkout holds is given here: the sandbox has tests of its own (test/workspace/checkout/changes.test.ts).
 */

import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createForges } from "../../../../src/features/forge/forges.ts";
import type { Model, ModelOutcome } from "../../../../src/ports/model.ts";
import type { Tools, Writes } from "../../../../src/ports/tools.ts";
import type { PromptMessage } from "../../../../src/thread/prompt.ts";
import { commentOnIssue, fileIssue, labelIssue } from "../../../../src/features/forge/tools/issue-writes.ts";
import { mergePullRequest } from "../../../../src/features/forge/tools/merge-write.ts";
import { openPullRequest } from "../../../../src/features/forge/tools/pull-write.ts";
import { createForgeWriting } from "../../../../src/features/forge/tools/writes.ts";
import { writesOf } from "../../../../src/tools/writing.ts";
import { hasty, queues } from "../hasty.ts";
import { type FaultName, FAULTS, repoOn, type Side } from "../../../fakes/side.ts";
import { pushCommit } from "../../../fakes/shared/merge.ts";
import { textAnswer, toolAnswer, toolResult } from "../../../runtime/world.ts";
import { checkout, run, type Template, template } from "../../../crash/checkout.ts";
import { priceless } from "../../../crash/plainly.ts";
import type { Town } from "../../../crash/platform.ts";
import type { Play } from "../../../crash/play.ts";
import type { Points } from "../../../crash/points.ts";
import type { Person } from "../../../crash/script.ts";
import { createSlackTown } from "../../../crash/platforms/slack.ts";
import { MOST_WAIT } from "../../../patience.ts";
import { looks, originOf } from "../../../looks.ts";

/** A town on Slack whose bot writes to a forge; `wanted`: the faults that are, all where it is empty. */
export const createForgeTown = async (
  createSide: () => Promise<Side>,
  wanted: readonly FaultName[] = FAULTS,
  day: ForgeDay = WRITES,
): Promise<Town> => {
  const [slack, forge] = await Promise.all([createSlackTown(), createSide()]);
  const root = mkdtempSync(join(tmpdir(), "parley-crash-forge-"));
  const made = template(join(root, "template.git"));
  let days = 0;
  return {
    ...slack,
    play: () => forgePlay({ forge, root, made, day, name: `day${++days}` }),
    faults: wanted.map((name) => ({ name, applied: name === "a lost acknowledgement", stalls: false })),
    spoil: (name, isNext) => {
      const known = FAULTS.find((one) => one === name);
      if (known === undefined) throw new Error(`no fault is called ${name}`);
      return forge.spoil(known, isNext);
    },
    get violations() {
      return [...slack.violations, ...forge.violations];
    },
    close: async () => {
      await Promise.all([slack.close(), forge.close()]);
      rmSync(root, { recursive: true, force: true });
    },
  };
};

/** What the model calls on a day, one after the other, and what stands on the forge before. */
export interface ForgeDay {
  readonly calls: readonly ModelOutcome[];
  readonly prepare?: (at: { readonly forge: Side; readonly project: string; readonly path: string }) => void;
}

interface Stage {
  readonly day: ForgeDay;
  readonly forge: Side;
  readonly root: string;
  readonly made: Template;
  readonly name: string;
}

const SAID = "do all of it";

const people: readonly Person[] = [{ name: "writer", choice: "approve", says: [SAID] }];

const forgePlay = ({ forge, root, made, day, name }: Stage): Play => {
  const path = join(root, "acme", `${name}.git`);
  mkdirSync(join(root, "acme"), { recursive: true });
  cpSync(made.path, path, { recursive: true });
  const room = join(root, `${name}-room.git`);
  cpSync(made.path, room, { recursive: true });
  const project = `acme/${name}`;
  forge.open(project, root);
  forge.addIssue(project, { title: "Uploads are lost", author: "ana" });
  day.prepare?.({ forge, project, path });
  const model = modelOf(day.calls);
  const plain = (text: string): string =>
    text
      .replaceAll(forge.url, "https://forge.example")
      .replaceAll(project, "acme/shop")
      .replaceAll(/\bc-p\d+x\d+\b/g, "c-ID")
      .replaceAll(/parley:[0-9a-f]{32}/g, "parley:KEY");
  return {
    people,
    repo: repoOn(forge, project),
    base: { commit: made.base, ref: "main", cwd: "/work" },
    model: () => model,
    tools: (points) => toolsOn(forge, checkout(room, made, points), points),
    plain,
    left: () => {
      const posts = forge
        .posts(project)
        .map((post) =>
          [
            `${post.name} ${post.title} [${post.labels.join(", ")}] ${post.state}`,
            ...(post.pull === null
              ? []
              : [`${post.pull.isDraft ? "draft" : "open"} ${post.pull.head} into ${post.pull.base}`]),
            post.text,
            ...post.comments.map(({ author, text }) => `${author}: ${text}`),
          ].join("\n"),
        );
      const branches = run(path, ["for-each-ref", "--format=%(refname) %(tree)", "refs/heads/"]);
      const commits = run(path, ["rev-list", "--count", "--branches", `^${made.base}`]);
      return { forge: plain([...posts, branches, `${commits} commits`].join("\n\n")) };
    },
  };
};

const toolsOn = (forge: Side, changes: ReturnType<typeof checkout>, points: Points): Tools => {
  const forges = createForges({
    credentials: [{ repos: ["*"], api: forge.api, git: forge.url, access: forge.access }],
    fits: () => true,
    userAgent: "parley-test",
    wire: hasty({
      fetch: mortalFetch(points),
      time: MOST_WAIT,
      pushTime: MOST_WAIT,
      throttle: { ...queues, retryAfterBaseValue: 1 },
    }),
  });
  const writing = createForgeWriting(forges, (text) => text.replaceAll(forge.token, "***"));
  const pulls = openPullRequest({ changes, identity: { name: "Parley", email: "bot@example.org" } });
  const tools = [
    writing(pulls),
    writing(fileIssue),
    writing(commentOnIssue),
    writing(labelIssue),
    writing(mergePullRequest()),
  ];
  const writes = writesOf(tools, { error: () => undefined });
  return {
    specs: [],
    agentSpecs: [],
    intent: () => ({ intent: "tool" }),
    dangers: () => Promise.resolve([]),
    run: () => Promise.resolve(toolResult("there is nothing to run")),
    writes: mortalWrites(writes, points),
    origin: originOf,
    look: looks,
    stopBackground: () => Promise.resolve(),
  };
};

const mortalWrites = (writes: Writes, points: Points): Writes => ({
  propose: (...given) => points.work(() => writes.propose(...given)),
  write: (...given) => points.work(() => writes.write(...given)),
});

/** The answer has arrived as a whole, or not at all. */
const mortalFetch =
  (points: Points): typeof fetch =>
  (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const name = `${init?.method ?? "GET"} ${pathname.replace(/acme(?:\/|%2F)day\d+/, "REPO")}`;
    return points.call(name, async () => {
      const { status, headers, body } = await fetch(input, init);
      const bytes = body === null ? null : await new Response(body).bytes();
      const kept = new Headers(headers);
      // It is read already.
      kept.delete("content-encoding");
      return new Response(bytes, { status, headers: kept });
    });
  };

const WRITES: ForgeDay = {
  calls: [
    toolAnswer({
      name: "file_issue",
      input: { title: "Retries are lost", body: "They are.", labels: ["bug"], notDuplicateOf: [1, 2] },
    }),
    toolAnswer({ name: "comment_on_issue", input: { number: 1, body: "Seen here too." } }),
    toolAnswer({ name: "label_issue", input: { number: 1, add: ["bug"] } }),
    toolAnswer({ name: "open_pull_request", input: { title: "Retry", body: "Fixes #1" } }),
  ],
};

/** A draft with that number, which people merge. */
export const mergeDay = (number: number): ForgeDay => ({
  calls: [toolAnswer({ name: "merge_pull_request", input: { number } })],
  prepare: ({ forge, project, path }) => {
    const branch = "fix";
    const commit = pushCommit(path, branch, "retry.js", "export const ATTEMPTS = 3;\n");
    forge.addPull(project, { title: "Retry", branch, isDraft: true });
    forge.setCheck(project, { name: "test", commit, state: "success" });
  },
});

/** It asks again until a write is done. */
const modelOf = (calls: readonly ModelOutcome[]): Model => ({
  window: () => 200_000,
  respond: ({ messages }) => {
    const done = doneIn(messages);
    // Asked by a process that has ended: it finds nothing of the conversation any more.
    if (done === null) return Promise.resolve({ kind: "aborted" });
    return Promise.resolve(calls[done] ?? textAnswer("All is done."));
  },
});

/** How many writes; null where nobody has said anything. */
const doneIn = (messages: readonly PromptMessage[]): number | null => {
  const blocks = messages.flatMap(({ content }) => content);
  if (!blocks.some((block) => block.kind === "text" && block.text === SAID)) return null;
  return blocks.filter(
    (block) => block.kind === "toolResult" && block.text.startsWith("Done, as a person approved it"),
  ).length;
};

/** What the forge refused was asked once more: what says so aside, and the question that was put twice. */
export const settled = (thread: string | undefined): string => {
  const seen = new Set<string>();
  return priceless(thread)
    .replaceAll("from the branch that is pushed already", "from the new branch")
    .split(/(?=^--- from: )/m)
    .map((post) => post.replaceAll(/^(?:-# )?I could not [^\n]*\n/gm, ""))
    .filter((post) => {
      if (/: approved\*+ by [^\n]* I could not /.test(post)) return false;
      if (!/^(?:-# )?Requested by /m.test(post)) return true;
      return !seen.has(post) && seen.add(post);
    })
    .join("");
};
