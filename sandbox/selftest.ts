/**
 * Proves `probe.restricted`: a confined command tries the attacks of launcher/attack/attack.c against canaries of this process,
 * which are checked afterwards. Takes about 30 ms (`Probe.selfTest`).
 */

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holding } from "./probe.ts";
import type { SandboxPolicy, RunRequest, RunResult, Sandbox } from "./types.ts";
import { spawn } from "node:child_process";

const TIMEOUT_MS = 10_000;
const CONTENT = "canary\n";

interface SelfTest {
  readonly broken: readonly string[];
  readonly ms: number;
}

/** Never rejects: a test that cannot run counts as broken. */
export const selfTest = async (sandbox: Pick<Sandbox, "run">, launcher: string): Promise<SelfTest> => {
  const from = performance.now();
  const broken = await attempt(sandbox, launcher);
  return { broken, ms: Math.round(performance.now() - from) };
};

const attempt = async (sandbox: Pick<Sandbox, "run">, launcher: string): Promise<readonly string[]> => {
  try {
    const folder = await mkdtemp(join(tmpdir(), "parley-selftest-"));
    try {
      await chmod(folder, 0o755); // commands with a separate uid and no mounts must be able to enter
      return await attackIn(folder, sandbox, launcher);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    return [`the self-test could not run: ${error instanceof Error ? error.message : String(error)}`];
  }
};

const attackIn = async (
  folder: string,
  sandbox: Pick<Sandbox, "run">,
  launcher: string,
): Promise<readonly string[]> => {
  const secret = join(folder, "secret");
  const open = join(folder, "open");
  const readable = join(open, "readable");
  const socket = join(open, "socket");
  await mkdir(open);
  await writeFile(secret, CONTENT);
  await writeFile(readable, CONTENT);
  const before = await stat(readable);

  let reached = 0;
  const count = (): void => void reached++;
  const tcp = createServer(count).listen(0, "127.0.0.1");
  const local = createServer(count).listen(socket);
  await Promise.all([once(tcp, "listening"), once(local, "listening")]);
  const address = tcp.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const udp = createSocket("udp4", count).bind(port, "127.0.0.1");
  await once(udp, "listening");
  const victim = await createVictim();

  // Both are mounted under their own names, so that paths are equal with and without mount namespaces.
  const policy: SandboxPolicy = {
    profile: "restricted",
    network: "none",
    mounts: [
      { source: open, target: open, write: false },
      { source: launcher, target: launcher, write: false },
    ],
    cwd: open,
    identity: 0,
  };
  const request: RunRequest = {
    policy,
    argv: [launcher, "attack", secret, readable, String(port), String(victim.pid), socket],
    env: {},
    timeoutMs: TIMEOUT_MS,
    keep: { head: 16 * 1024, tail: 0 },
  };
  // The runs are concurrent: the first may get the waiting process (launcher/server/warm.c), and the second cannot.
  const results = await Promise.all([sandbox.run(request), sandbox.run(request)]);

  victim.end();
  tcp.close();
  local.close();
  udp.close();
  const after = await stat(readable);
  const left = [...(await readdir(open)), ...(await readdir(folder))].toSorted().toString();
  const contents = [await readFile(readable, "utf8"), await readFile(secret, "utf8")];
  const canaries = holding({
    "a listener of the host was reached": reached > 0,
    "a file was changed": contents.some((content) => content !== CONTENT),
    "a file's metadata was changed": after.mode !== before.mode || after.ctimeMs !== before.ctimeMs,
    "a file was made": left !== "open,readable,secret",
  });
  return [...new Set([...results.flatMap(leaksIn), ...canaries])];
};

/** An attack without a report counts as a failure of the test. */
const leaksIn = (result: RunResult): readonly string[] => {
  if (result.kind === "failed") return [result.reason];
  if (result.kind !== "exited" || result.code !== 0) return [`the attacks ended as ${result.kind}`];
  const lines = result.head
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  if (lines.length < ATTACKS) return [`only ${lines.length} of ${ATTACKS} attacks ran`];
  return lines.filter((line) => !line.startsWith("held ")).map((line) => line.replace("LEAK ", ""));
};

/** A launcher with fewer attacks is another version. */
export const ATTACKS = 46;

/**
 * In a container Parley may be process 1, and that number would name the supervisor in the sandbox's pid namespace. Such a
 * namespace begins with a handful of processes.
 */
const OWN = 20;

interface Victim {
  readonly pid: number;
  end(): void;
}

/** Returns this process, or a new process if this process's number is too low. Rejects if that process cannot be started. */
const createVictim = async (): Promise<Victim> => {
  if (process.pid > OWN) return { pid: process.pid, end: () => undefined };
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  await once(child, "spawn");
  return { pid: child.pid ?? process.pid, end: () => void child.kill("SIGKILL") };
};
