/**
 * The words of the sandbox: what may be asked of it and what it answers. Workspace and tools use these;
 * only `server.ts` and its neighbours know how a launch really happens.
 */

import type { Destination } from "./egress/visit.ts";

/** D26. T0: started as root (uid of its own). T1: user namespaces. T2: neither, Landlock ABI >= 6. T3: Restricted is refused. */
export type Tier = "T0" | "T1" | "T2" | "T3";

/** What this host can enforce, from trying it (never from a file under /sys/kernel/security). */
export interface Probe {
  readonly tier: Tier;
  /** Landlock ABI by system call; 0 when absent. */
  readonly abi: number;
  readonly errata: number;
  /** True when Restricted holds here: no write, no network, no secret read, no signal to others. */
  readonly restricted: boolean;
  /** Why Restricted is refused, with what the kernel needs; null when `restricted`. */
  readonly refusal: string | null;
  /** True where commands see the checkout at a fixed mount point instead of its host path. */
  readonly mounts: boolean;
  /** Where there are none: the step that this host refused, and its reason. Null with `mounts`. */
  readonly whyNoMounts: string | null;
  /**
   * What `network: "egress"` means here. `proxy`: an empty network with the host's egress proxy as the only way out.
   * `shared`: the host's own network, local ports and cloud metadata included, which the operator has accepted
   * (`SandboxOptions.acceptShared`). `none`: it would be that one, and Unrestricted commands run without a network.
   */
  readonly egress: "proxy" | "shared" | "none";
  /**
   * Whether Unrestricted commands are kept from the host's own files altogether. `open`: their modes and times can be
   * changed, so that Unrestricted runs only where the operator has accepted that (`SandboxOptions.acceptOpen`).
   */
  readonly unrestricted:
    | { readonly kind: "held" }
    | { readonly kind: "open"; readonly why: string }
    /** No command can be run at all. */
    | { readonly kind: "none"; readonly why: string };
  /** How many attacks a confined command tried at start, and how long that took; absent where there was nothing to prove. */
  readonly selfTest?: { readonly attacks: number; readonly ms: number };
  readonly enforced: readonly string[];
  /** Leaks that remain at this tier, each one sentence. */
  readonly residual: readonly string[];
}

/** A host directory made visible to a command. `target` is the path the command sees (honoured only with `Probe.mounts`). */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly write: boolean;
  /**
   * Directories that show through, the uppermost first; absent or empty: none. `source` then holds two directories, `upper`
   * for what is written and `work`. Only with `Probe.mounts`, and where the file system can do it.
   */
  readonly under?: readonly string[];
}

/**
 * D25. `setup` writes the checkout without network; `fetch` writes one mirror and may open outgoing TCP connections;
 * `draft` is held as `restricted` is, and may write what its mounts say (D42).
 */
export type ProfileName = "restricted" | "unrestricted" | "setup" | "fetch" | "draft";

export interface SandboxPolicy {
  readonly profile: ProfileName;
  /** Only `fetch` and `unrestricted` may say `egress`; everything else has no socket of any family. */
  readonly network: "none" | "egress";
  /** With `egress` through the proxy: the only destinations, `host:port` in lower case. Absent: what the operator allows. */
  readonly egressTo?: readonly string[];
  /**
   * Only with `fetch`: a port of the host's own 127.0.0.1 where the host itself serves this one launch. The proxy lets
   * it through beside `egressTo`; whoever listens there must ask for a word that only this launch was given.
   */
  readonly door?: number;
  readonly mounts: readonly Mount[];
  /** Where the command starts: a path inside one of the mounts, as the command sees it. */
  readonly cwd: string;
  /** Slot of the identity the command runs as (0 … 9,999). At T0 a uid of its own for each slot; ignored elsewhere. */
  readonly identity: number;
}

export interface RunRequest {
  readonly policy: SandboxPolicy;
  /** argv[0] is absolute or found on the PATH of `env`. */
  readonly argv: readonly string[];
  /** The whole environment of the command; nothing is inherited. TMPDIR is set by the sandbox. */
  readonly env: Readonly<Record<string, string>>;
  /** All of it, or what answers with the next piece of at most 64 KiB whenever there is room for one: an empty one ends it. */
  readonly stdin?: Uint8Array | (() => Promise<Uint8Array>);
  readonly timeoutMs: number;
  /** Bytes of output kept from the head and from the tail; what lies between is counted, not kept. */
  readonly keep: { readonly head: number; readonly tail: number };
}

export interface Output {
  /** stdout and stderr interleaved as written. When `total` exceeds head + tail, the middle is missing. */
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Bytes that the command wrote in all. */
  readonly total: number;
  readonly durationMs: number;
  /** The bound that the command broke and that ended it, or a process of it; absent when it kept all of them. */
  readonly overran?: ExceededLimit;
  /** Where the command asked to go; absent where no proxy stood between (`Probe.egress`). At most 100. */
  readonly destinations?: readonly Destination[];
}

export type ExceededLimit = "memory" | "processes" | "disk" | "files";

export type RunResult =
  | ({ readonly kind: "exited"; readonly code: number } & Output)
  | ({ readonly kind: "signalled"; readonly signal: number } & Output)
  | ({ readonly kind: "timedOut" } & Output)
  | ({ readonly kind: "killed" } & Output)
  /** The sandbox could not be set up: nothing ran (exit status 125 at the command line). */
  | { readonly kind: "failed"; readonly reason: string };

export interface RunHooks {
  /** Aborting kills everything the command started, daemonised or not, within 100 ms. */
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
  /** Process id as the commands of the conversation see it, or the handle to stop it by. */
  readonly id: number;
  stop(): void;
  /** Settles when the whole tree is gone. */
  readonly done: Promise<RunResult>;
}

/** The spawn server's client (D24). No member throws or rejects: failure is a value. */
export interface Sandbox {
  readonly probe: Probe;
  /**
   * The user whom a directory has to belong to before commands of that identity may write in it. Null where they run
   * as the bot's own user, or where mounts show them every directory as theirs.
   */
  ownerOf(identity: number): number | null;
  run(request: RunRequest, hooks?: RunHooks): Promise<RunResult>;
  /**
   * Starts a command whose output goes to `outputFile` (a path as the command sees it, in a writable mount), with a
   * last line that says how it ended; or to the caller as it arrives, before `done` settles.
   */
  start(
    request: RunRequest & ({ readonly outputFile: string } | { readonly onOutput: (chunk: Buffer) => void }),
  ): Promise<BackgroundHandle | { readonly kind: "failed"; readonly reason: string }>;
  /** Reads a regular file inside the confinement (openat2 beneath a mount; no link out is followed). */
  get(policy: SandboxPolicy, path: string, maxBytes: number): Promise<GetResult>;
  /** Writes a file atomically (temporary name, rename), parents made, inside the confinement. */
  put(policy: SandboxPolicy, path: string, bytes: Uint8Array): Promise<PutFileResult>;
  /** Kills what runs, ends the server, waits for it. */
  close(): Promise<void>;
}
