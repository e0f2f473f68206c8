/** MCP servers in the real sandbox, and the tools over them as a conversation calls them. */

import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { locateLauncher } from "../../../sandbox/locate.ts";
import { createSandbox } from "../../../sandbox/server.ts";
import type { Egress } from "../../../sandbox/egress/egress.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type {
  ApprovedWrite,
  ProposedWrite,
  ToolOutcome,
  ToolRun,
  WrittenResult,
} from "../../../src/ports/tools.ts";
import { createTakePicture } from "../../../src/ports/pictures.ts";
import { createBlobs } from "../../../src/store/tables/blobs.ts";
import { createRedactor } from "../../../src/text/secrets/known-values.ts";
import { createMcp, type Mcp } from "../../../src/features/mcp/open.ts";
import type { HttpWay, McpEntry, StdioWay } from "../../../src/features/mcp/entry.ts";
import { writesOf } from "../../../src/tools/writing.ts";
import { createOutward } from "../../../sandbox/egress/outward.ts";
import { reachOf } from "../../../src/app/outward.ts";
import { createTokens } from "../../../src/features/mcp/tokens.ts";
import { createPictures } from "../../../src/tools/pictures/pictures.ts";
import { conversation } from "../../workspace/scene.ts";
import { scratch } from "../../scratch.ts";

const root = resolve(import.meta.dirname, "../../..");
export const SECRET = "sk-secret-of-the-server";

/** For the whole file: whoever asks for it ends it. */
export const openSandbox = async (options: { readonly egress?: Egress } = {}): Promise<Sandbox> => {
  const located = await locateLauncher(join(scratch("mcp-launcher"), "bin"));
  if (located.kind === "failed") throw new Error(located.reason);
  return createSandbox({ launcher: located.path, ...options });
};

export const entryOf = (name: string, way: McpEntry["way"], rest: Partial<McpEntry> = {}): McpEntry => ({
  name,
  way,
  reads: ["echo"],
  timeout: 120_000,
  secrets: [SECRET],
  ...rest,
});

export const program = (argv: readonly string[], rest: Partial<StdioWay> = {}): StdioWay => ({
  kind: "stdio",
  argv: [process.execPath, ...argv],
  env: { A_TOKEN: SECRET },
  paths: [join(root, "node_modules")],
  writePaths: [],
  hosts: [],
  ...rest,
});

/** One that misbehaves: test/features/mcp/fake/main.ts. */
export const fake = (manner: string): StdioWay =>
  program([join(root, "test/features/mcp/fake/main.ts"), manner], {
    paths: [join(root, "node_modules"), join(root, "test/features/mcp/fake")],
  });

export const real = (name: string, ...args: readonly string[]): StdioWay =>
  program([join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args]);

export const at = (url: string, headers: HttpWay["headers"] = {}): HttpWay => ({
  kind: "http",
  url,
  headers,
  oauth: null,
});

export interface World extends Mcp {
  readonly logged: readonly string[];
  list(server?: string): Promise<ToolOutcome>;
  /** As the runtime does: proposed first, run where it is no write. */
  call(server: string, tool: string, input?: object, signal?: AbortSignal): Promise<ToolOutcome>;
  /** `links`: addresses in it that somebody else wrote. */
  propose(server: string, tool: string, input?: object, links?: readonly string[]): Promise<ProposedWrite>;
  write(server: string, tool: string, input: object, errand: Partial<ApprovedWrite>): Promise<WrittenResult>;
}

interface Options {
  readonly enabled?: readonly string[];
  readonly clock?: Clock;
  /** Where tokens are kept. */
  readonly data?: string;
  /** PARLEY_EGRESS. */
  readonly egress?: string[];
}

export const createWorld = (
  sandbox: Sandbox,
  entries: readonly McpEntry[],
  { enabled, clock = systemClock, data = scratch("mcp-data"), egress }: Options = {},
): World => {
  const notes = new Map<string, string>();
  const logged: string[] = [];
  const secrets = [SECRET];
  const note = (message: string, fields?: object): unknown =>
    logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const mcp = createMcp({
    sandbox,
    entries,
    clock,
    log: { info: note, warn: note, error: note },
    notes: {
      note: (name) => notes.get(name) ?? null,
      setNote: (name, value) => {
        notes.set(name, value);
        return Promise.resolve({ kind: "done" });
      },
    },
    enabled: () => entries.filter(({ name }) => enabled?.includes(name) ?? true),
    mask: (text) => createRedactor(secrets).text(text),
    outward: createOutward(reachOf(egress === undefined ? {} : { PARLEY_EGRESS: egress })),
    tokens: createTokens(data, (secret) => secrets.push(secret)),
    takePicture: createTakePicture({
      pictures: createPictures(sandbox),
      blobs: createBlobs(scratch("mcp-blobs")),
    }),
  });
  onTestFinished(() => mcp.servers.close());
  const writes = writesOf(mcp.tools, { error: note });
  const never = new AbortController().signal;
  const base = { commit: "c", ref: "main", cwd: "/work" };
  const run = (name: string, input: unknown): ToolRun => ({
    conversation: conversation("c-mcp", { kind: "path", location: "/nowhere" }, base),
    base,
    name,
    input,
    permission: "restricted",
    grants: [],
    safeMode: true,
  });
  const tool = (name: string) => {
    const found = mcp.tools.find(({ spec }) => spec.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };
  const called = (server: string, name: string, input: object = {}): ToolRun =>
    run("mcp_call", { server, tool: name, arguments: input });
  return {
    ...mcp,
    logged,
    list: (server) => {
      const input = server === undefined ? {} : { server };
      return tool("mcp_tools").run(input, { ...run("mcp_tools", input), signal: never });
    },
    call: async (server, name, input, signal = never) => {
      const asked = called(server, name, input);
      const proposed = await writes.propose(asked, { signal });
      if (proposed.kind === "refused") return proposed.outcome;
      if (proposed.kind === "proposal") throw new Error("a person is asked");
      return tool("mcp_call").run(asked.input, { ...asked, signal });
    },
    propose: (server, name, input, links = []) =>
      writes.propose({ ...called(server, name, input), links }, { signal: never }),
    write: (server, name, input, errand) =>
      writes.write(
        called(server, name, input),
        {
          approved: { write: "mcp_call", by: { id: "slack:U1" }, at: 1, fingerprint: "" },
          asker: null,
          key: "k",
          since: 1,
          again: false,
          interrupted: false,
          ...errand,
        },
        { signal: never },
      ),
  };
};

/** Somebody has looked at the tools of every server. */
export const accepted = async (world: World): Promise<World> => {
  for (const name of world.servers.names) await world.servers.accept(name, null, "slack:U1");
  return world;
};
