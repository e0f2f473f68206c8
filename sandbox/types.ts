/** Workspace and tools use these types; only `server.ts` and its neighbors handle the details of a launch. */

import type { Destination } from "./egress/visit.ts";

/**
 * D26. T0: started as root (separate uid for each command). T1: user namespaces. T2: neither, Landlock ABI >= 6. T3: Restricted
 * is refused.
 */
export type Tier = "T0" | "T1" | "T2" | "T3";

/** The host's abilities to confine commands, found by trying (never from a file under /sys/kernel/security). */
export interface Probe {
  readonly tier: Tier;
  /** Landlock ABI by system call; 0 if Landlock is absent. */
  readonly abi: number;
  readonly errata: number;
  /** Whether Restricted holds here: no write, no network, no read of secrets, no signal to other processes. */
  readonly restricted: boolean;
  /** The reason why Restricted is refused, with the kernel requirement; null if `restricted`. */
  readonly refusal: string | null;
  /** Whether commands see the checkout at a fixed mount point instead of its host path. */
  readonly mounts: boolean;
  /** The step that a host without mounts refused, with its reason; null with `mounts`. */
  readonly whyNoMounts: string | null;
  /**
   * Meaning of `network: "egress"` on this host. `proxy`: an empty network, with the host's egress proxy as the only exit.
   * `shared`: the host's own network, including local ports and cloud metadata, which the operator has accepted
   * (`SandboxOptions.acceptShared`). `none`: the operator has not accepted a shared network, so Unrestricted commands have no
   * network.
   */
  readonly egress: "proxy" | "shared" | "none";
  /**
   * Whether Unrestricted commands have no access to the host's own files. `open`: commands can change modes and times of those
   * files, so Unrestricted requires the operator's acceptance (`SandboxOptions.acceptOpen`).
   */
  readonly unrestricted:
    | { readonly kind: "held" }
    | { readonly kind: "open"; readonly why: string }
    | { readonly kind: "none"; readonly why: string };
  /** Number of attacks at start and their duration; absent if no protection was tested. */
  readonly selfTest?: { readonly attacks: number; readonly ms: number };
  readonly enforced: readonly string[];
  readonly residual: readonly string[];
}

/** A host directory that a command can see. `target`: path that the command sees (only with `Probe.mounts`). */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly write: boolean;
  /**
   * Lower directories that remain visible, the uppermost first; none if absent or empty. `source` then contains two
   * directories: `upper` for written files, and `work`. Requires `Probe.mounts` and a file system with support.
   */
  readonly under?: readonly string[];
}

/**
 * D25. `setup` writes the checkout without network. `fetch` writes one mirror and may open outgoing TCP connections. `draft` is
 * confined like `restricted` and may write its writable mounts (D42).
 */
export type ProfileName = "restricted" | "unrestricted" | "setup" | "fetch" | "draft";

export interface SandboxPolicy {
  readonly profile: ProfileName;
  /** Only `fetch` and `unrestricted` may use `egress`; every other profile has no socket of any family. */
  readonly network: "none" | "egress";
  /** The only permitted destinations through the proxy, `host:port` in lower case. If absent, the operator's rules apply. */
  readonly egressTo?: readonly string[];
  /**
   * Only with `fetch`: a port on the host's 127.0.0.1 where the host serves this launch. The proxy permits this port in
   * addition to `egressTo`. The server there must require a secret that only this launch has.
   */
  readonly door?: number;
  readonly mounts: readonly Mount[];
  /** Working directory at the start: a path inside one of the mounts, as the command sees it. */
  readonly cwd: string;
  /** Slot of the command's identity (0 to 9,999). At T0 each slot has a separate uid; other tiers ignore the slot. */
  readonly identity: number;
}

export interface RunRequest {
  readonly policy: SandboxPolicy;
  /** argv[0] is absolute or found on the PATH of `env`. */
  readonly argv: readonly string[];
  /** The complete environment of the command; nothing is inherited. The sandbox sets TMPDIR. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The whole input, or a function that returns the next piece of at most 64 KiB once the command can read it. An empty piece
   * ends the input.
   */
  readonly stdin?: Uint8Array | (() => Promise<Uint8Array>);
  readonly timeoutMs: number;
  /** Bytes of output to keep from the head and the tail; the rest is only counted. */
  readonly keep: { readonly head: number; readonly tail: number };
}

export interface Output {
  /** stdout and stderr, interleaved as written. If `total` exceeds head + tail, the middle is missing. */
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Number of bytes that the command wrote. */
  readonly total: number;
  readonly durationMs: number;
  /** The limit that ended the command or one of its processes; absent if no limit was exceeded. */
  readonly overran?: ExceededLimit;
  /** Destinations that the command requested, at most 100; absent without a proxy (`Probe.egress`). */
  readonly destinations?: readonly Destination[];
}

export type ExceededLimit = "memory" | "processes" | "disk" | "files";

export type RunResult =
  | ({ readonly kind: "exited"; readonly code: number } & Output)
  | ({ readonly kind: "signalled"; readonly signal: number } & Output)
  | ({ readonly kind: "timedOut" } & Output)
  | ({ readonly kind: "killed" } & Output)
  /** The sandbox could not be set up, so nothing ran (exit status 125 on the command line). */
  | { readonly kind: "failed"; readonly reason: string };

export interface RunHooks {
  /** Aborting kills everything that the command started, including daemons, within 100 ms. */
  readonly signal?: AbortSignal;
  /** Output as it arrives (coalesced by the server); for progress only. */
  readonly onOutput?: (chunk: Buffer) => void;
}

export type FileError =
  | "not_found"
  | "not_a_file"
  | "outside"
  | "too_large"
  | "denied"
  | "no_space"
  | "failed";

export type GetResult =
  | { readonly kind: "file"; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: "error"; readonly code: FileError; readonly message: string };

export type PutFileResult =
  | { readonly kind: "done" }
  | { readonly kind: "error"; readonly code: FileError; readonly message: string };

export interface BackgroundHandle {
  /** Process id in the conversation's commands, or the handle to stop the command. */
  readonly id: number;
  stop(): void;
  /** Resolves when the whole tree has ended. */
  readonly done: Promise<RunResult>;
}

/** The spawn server's client (D24). No member throws or rejects: a failure is a value. */
export interface Sandbox {
  readonly probe: Probe;
  /**
   * The user that must own a directory before commands of that identity may write there. Null if commands run as the bot's
   * user, or if mounts show every directory as theirs.
   */
  ownerOf(identity: number): number | null;
  run(request: RunRequest, hooks?: RunHooks): Promise<RunResult>;
  /**
   * Starts a command whose output goes to `outputFile` (a path as the command sees it, in a writable mount), with a last line
   * about its end. With `onOutput`, the caller receives the output before `done` settles.
   */
  start(
    request: RunRequest & ({ readonly outputFile: string } | { readonly onOutput: (chunk: Buffer) => void }),
  ): Promise<BackgroundHandle | { readonly kind: "failed"; readonly reason: string }>;
  /** Reads a regular file inside the confinement (openat2 below a mount; no link to the outside is followed). */
  get(policy: SandboxPolicy, path: string, maxBytes: number): Promise<GetResult>;
  /** Writes a file atomically (temporary name, rename) inside the confinement, and creates its parents. */
  put(policy: SandboxPolicy, path: string, bytes: Uint8Array): Promise<PutFileResult>;
  /** Kills all commands, ends the server and waits for its end. */
  close(): Promise<void>;
}
