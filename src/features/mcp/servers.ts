/**
 * The servers of the file: each is started when needed, shared by all callers, ended when idle, and restarted after a crash. A
 * tool is usable in its accepted form: after a change of name, description or schema the tool is off until a person accepts it.
 */

import { hash } from "node:crypto";
import { z } from "zod";
import type { Millis } from "../../machine/id.ts";
import type { HostNotes } from "../../ports/alerts.ts";
import type { Clock, Log } from "../../ports/host.ts";
import type { ServerTool } from "../../ports/servers.ts";
import { jsonIn } from "../../text/json.ts";
import type { McpCallResult, McpConnection, McpTool, Tooling } from "./connection.ts";
import type { McpEntry } from "./entry.ts";
import type { ToolServers } from "./ports.ts";

export interface Servers extends ToolServers {
  tools(server: string): Promise<Listed>;
  call(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<McpCallResult>;
  close(): Promise<void>;
}

type Listed =
  | { readonly kind: "tools"; readonly tools: readonly OfferedTool[]; readonly unnamed: number }
  | { readonly kind: "failed"; readonly why: string };

export interface OfferedTool extends McpTool, Pick<ServerTool, "access" | "standing"> {}

interface ServersDeps {
  readonly entries: readonly McpEntry[];
  readonly open: (entry: McpEntry) => Promise<McpConnection>;
  readonly notes: HostNotes;
  readonly clock: Clock;
  readonly log: Log;
  /** Removes secrets from a server's messages about itself. */
  readonly mask: (text: string) => string;
}

const IDLE: Millis = 15 * 60_000;
/** Wait after a failed start, doubled with each failure. */
const FIRST_WAIT: Millis = 5_000;
const LONGEST_WAIT: Millis = 5 * 60_000;
const SUMMARY = 100;

interface Held {
  connection: Promise<McpConnection> | null;
  cancelIdle: () => void;
  /** Number of failed starts in a row, and the last reason. */
  failed: { readonly times: number; readonly at: Millis; readonly why: string } | null;
}

export const createServers = ({ entries, open, notes, clock, log, mask }: ServersDeps): Servers => {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const held = new Map<string, Held>();
  let isClosed = false;
  const whyOf = (error: unknown): string => mask(error instanceof Error ? error.message : String(error));

  const heldOf = (name: string): Held => {
    const one = held.get(name) ?? { connection: null, cancelIdle: noop, failed: null };
    held.set(name, one);
    return one;
  };

  const drop = async (one: Held): Promise<void> => {
    const { connection } = one;
    one.connection = null;
    one.cancelIdle();
    await (await connection?.catch(() => null))?.close();
  };

  const begin = async (entry: McpEntry, one: Held): Promise<McpConnection> => {
    try {
      const connection = await open(entry);
      one.failed = null;
      log.info("mcp: server started", { server: entry.name });
      return connection;
    } catch (error) {
      const why = whyOf(error);
      one.connection = null;
      const times = (one.failed?.times ?? 0) + 1;
      one.failed = { times, at: clock.now(), why };
      log.warn("mcp: server not started", { server: entry.name, failures: times });
      throw new Error(why, { cause: error });
    }
  };

  /** `now`: a person waits, so earlier failures are ignored. */
  const reach = async (entry: McpEntry, now = false): Promise<McpConnection> => {
    if (isClosed) throw new Error("this host is about to end");
    const one = heldOf(entry.name);
    one.cancelIdle();
    const current = one.connection;
    if (current !== null && !(await current).isAlive() && one.connection === current) {
      log.warn("mcp: server ended", { server: entry.name });
      await drop(one);
    }
    if (one.connection === null && one.failed !== null && !now) {
      const { times, at, why } = one.failed;
      if (clock.now() - at < Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (times - 1)))
        throw new Error(`${why} (tried ${times === 1 ? "once" : `${times} times`}; again in a while)`);
    }
    one.connection ??= begin(entry, one);
    one.cancelIdle = clock.after(IDLE, () => void drop(one));
    return one.connection;
  };

  /** Null if no tools have been accepted yet. */
  const pinsOf = (name: string): Pins | "unread" | null => {
    const stored = notes.note(noteOf(name));
    if (stored === null) return null;
    const parsed = pins.safeParse(jsonIn(stored));
    if (!parsed.success) log.error("mcp: accepted tools not read", { server: name });
    return parsed.data ?? "unread";
  };

  const offered = (entry: McpEntry, { tools }: Tooling): readonly OfferedTool[] => {
    const pinned = pinsOf(entry.name) ?? {};
    return tools.map((tool) => ({
      ...tool,
      access: entry.reads.includes(tool.name) ? "read" : "write",
      standing: pinned === "unread" ? pinned : standingOf(tool, pinned),
    }));
  };

  const list = async (server: string, now: boolean): Promise<Listed> => {
    const entry = byName.get(server);
    if (entry === undefined) return { kind: "failed", why: `there is no server ${server}` };
    try {
      const tooling = await (await reach(entry, now)).tools();
      return { kind: "tools", tools: offered(entry, tooling), unnamed: tooling.unnamed };
    } catch (error) {
      return { kind: "failed", why: whyOf(error) };
    }
  };

  return {
    names: entries.map(({ name }) => name),
    tools: (server) => list(server, false),
    look: async (server) => {
      const listed = await list(server, true);
      if (listed.kind === "failed") return listed;
      const { tools, unnamed } = listed;
      return {
        kind: "tools",
        unnamed,
        unknown: byName.get(server)?.reads.filter((read) => !tools.some(({ name }) => name === read)) ?? [],
        code: codeOf(tools),
        tools: tools.map(({ name, description, access, standing }) => ({
          name,
          access,
          standing,
          summary: mask(summaryOf(description)),
        })),
      };
    },
    accept: async (server, code, by) => {
      const listed = await list(server, true);
      if (listed.kind === "failed")
        return { kind: "refused", why: `${server} does not answer: ${listed.why}` };
      const { tools } = listed;
      if (code === null && pinsOf(server) !== null) return { kind: "done" };
      if (code !== null && code !== codeOf(tools))
        return { kind: "refused", why: `That is not the code of ${server}'s tools as they are now.` };
      const accepted = Object.fromEntries(tools.map(({ name, hash }) => [name, hash]));
      const done = await notes.setNote(noteOf(server), JSON.stringify(accepted));
      if (done.kind === "done") log.info("mcp: tools accepted", { server, tools: tools.length, by });
      return done;
    },
    call: async (server, tool, input, signal) => {
      const entry = byName.get(server);
      if (entry === undefined) return { kind: "failed", why: `there is no server ${server}`, perhaps: false };
      try {
        return await (await reach(entry)).call(tool, input, signal);
      } catch (error) {
        return { kind: "failed", why: whyOf(error), perhaps: false };
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...held.values()].map(drop));
    },
  };
};

const noop = (): void => undefined;

const pins = z.record(z.string(), z.string());
type Pins = z.output<typeof pins>;

const standingOf = ({ name, hash }: McpTool, pinned: Pins): ServerTool["standing"] => {
  if (!Object.hasOwn(pinned, name)) return "new";
  return pinned[name] === hash ? "usable" : "changed";
};

const noteOf = (server: string): string => `mcp/${server}`;

/** Code of a list of tools: a person who accepts the code accepts exactly the displayed list. */
const codeOf = (tools: readonly McpTool[]): string => {
  const lines = tools.map((tool) => `${tool.name} ${tool.hash}\n`).toSorted();
  return hash("sha256", lines.join("")).slice(0, 8);
};

const summaryOf = (description: string): string => {
  const [line = ""] = description.trim().split("\n");
  return line.length <= SUMMARY ? line : `${line.slice(0, SUMMARY)}…`;
};
