/** The connection to one running spawn server. Every opened call is settled exactly once, by a reply or by the server's end. */

import { spawn } from "node:child_process";
import { createFrameReader, decodeReply, type LauncherReply } from "./protocol.ts";

/** The server first tests the host, which takes some ms. */
const HELLO_MS = 10_000;
/**
 * Time limit for the server's end. After this limit the server is left running, because nothing else could end its commands.
 */
const FAREWELL_MS = 5_000;

/** Handles the replies to one launch; returns true for the last reply. */
export type ReplyHandler = (reply: LauncherReply) => boolean;

export interface LauncherConnection {
  /** The launcher's report on what the host can enforce, as JSON (parsed in probe.ts). */
  readonly facts: string;
  open(id: number, call: ReplyHandler, request: Buffer): void;
  send(frame: Buffer): void;
  alive(): boolean;
  close(): Promise<void>;
}

export type LauncherResult =
  | { readonly kind: "connected"; readonly connection: LauncherConnection }
  | { readonly kind: "failed"; readonly reason: string };

/** Never rejects. */
export const connectLauncher = (
  command: readonly string[],
  log: (line: string) => void,
): Promise<LauncherResult> => {
  const { promise, resolve } = Promise.withResolvers<LauncherResult>();
  const ended = Promise.withResolvers<void>();
  const child = spawn(command[0] ?? "", command.slice(1), {
    stdio: ["pipe", "pipe", "pipe"],
    env: {},
    cwd: "/",
  });
  const calls = new Map<number, ReplyHandler>();
  const reader = createFrameReader();
  let alive = true;

  const end = (reason: string): void => {
    alive = false;
    clearTimeout(hello);
    resolve({ kind: "failed", reason });
    for (const [id, call] of calls) call(failure(id, reason));
    calls.clear();
    ended.resolve();
  };
  const hello = setTimeout(() => child.kill("SIGKILL"), HELLO_MS);

  const connection = (facts: string): LauncherConnection => ({
    facts,
    open: (id, call, request) => {
      calls.set(id, call);
      child.stdin.write(request);
    },
    send: (frame) => {
      if (alive) child.stdin.write(frame);
    },
    alive: () => alive,
    close: async () => {
      child.stdin.end();
      const late = setTimeout(() => {
        log("sandbox server: commands not ended in time, the server continues to end them");
        child.unref();
        for (const stream of [child.stdout, child.stderr]) stream.destroy();
        ended.resolve();
      }, FAREWELL_MS);
      await ended.promise;
      clearTimeout(late);
    },
  });

  const take = (frame: Buffer): void => {
    const reply = decodeReply(frame);
    if (reply === null) {
      log("sandbox server: unknown frame received, server ended");
      child.kill("SIGKILL");
      return;
    }
    if (reply.kind === "hello") {
      clearTimeout(hello);
      resolve({ kind: "connected", connection: connection(reply.facts) });
      return;
    }
    if (calls.get(reply.id)?.(reply) === true) calls.delete(reply.id);
  };

  child.stdout.on("data", (chunk: Buffer) => {
    for (const frame of reader.push(chunk)) take(frame);
  });
  child.stderr.on("data", (chunk: Buffer) => log(`sandbox server: ${chunk.toString("utf8").trimEnd()}`));
  // After a failed write the server is dead, and its exit settles the calls.
  child.stdin.on("error", (error) => log(`sandbox server: ${error.message}`));
  child.on("error", (error) => end(`the sandbox launcher cannot be started: ${error.message}`));
  child.on("close", (code, signal) => end(`the sandbox server ended (${signal ?? `exit status ${code}`})`));
  return promise;
};

/** Replaces the reply that can no longer arrive. */
const failure = (id: number, reason: string): LauncherReply => ({
  kind: "done",
  id,
  how: "failed",
  code: 0,
  total: 0,
  durationMs: 0,
  overran: null,
  body: Buffer.from(reason),
});
