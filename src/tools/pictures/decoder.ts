import { basename, join } from "node:path";
import type { SandboxPolicy, Probe, RunRequest } from "../../../sandbox/types.ts";
import { sandboxPathOf } from "../../workspace/disk/layout.ts";
import { NODE, packageMounts, readOnly } from "../node-program.ts";
import { MAX_BYTES, MAX_PIXELS, MAX_SIDE } from "./limits.ts";

/** The most expensive picture takes six seconds on a current machine, and twenty on a busy one. */
const TIMEOUT_MS = 60_000;

const KEEP = { head: MAX_BYTES, tail: 0 } as const;

/** Slots that no conversation gets (src/workspace/disk/slots.ts), one for each parallel decoder. */
const FIRST_IDENTITY = 9_998;

export interface Decoder {
  /** `lane` distinguishes decoders that run at the same time; `memory` is in megabytes. */
  request(bytes: Uint8Array, lane: number, memory: number): RunRequest;
}

/** Throws if the library's packages cannot be read. */
export const findDecoder = (probe: Pick<Probe, "mounts" | "restricted">): Decoder => {
  const mounts = [NODE, CHILD, ...packageMounts("sharp")];
  const command = [
    join(sandboxPathOf({ probe }, NODE), basename(process.execPath)),
    ...FLAGS,
    join(sandboxPathOf({ probe }, CHILD), "decode.mjs"),
    ...LIMITS,
  ];
  const policy = (lane: number): SandboxPolicy => ({
    // If the kernel cannot enforce Restricted, a separate process is still better than none (BED-014).
    profile: probe.restricted ? "restricted" : "unrestricted",
    network: "none",
    mounts,
    cwd: sandboxPathOf({ probe }, CHILD),
    identity: FIRST_IDENTITY + lane,
  });
  return {
    request: (stdin, lane, memory) => ({
      policy: policy(lane),
      argv: ["/bin/sh", "-c", startWith(memory), ...command],
      env: ENVIRONMENT,
      stdin,
      timeoutMs: TIMEOUT_MS,
      keep: KEEP,
    }),
  };
};

const LIMITS = [MAX_PIXELS, MAX_SIDE, MAX_BYTES].map(String);

/** Silences standard error, which would mix with the picture's bytes. */
const startWith = (memory: number): string =>
  `exec 2>/dev/null; ulimit -s 2048; ulimit -d ${memory * 1_024}; exec "$0" "$@"`;

/** Disables run-time code generation, which would count as memory; one thread does all work. */
const FLAGS = ["--jitless", "--v8-pool-size=0", "--max-old-space-size=64"];

const ENVIRONMENT = { LC_ALL: "C", UV_THREADPOOL_SIZE: "1", VIPS_CONCURRENCY: "1", MALLOC_ARENA_MAX: "1" };

/** This directory has a package.json, because Node reads the nearest one and must not need the project's. */
const CHILD = readOnly(join(import.meta.dirname, "child"), "decoder");
