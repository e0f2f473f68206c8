/**
 * The host's end of a command's network: an HTTP proxy on a local socket that only the launcher's relays can reach. Each
 * connection begins with the id of its launch.
 */

import { rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, rename, rm, rmdir } from "node:fs/promises";
import { createServer, type Socket, connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseNetwork } from "./address.ts";
import { createLookup, type Lookup } from "./lookup.ts";
import { createConnectReach } from "./reach.ts";
import { readRules } from "./rules.ts";
import { createHttpSide } from "./serve-http.ts";
import type { ProxyOf } from "./upstream.ts";
import { createVisit, type Destination, HANDSHAKE_MS, type Visit } from "./visit.ts";

export interface EgressOptions {
  /** `PARLEY_EGRESS` (rules.ts). Null allows any public host, an empty list no host. */
  readonly allow: readonly string[] | null;
  /** Replaces the DNS. */
  readonly lookup?: Lookup;
  /** The operator's outgoing proxy; absent if every connection is direct. */
  readonly proxyOf?: ProxyOf;
  readonly log?: (line: string) => void;
  /** Networks that are always reachable, including loopback. For tests alone: no setting fills this list. */
  readonly unsafeOpen?: readonly string[];
}

export interface Egress {
  /** Directory of mode 0700 with the socket `SOCKET`. The launcher's relays see no other file of the host. */
  readonly directory: string;
  /**
   * Admits the connections of launch `id`. `only`: permitted `host:port` destinations; null means the operator's rules. `door`:
   * see `SandboxPolicy.door`. The returned function closes all connections, refuses new ones and returns the requested
   * destinations, at most 100.
   */
  admit(id: number, only: readonly string[] | null, door?: number | null): () => readonly Destination[];
  close(): Promise<void>;
}

type EgressResult =
  | { readonly kind: "opened"; readonly egress: Egress }
  | { readonly kind: "failed"; readonly reason: string };

/** Must match the name in the launcher's relay (launcher/server/relay.c). */
const SOCKET = "s";
const UNREADY = "unready";
/** Bytes before the connection is admitted: the launch id and the client's first byte. */
const PREAMBLE = 4 + 1;
/** Limit for all commands together. The relay limits the connections of one command. */
const MAX_CONNECTIONS = 2048;

/** Never rejects. */
export const createEgress = async (options: EgressOptions): Promise<EgressResult> => {
  const read = readRules(options.allow);
  if (read.kind === "invalid") return { kind: "failed", reason: read.problems.join("; ") };
  const unsafeOpen = (options.unsafeOpen ?? []).map(parseNetwork).filter((network) => network !== null);
  const serve = createHttpSide(
    createConnectReach({
      rules: read.rules,
      lookup: options.lookup ?? createLookup(),
      unsafeOpen,
      ...(options.proxyOf === undefined ? {} : { proxyOf: options.proxyOf }),
    }),
  );
  const visits = new Map<number, Visit>();
  const log = options.log ?? (() => undefined);
  const onDestination = ({ host, port }: Destination, why: string | null): void => {
    if (why !== null) log(`egress: ${host}:${port} refused: ${why}`);
  };

  const take = (socket: Socket, preamble: Buffer): void => {
    const visit = visits.get(preamble.readUInt32LE(0));
    if (visit === undefined) return void socket.destroy();
    visit.hold(socket);
    socket.unshift(preamble.subarray(4));
    serve(socket, visit);
  };

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const drop = (): void => void socket.destroy();
    socket.on("error", drop);
    socket.setTimeout(HANDSHAKE_MS, drop);
    const look = (): void => {
      const preamble: unknown = socket.read(PREAMBLE);
      if (!Buffer.isBuffer(preamble)) return;
      socket.off("readable", look);
      socket.off("end", drop);
      if (preamble.length === PREAMBLE) take(socket, preamble);
      else drop();
    };
    socket.on("readable", look);
    socket.on("end", drop);
  });
  server.maxConnections = MAX_CONNECTIONS;

  try {
    await removeDead(tmpdir(), SOCKET);
    const directory = await mkdtemp(join(tmpdir(), EGRESS_PLACE));
    // Other hosts remove a socket without a listener, so the socket gets its final name after it listens.
    const unready = join(directory, UNREADY);
    server.listen({ path: unready, backlog: MAX_CONNECTIONS });
    await once(server, "listening");
    await rename(unready, join(directory, SOCKET));
    server.on("error", (error) => log(`egress: ${error.message}`));
    const close = async (): Promise<void> => {
      for (const visit of visits.values()) visit.end();
      visits.clear();
      server.close();
      await once(server, "close");
      rmSync(directory, { recursive: true, force: true });
    };
    const admit: Egress["admit"] = (id, only, door = null) => {
      const visit = createVisit(only, door, onDestination);
      visits.set(id, visit);
      return () => {
        visits.delete(id);
        visit.end();
        return visit.destinations();
      };
    };
    return { kind: "opened", egress: { directory, admit, close } };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
};

export const EGRESS_PLACE = "parley-egress-";

/** A host creates the socket right after its directory. A directory without a socket for longer belongs to a dead host. */
const WITHOUT_SOCKET_MS = 60_000;

/** Removes this user's dead directories in `folder`, never those of a living host. Never rejects. */
export const removeDead = async (folder: string, socket: string): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(EGRESS_PLACE)))
    await removeOne(join(folder, name), socket).catch(() => undefined); // another host was faster
};

const removeOne = async (directory: string, socket: string): Promise<void> => {
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== process.geteuid?.()) return;
  const answer = await knock(join(directory, socket));
  if (answer === "ENOENT" && Date.now() - found.ctimeMs < WITHOUT_SOCKET_MS) return;
  if (answer !== "ECONNREFUSED" && answer !== "ENOENT") return;
  for (const name of [socket, UNREADY]) await rm(join(directory, name), { force: true });
  await rmdir(directory);
};

/** Returns the error code, or null if a process listens. */
const knock = (path: string): Promise<string | null> =>
  new Promise((resolve) => {
    const client = connect({ path });
    client.once("connect", () => {
      client.destroy();
      resolve(null);
    });
    client.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
  });
