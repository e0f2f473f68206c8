/**
 * The GitHub of the npm package `emulate`, which this project did not write, on a loopback port of its own. The package
 * offers no call that moves the head of a pull request or that adds a token, so its store and its tokens are taken where
 * its plugin receives them.
 */

import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createEmulator } from "emulate";
import { z } from "zod";
import { freePort } from "../../free-port.ts";

export interface EmulatedUser {
  readonly id: number;
  readonly login: string;
}

export interface EmulatedPull {
  readonly id: number;
  readonly number: number;
  readonly node_id: string;
  readonly user_id: number;
  readonly title: string;
  readonly body: string | null;
  readonly state: string;
  readonly draft: boolean;
  readonly head_ref: string;
  readonly head_sha: string;
  readonly base_ref: string;
}

export interface EmulatedComment {
  readonly id: number;
  readonly user_id: number;
  readonly body: string;
  readonly in_reply_to_id: number | null;
  readonly pull_number: number | null;
  readonly comment_type: string;
}

interface Collection<Row> {
  all(): readonly Row[];
  update(id: number, change: Partial<Row>): unknown;
}

interface Rows {
  readonly "github.users": EmulatedUser;
  readonly "github.pull_requests": EmulatedPull;
  readonly "github.comments": EmulatedComment;
}

interface Store {
  collection<Name extends keyof Rows>(name: Name): Collection<Rows[Name]>;
}

type Tokens = Map<
  string,
  { readonly login: string; readonly id: number; readonly scopes: readonly string[] }
>;

interface Plugin {
  register(app: unknown, store: Store, hooks: unknown, baseUrl: string, tokens: Tokens): void;
}

export interface Emulated {
  readonly url: string;
  readonly store: Store;
  readonly tokens: Tokens;
  close(): Promise<void>;
}

export const OWNER = { login: "acme-owner", token: "owner-of-the-organization" } as const;

/** `project`: `OWNER/NAME`, an empty private repository. `people` exist without any right. */
export const startEmulator = async (project: string, people: readonly string[]): Promise<Emulated> => {
  const [owner = "", name = ""] = project.split("/");
  const plugin = await loadPlugin();
  const { register } = plugin;
  const taken: Pick<Emulated, "store" | "tokens">[] = [];
  plugin.register = (app, store, hooks, baseUrl, tokens) => {
    taken.push({ store, tokens });
    register.call(plugin, app, store, hooks, baseUrl, tokens);
  };
  try {
    const { url, close } = await createEmulator({
      service: "github",
      port: await freePort(),
      seed: {
        tokens: { [OWNER.token]: { login: OWNER.login, scopes: ["repo", "user"] } },
        github: {
          users: [OWNER.login, ...people].map((login) => ({ login })),
          orgs: [{ login: owner, members: [{ login: OWNER.login, role: "admin" }] }],
          repos: [{ owner, name, private: true, auto_init: false }],
        },
      },
    });
    const [internals] = taken;
    if (internals === undefined) throw new Error("the emulator registered no GitHub");
    return { ...internals, url, close };
  } finally {
    plugin.register = register;
  }
};

const pluginModule = z.object({
  githubPlugin: z.custom<Plugin>((value) => typeof value === "object" && value !== null),
});

/** The module with the plugin has a name that changes with each version. */
const loadPlugin = async (): Promise<Plugin> => {
  const folder = dirname(fileURLToPath(import.meta.resolve("emulate")));
  const file = globSync("dist-*.js", { cwd: folder }).find((name) =>
    readFileSync(join(folder, name), "utf8").includes("var githubPlugin = "),
  );
  if (file === undefined) throw new Error("the package emulate has no GitHub");
  const loaded: unknown = await import(pathToFileURL(join(folder, file)).href);
  return pluginModule.parse(loaded).githubPlugin;
};
