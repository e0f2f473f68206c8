/** A private repository on a fake forge, and workspaces that may clone it with the host's credential. */

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { CredentialSecret } from "../../../src/features/forge/api/credentials.ts";
import { createGitProxies } from "../../../src/features/forge/git-proxies.ts";
import { createFakeForge, type FakeForge } from "../../fakes/forge/fake.ts";
import { commit, createScene, type Opened, type Scene } from "../../workspace/scene.ts";

export const CANARY = "ghp_canaryclone7Qw2Xk9Lp4";
export const URL_OF_SHOP = "https://github.com/acme/shop.git";

export interface PrivateRepo extends AsyncDisposable {
  readonly forge: FakeForge;
  readonly scene: Scene;
  /** A clone that pushes to the forge's own repository. */
  readonly copy: string;
  readonly head: string;
  /** What the workspaces have logged. */
  readonly logged: readonly string[];
  /** Opens a conversation on it; another location names another repository. */
  open(id: `c-${string}`, location?: string, signal?: AbortSignal): Promise<Opened>;
}

export const privateRepo = async (
  sandbox: Sandbox,
  accessOf: (forge: FakeForge) => CredentialSecret = () => ({ kind: "github-token", token: CANARY }),
): Promise<PrivateRepo> => {
  const scene = await createScene(sandbox);
  const copy = await scene.repository("copy");
  const head = await commit(copy, { "secret-plan.txt": "private\n" });
  const root = join(scene.root, "served");
  mkdirSync(join(root, "acme"), { recursive: true });
  execFileSync("git", ["clone", "-q", "--bare", copy, join(root, "acme/shop.git")]);
  execFileSync("git", ["remote", "add", "origin", join(root, "acme/shop.git")], { cwd: copy });
  const forge = await createFakeForge();
  forge.world.addRepo("acme/shop", { isPrivate: true }).git = { root, path: "/acme/shop.git" };
  forge.world.tokens.set(CANARY, { repos: ["acme/shop"], permissions: ["contents=read"] });
  const logged: string[] = [];
  const note = (text: string, facts?: unknown): void => void logged.push(`${text} ${JSON.stringify(facts)}`);
  const workspaces = scene.restart({
    log: { info: note, warn: note, error: note },
    doors: createGitProxies({
      credentials: [{ repos: ["acme/*"], api: forge.url, git: forge.url, access: accessOf(forge) }],
      fits: (_, { location }) => location.startsWith("https://github.com/acme/"),
      userAgent: "parley-test",
    }),
  });
  return {
    forge,
    scene,
    copy,
    head,
    logged,
    open: (id, location = URL_OF_SHOP, signal = new AbortController().signal) =>
      scene.open(id, location, { kind: "url", workspaces, signal }),
    [Symbol.asyncDispose]: async () => {
      await forge.close();
      await scene[Symbol.asyncDispose]();
      if (forge.violations.length > 0) throw new Error(forge.violations.join("\n"));
    },
  };
};

/** What people are told. */
export const told = ({ outcome }: Opened): string =>
  outcome.kind === "failed" ? outcome.failure.message : outcome.kind;
