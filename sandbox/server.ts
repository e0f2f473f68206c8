/**
 * The spawn server's client (D24): owns the running launcher and turns requests into results. Only the launcher decides which
 * requests are allowed.
 */

import { resolve } from "node:path";
import {
  type ReplyHandler,
  connectLauncher,
  type LauncherResult,
  type LauncherConnection,
} from "./connection.ts";
import { createFileCall, createRunCall } from "./call.ts";
import { createEgress, type Egress } from "./egress/egress.ts";
import { createOutbound } from "./outbound.ts";
import { createLaunchPace } from "./pace.ts";
import { mountOrder, placePath, policyFault } from "./policy.ts";
import { describeProbe, noProbe, parseFacts } from "./probe.ts";
import { ATTACKS, selfTest } from "./selftest.ts";
import type {
  GetResult,
  SandboxPolicy,
  Probe,
  PutFileResult,
  RunHooks,
  RunRequest,
  RunResult,
  Sandbox,
} from "./types.ts";
import { encodeKill, encodeLaunch, type Launch } from "./protocol.ts";

export interface SandboxOptions {
  /** Path of a launcher that `locate.ts` has approved. */
  readonly launcher: string;
  /** PARLEY_SANDBOX=off: behaves like a kernel without Landlock. */
  readonly off?: boolean;
  /** T0: commands run as this uid plus their identity. Must be 1,000 or above, with unused uids. */
  readonly uidBase?: number;
  /** The operator accepts the risk in `Probe.unrestricted`; otherwise Unrestricted is refused at T2. */
  readonly acceptOpen?: boolean;
  /** The operator accepts that Unrestricted commands share the host's network if there is no proxy. */
  readonly acceptShared?: boolean;
  readonly bounds?: Partial<Bounds>;
  /** The proxy for commands with network egress (D25), closed with the sandbox. If absent, every connection is refused. */
  readonly egress?: Egress;
  /** A command that runs the launcher, for example as another user. Tests use it to reach other tiers. */
  readonly through?: readonly string[];
  readonly log?: (line: string) => void;
}

/** Limits of one Restricted command. Other commands may use twice the memory. */
export interface Bounds {
  /** For all processes together, at most half of the machine's memory. Default: 2,048. */
  readonly memoryMib: number;
  /** Processes and their threads. Default: 512. */
  readonly processes: number;
  /** Space that a writing command may add to the host's disk. Default: 8,192, and eight times as much for `fetch`. */
  readonly diskMib: number;
}

const DEFAULT_UID_BASE = 60_000;
const FILE_MS = 60_000;
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000;
const NOT_ACCEPTED =
  "Unrestricted is off here: its commands could change mode and times of the bot's own files. User namespaces or a start as root close that; PARLEY_ALLOW_T2_WRITES=on accepts it";
const NOTHING_KEPT = { head: 0, tail: 0 } as const;

const NOT_SENDABLE =
  "the command, its arguments or its environment are too long, hold a zero byte or a number out of range";
const KILLED_BEFORE = {
  kind: "killed",
  head: Buffer.alloc(0),
  tail: Buffer.alloc(0),
  total: 0,
  durationMs: 0,
} as const satisfies RunResult;

/** `aborted`: the signal came before the launch's turn. */
type Opened =
  | { readonly kind: "opened" }
  | { readonly kind: "aborted" }
  | { readonly kind: "refused"; readonly reason: string };

const refused = (reason: string): Opened => ({ kind: "refused", reason });

/** Starts the server and proves that Restricted holds before `probe.restricted` is true. Never rejects. */
export const createSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const log = options.log ?? (() => undefined);
  const launcher = resolve(options.launcher); // the server has another working directory
  const way = await openWay(options.egress, log);
  const command = [
    ...(options.through ?? []),
    launcher,
    "serve",
    String(options.uidBase ?? DEFAULT_UID_BASE),
    options.off === true ? "off" : "on",
    ...boundsOf(options.bounds ?? {}),
    ...(way === null ? [] : [way.directory]),
  ];
  let closing = false;
  let lastId = 0;
  let server: Promise<LauncherResult> = connectLauncher(command, log);
  const first = await server;
  const acceptShared = options.acceptShared === true;
  let probe: Probe = probeOf(first, [], acceptShared);
  const outbound = createOutbound(way, probe);
  const turn = createLaunchPace();

  /** Replaces a dead server. */
  const reach = async (): Promise<LauncherResult> => {
    if (closing) return { kind: "failed", reason: "the sandbox is closed" };
    const current = server;
    const now = await current;
    if (now.kind === "connected" && now.connection.alive()) return now;
    // The first caller starts the next server, and other callers wait for it.
    if (server === current) server = connectLauncher(command, log);
    return server;
  };

  const open = async (
    launch: Launch,
    call: (id: number, connection: LauncherConnection) => ReplyHandler,
    signal: AbortSignal | null = null,
  ): Promise<Opened> => {
    const fault = policyFault(launch.policy);
    if (fault !== null) return refused(fault);
    const { profile } = launch.policy;
    if ((profile === "restricted" || profile === "draft") && probe.refusal !== null)
      return refused(probe.refusal);
    if (profile === "unrestricted" && needsAcceptance(probe) && options.acceptOpen !== true)
      return refused(NOT_ACCEPTED);
    const id = ++lastId;
    const request = encodeLaunch(id, launch);
    if (request === null) return refused(NOT_SENDABLE);
    const leave = await turn(signal);
    if (leave === null) return { kind: "aborted" };
    const reached = await reach();
    if (reached.kind === "failed") {
      leave();
      return refused(reached.reason);
    }
    const { connection } = reached;
    const take = call(id, connection);
    const takeAndLeave: ReplyHandler = (reply) => {
      const isLast = take(reply);
      if (isLast) leave();
      return isLast;
    };
    connection.open(id, takeAndLeave, request);
    return { kind: "opened" };
  };

  const run = async (asked: RunRequest, hooks: RunHooks = {}): Promise<RunResult> => {
    const request = outbound.prepare(asked);
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    const launch = launchOf("run", request, { live: hooks.onOutput !== undefined, ...NO_FILE });
    const begin = (id: number, connection: LauncherConnection): ReplyHandler => {
      const kill = (): void => connection.send(encodeKill(id));
      hooks.signal?.addEventListener("abort", kill, { once: true });
      if (hooks.signal?.aborted === true) queueMicrotask(kill);
      const finish = outbound.admit(id, request.policy);
      const settle = (result: RunResult): void => {
        hooks.signal?.removeEventListener("abort", kill);
        resolve(finish(result));
      };
      return createRunCall(id, connection, request, { onOutput: hooks.onOutput ?? null, settle });
    };
    const opened = await open(launch, begin, hooks.signal ?? null);
    if (opened.kind === "opened") return promise;
    return opened.kind === "aborted" ? KILLED_BEFORE : { kind: "failed", reason: opened.reason };
  };

  const start: Sandbox["start"] = async (asked) => {
    const request = { ...outbound.prepare(asked), keep: NOTHING_KEPT };
    const onOutput = "onOutput" in request ? request.onOutput : null;
    const place = "onOutput" in request ? NO_FILE : fileIn(request.policy, request.outputFile, probe.mounts);
    if (place === null) return { kind: "failed", reason: "the output file is in no mount" };
    const launch = launchOf("start", request, { live: onOutput !== null, ...place });
    const begun = Promise.withResolvers<Awaited<ReturnType<Sandbox["start"]>>>();
    const done = Promise.withResolvers<RunResult>();
    const opened = await open(launch, (id, connection) => {
      const stop = (): void => connection.send(encodeKill(id));
      const finish = outbound.admit(id, request.policy);
      return createRunCall(id, connection, request, {
        onOutput,
        onStarted: () => begun.resolve({ id, stop, done: done.promise }),
        settle: (result) => {
          const reason = result.kind === "failed" ? result.reason : "it ended before it ran";
          begun.resolve({ kind: "failed", reason });
          done.resolve(finish(result));
        },
      });
    });
    return opened.kind === "refused" ? { kind: "failed", reason: opened.reason } : begun.promise;
  };

  const file = async (
    verb: "get" | "put",
    policy: SandboxPolicy,
    path: string,
    bytes: number,
    content?: Uint8Array,
  ): Promise<GetResult> => {
    const place = fileIn(policy, path, probe.mounts);
    if (place === null) return { kind: "error", code: "outside", message: `${path} is in no mount` };
    const input = content === undefined ? {} : { stdin: content };
    const request = { argv: [], env: {}, timeoutMs: FILE_MS, keep: NOTHING_KEPT, ...input };
    const launch = launchOf(
      verb,
      { ...request, policy: { ...policy, network: "none" } },
      { live: false, bytes, ...place },
    );
    const { promise, resolve } = Promise.withResolvers<GetResult>();
    const opened = await open(launch, (id, connection) => createFileCall(id, connection, content, resolve));
    return opened.kind === "refused" ? { kind: "error", code: "failed", message: opened.reason } : promise;
  };

  const sandbox = {
    run,
    start,
    get: (policy: SandboxPolicy, path: string, maxBytes: number) => file("get", policy, path, maxBytes),
    put: async (policy: SandboxPolicy, path: string, bytes: Uint8Array): Promise<PutFileResult> => {
      const result = await file("put", policy, path, bytes.length, bytes);
      return result.kind === "file" ? { kind: "done" } : result;
    },
    close: async (): Promise<void> => {
      closing = true;
      const last = await server;
      if (last.kind === "connected") await last.connection.close();
      await way?.close();
    },
  };

  if (probe.restricted) {
    const { broken, ms } = await selfTest(sandbox, launcher);
    for (const attack of broken) log(`sandbox self-test: ${attack}`);
    probe = { ...probeOf(first, broken, acceptShared), selfTest: { attacks: ATTACKS, ms } };
  }
  const base = options.uidBase ?? DEFAULT_UID_BASE;
  const ownerOf = (identity: number): number | null =>
    probe.tier === "T0" && !probe.mounts ? base + identity : null;
  return { ...sandbox, probe, ownerOf };
};

const boundsOf = ({
  memoryMib = 2048,
  processes = 512,
  diskMib = 8192,
}: Partial<Bounds>): readonly string[] =>
  [memoryMib, processes, diskMib].map((bound) => String(Math.ceil(bound)));

/** At T3 no acceptance is needed, because every conversation reports the missing confinement (D3). */
const needsAcceptance = (probe: Probe): boolean => probe.tier === "T2" && probe.unrestricted.kind === "open";

/** Null if no socket can be made; the launcher then refuses network requests. */
const openWay = async (given: Egress | undefined, log: (line: string) => void): Promise<Egress | null> => {
  if (given !== undefined) return given;
  const opened = await createEgress({ allow: [] });
  if (opened.kind === "opened") return opened.egress;
  log(`network egress: ${opened.reason}`);
  return null;
};

const probeOf = (connected: LauncherResult, broken: readonly string[], acceptShared: boolean): Probe => {
  if (connected.kind === "failed") return noProbe(connected.reason);
  const facts = parseFacts(connected.connection.facts);
  return facts === null
    ? noProbe("the launcher is of another version")
    : describeProbe(facts, broken, acceptShared);
};

const NO_FILE = { pathMount: 0, path: "" } as const;

/** Null if no mount contains the path. */
const fileIn = (
  policy: SandboxPolicy,
  path: string,
  mounts: boolean,
): Pick<Launch, "pathMount" | "path"> | null => {
  const placed = placePath(policy, path, mounts);
  if (placed.kind === "outside") return null;
  const mount = policy.mounts[placed.mount];
  const pathMount = mountOrder(policy).mounts.findIndex((each) => each === mount);
  return { pathMount, path: placed.rest };
};

const launchOf = (
  verb: Launch["verb"],
  request: RunRequest,
  rest: Pick<Launch, "live" | "pathMount" | "path"> & Partial<Pick<Launch, "bytes">>,
): Launch => ({
  verb,
  policy: mountOrder(request.policy),
  stdin: request.stdin !== undefined,
  timeoutMs: Math.max(1, Math.min(Math.ceil(request.timeoutMs), MAX_TIMEOUT_MS)),
  keep: request.keep,
  bytes: 0,
  argv: request.argv,
  env: Object.entries(request.env).map(([name, value]) => `${name}=${value}`),
  ...rest,
});
