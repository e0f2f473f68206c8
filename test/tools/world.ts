/** The real sandbox, a real git checkout and the real tools, with places as simple as can be. */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { locateLauncher } from "../../sandbox/locate.ts";
import { type Bounds, createSandbox } from "../../sandbox/server.ts";
import type { SandboxPolicy, Sandbox } from "../../sandbox/types.ts";
import type { Category, Permission } from "../../src/machine/vocabulary.ts";
import type { Base, Conversation } from "../../src/ports/conversation.ts";
import type { Log, LogFields } from "../../src/ports/host.ts";
import type { Blobs } from "../../src/ports/store.ts";
import type { ToolHooks, ToolOutcome, Tools } from "../../src/ports/tools.ts";
import { NO_FORGE } from "../../src/ports/forge-access.ts";
import { createBlobs } from "../../src/store/tables/blobs.ts";
import { createPictures } from "../../src/tools/pictures/pictures.ts";
import { createTools } from "../../src/app/tools.ts";
import type { CommandPlaces } from "../../src/workspace/checkout/policy.ts";
import { nothingChanged } from "./nothing-changed.ts";
import { testModes } from "../runtime/modes.ts";

export const SECRET = "sk-ant-api03-abcdefghijklmnop";

export interface World {
  readonly sandbox: Sandbox;
  readonly tools: Tools;
  readonly blobs: Blobs;
  /** The checkout on the host. */
  readonly work: string;
  /** The working directory as commands see it. */
  readonly cwd: string;
  /** What a call that only reads is made with: Restricted, where this host can hold it. */
  readonly reading: Permission;
  call(name: string, input: unknown, options?: CallOptions): Promise<ToolOutcome>;
  /** What safe mode would ask for before the call, in Unrestricted. */
  dangers(name: string, input: unknown, signal?: AbortSignal): ReturnType<Tools["dangers"]>;
  /** Writes a file of the checkout from outside. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  read(path: string): Promise<string>;
  /** What the tools logged as errors. */
  readonly errors: readonly (readonly [string, LogFields | undefined])[];
  close(): Promise<void>;
}

interface CallOptions {
  readonly permission?: Permission;
  readonly grants?: readonly Category[];
  /** Off unless given: then commands have the network that the policy gives. */
  readonly safeMode?: boolean;
  readonly isSubAgent?: boolean;
  readonly conversation?: Conversation["id"];
  readonly onReached?: ToolHooks["onReached"];
  readonly signal?: AbortSignal;
}

/** `wrap` stands between the tools and the real sandbox. `secrets`: those of the host. */
export const createWorld = async (
  files: Readonly<Record<string, string>>,
  wrap: (sandbox: Sandbox) => Sandbox = (sandbox) => sandbox,
  bounds: Partial<Bounds> = {},
  secrets: readonly string[] = [SECRET],
  ofFeatures: Parameters<typeof createTools>[0]["ofFeatures"] = () => [],
): Promise<World> => {
  const root = await mkdtemp(join(tmpdir(), "parley-tools-"));
  const [work, home] = [join(root, "work"), join(root, "home")];
  await Promise.all([mkdir(work), mkdir(home)]);
  await chmod(root, 0o755);
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(work, path)), { recursive: true });
    await writeFile(join(work, path), content);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  const git = (...args: readonly string[]): void => {
    execFileSync("git", ["-C", work, "-c", "user.name=t", "-c", "user.email=t@example.test", ...args]);
  };
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", "first");

  const launcher = await locateLauncher(join(root, "bin"));
  if (launcher.kind === "failed") throw new Error(launcher.reason);
  const sandbox = await createSandbox({ launcher: launcher.path, bounds });
  const places = localPlaces(sandbox, work, home);
  const pictures = createPictures(sandbox);
  const blobs = createBlobs(join(root, "data"));
  const errors: [string, LogFields | undefined][] = [];
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: (message, fields) => errors.push([message, fields]),
  };
  const tools = await createTools({
    sessions: { setSessionMode: () => Promise.resolve({ kind: "done" }) },
    knowsModel: (name) => name === "claude-haiku-5",
    sandbox: wrap(sandbox),
    places,
    pictures,
    blobs,
    secrets,
    log,
    modes: testModes,
    forge: NO_FORGE,
    ofFeatures,
    ...nothingChanged,
  });
  const cwd = sandbox.probe.mounts ? "/work" : work;
  return {
    sandbox,
    tools,
    blobs,
    work,
    cwd,
    reading: sandbox.probe.restricted ? "restricted" : "unrestricted",
    errors,
    dangers: (name, input, signal = never) =>
      tools.dangers(
        {
          conversation: conversationOf("c-one"),
          base: { ...BASE, cwd },
          name,
          input,
          permission: "unrestricted",
          grants: [],
          safeMode: true,
        },
        { signal },
      ),
    call: (
      name,
      input,
      {
        permission = "unrestricted",
        conversation = "c-one",
        signal = never,
        grants = [],
        safeMode = false,
        isSubAgent = false,
        onReached,
      } = {},
    ) =>
      tools.run(
        {
          conversation: conversationOf(conversation),
          base: { ...BASE, cwd },
          name,
          input,
          permission,
          grants,
          safeMode,
          isSubAgent,
        },
        { signal, ...(onReached === undefined ? {} : { onReached }) },
      ),
    write,
    read: (path) => readFile(join(work, path), "utf8"),
    close: async () => {
      await sandbox.close();
      await rm(root, { recursive: true, force: true });
    },
  };
};

/** One checkout for every conversation: read-only in Restricted, writable with a home in Unrestricted. */
const localPlaces = ({ probe }: Sandbox, work: string, home: string): CommandPlaces => ({
  policy: (conversation, permission) => {
    const write = permission === "unrestricted";
    const mounts: SandboxPolicy["mounts"] = [
      { source: work, target: "/work", write },
      ...(write ? [{ source: home, target: "/home/agent", write }] : []),
    ];
    const cwd = probe.mounts ? "/work" : work;
    const inside = probe.mounts ? "/home/agent" : home;
    return Promise.resolve({
      kind: "policy",
      policy: { profile: permission, network: write ? "egress" : "none", mounts, cwd, identity: 7 },
      home: write ? inside : "/tmp",
      outputs: join(dirname(home), "outputs", conversation),
      extraEnv: { FROM_WORKSPACE: "yes" },
      ...(conversation === "c-hinted" ? { hint: "[set-up: it failed]" } : {}),
    });
  },
});

const BASE: Base = { commit: "0".repeat(40), ref: "main", cwd: "/work" };

const conversationOf = (id: Conversation["id"]): Conversation => ({
  id,
  surface: "console",
  title: "A test",
  repo: { kind: "path", location: "/nowhere" },
  createdBy: "console:operator",
  createdAt: 0,
  updatedAt: 0,
  prefix: "",
  base: BASE,
  origin: null,
});

const never = new AbortController().signal;
