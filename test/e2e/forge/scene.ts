/**
 * A private repository on the wire-level forge, and a host's tools and checkouts on it. Everything is real but the model's
 * words: sandbox, workspace, the forge's client and git. The mirror is fetched from the forge's disk, because no host may
 * reach its own loopback.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { Drafts } from "../../../src/ports/drafts.ts";
import type { TestSurroundings } from "../../../src/ports/test-surroundings.ts";
import type { Tools } from "../../../src/ports/tools.ts";
import type { Workspaces } from "../../../src/ports/workspaces.ts";
import type { Blobs } from "../../../src/ports/store.ts";
import { createBlobs } from "../../../src/store/tables/blobs.ts";
import { createPictures } from "../../../src/tools/pictures/pictures.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { createTools } from "../../../src/app/tools.ts";
import { entryOf, onGitHub, type Post, type Side } from "../../fakes/side.ts";
import { testModes } from "../../runtime/modes.ts";
import { toolAnswer } from "../../runtime/world.ts";
import { scratch } from "../../scratch.ts";
import { commit, createScene, git, startSandbox } from "../../workspace/scene.ts";
import { timeless } from "../../timeless.ts";
import { withForgesIn } from "../../with-forges.ts";

export const PROJECT = "acme/api";

type Proposed = Post & { readonly pull: NonNullable<Post["pull"]> };

export interface ForgeScene {
  readonly forge: Side;
  readonly read: Awaited<ReturnType<typeof withForgesIn>>;
  readonly tools: Tools;
  readonly workspaces: Workspaces;
  readonly drafts: Drafts;
  readonly blobs: Blobs;
  /** The commit that conversations begin at. */
  readonly base: string;
  /** Git on the forge's own repository. */
  served(...args: readonly string[]): Promise<string>;
  /** Somebody else's commit on the branch that conversations begin at, which no host has fetched. */
  moveOn(title: string): Promise<void>;
  /** Issues and pull requests on the forge. */
  posts(): readonly Post[];
  pulls(): readonly Proposed[];
}

export interface SceneAdditions {
  /** Settings of features. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further files of the repository. */
  readonly files?: Readonly<Record<string, string>>;
  readonly tests?: TestSurroundings;
  readonly tools?: (drafts: Drafts) => readonly Tool[];
}

export const createForgeScene = async (
  createSide = onGitHub,
  { env = {}, files = {}, tests, tools: more = () => [] }: SceneAdditions = {},
): Promise<ForgeScene> => {
  const sandbox = await startSandbox();
  const scene = await createScene(sandbox, tests === undefined ? {} : { tests });
  const source = await scene.repository("api");
  const base = await commit(source, { "src/retry.js": "export const ATTEMPTS = 0;\n", ...files });
  const root = scratch("forge-e2e");
  mkdirSync(join(root, "acme"));
  const bare = join(root, "acme/api.git");
  execFileSync("git", ["clone", "-q", "--bare", source, bare]);
  const forge = await createSide();
  onTestFinished(async () => {
    await sandbox.close();
    await scene[Symbol.asyncDispose]();
    await forge.close();
    expect(forge.violations).toEqual([]);
  });
  forge.open(PROJECT, root);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const blobs = createBlobs(scene.data, log);
  const read = await withForgesIn(env, {
    ...entryOf(forge, PROJECT),
    // Stages bind their channels to the project on github.com, whatever the side is.
    repos: [PROJECT, `${forge.host}/${PROJECT}`],
  });
  const { forge: access, tools: ofFeatures } = read;
  const tools = await createTools({
    sessions: { setSessionMode: () => Promise.resolve({ kind: "done" }) },
    sandbox,
    places: scene.workspaces,
    pictures: createPictures(sandbox),
    blobs,
    secrets: [forge.token],
    log,
    modes: testModes,
    forge: access,
    ofFeatures: (kit) => [...ofFeatures(kit), ...more(scene.workspaces.drafts)],
    drafts: scene.workspaces.drafts,
    outgoing: {
      changes: scene.workspaces.changes,
      identity: { name: "Parley", email: "parley@example.org" },
    },
    knowsModel: () => true,
  });
  return {
    forge,
    read,
    tools,
    workspaces: {
      ...scene.workspaces,
      open: (conversation, hooks) =>
        scene.workspaces.open({ ...conversation, repo: { kind: "path", location: bare } }, hooks),
    },
    drafts: scene.workspaces.drafts,
    blobs,
    base,
    served: (...args) => git(bare, ...args),
    moveOn: async (title) => {
      const made = await git(bare, "commit-tree", "main^{tree}", "-p", "main", "-m", title);
      await git(bare, "update-ref", "refs/heads/main", made);
      scene.clock.advance(1);
    },
    posts: () => forge.posts(PROJECT),
    pulls: () =>
      forge.posts(PROJECT).flatMap(({ pull, ...post }) => (pull === null ? [] : [{ ...post, pull }])),
  };
};

export const use = (name: string, input: unknown): ModelOutcome => toolAnswer({ name, input });

/** What a session of people looks like whenever and wherever it is played. */
export const plainly = (text: string, { forge, base }: ForgeScene): string =>
  timeless(text)
    .replaceAll(forge.url, "https://forge.example")
    .replaceAll(base, "BASE")
    .replaceAll(base.slice(0, 9), "BASE")
    .replaceAll(/parley\/c-[a-z0-9]+/g, "parley/c-ID")
    .replaceAll(/tree `[0-9a-f]{9}`/g, "tree `TREE`")
    .replaceAll(base.slice(0, 7), "BASE");

/** From the issue to the draft, in six answers of the model. */
export const FIX: readonly ModelOutcome[] = [
  use("read_issue", { number: 1 }),
  use("bash", { command: "grep -rn ATTEMPTS src" }),
  use("request_mode_upgrade", { reason: "To set ATTEMPTS to 3, as issue #1 needs." }),
  use("patch", {
    path: "src/retry.js",
    patches: [{ operation: "replace", oldText: "ATTEMPTS = 0", newText: "ATTEMPTS = 3" }],
  }),
  use("open_pull_request", {
    title: "Send at least once",
    body: "ATTEMPTS was 0, so nothing was ever sent.\n\nFixes #1",
  }),
];
