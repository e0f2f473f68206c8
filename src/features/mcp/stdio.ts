/**
 * A server that is a program. The program runs in the sandbox under a separate profile, sees only the declared files of the
 * host, and reaches only the declared network. No other process gets its environment. Of its standard error, only the last
 * lines are kept.
 */

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type {
  BackgroundHandle,
  SandboxPolicy,
  RunRequest,
  RunResult,
  Sandbox,
} from "../../../sandbox/types.ts";
import { overrunText } from "../../workspace/checkout/overrun.ts";
import { repositorySlot } from "../../workspace/disk/slots.ts";
import type { StdioWay } from "./entry.ts";
import { FLOODED, MAX_MESSAGE, MESSAGE_BOUNDS, type Meter } from "./meter.ts";
import { createJsonCount } from "../../text/outside-json.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Bytes sent to a server at once (RunRequest). */
const PIECE = 64 * 1024;
/** Characters of the last output outside messages that are kept. */
const LAST_WORDS = 600;

/** The required part of the SDK, which is loaded by the code that opens a connection. */
interface Wire {
  readonly deserializeMessage: (line: string) => JSONRPCMessage;
  readonly serializeMessage: (message: JSONRPCMessage) => string;
}

export interface SandboxTransport extends Transport {
  /** The reason for the end of the connection, in one sentence; null while the server runs. */
  why(): string | null;
}

export const createSandboxTransport = (
  sandbox: Pick<Sandbox, "start">,
  name: string,
  way: StdioWay,
  { meter, wire }: { readonly meter: Meter; readonly wire: Wire },
): SandboxTransport => {
  let handle: BackgroundHandle | null = null;
  let ended: string | null = null;
  let lastWords = "";
  const outgoing: Buffer[] = [];
  let wanted: ((piece: Uint8Array) => void) | null = null;

  /** Sends waiting data as soon as the program accepts more. */
  const flow = (): void => {
    const [first] = outgoing;
    if (wanted === null || first === undefined) return;
    const give = wanted;
    wanted = null;
    if (first.length <= PIECE) outgoing.shift();
    else outgoing[0] = first.subarray(PIECE);
    give(first.subarray(0, PIECE));
  };

  const end = (why: string): void => {
    if (ended !== null) return;
    ended = why;
    outgoing.length = 0;
    handle?.stop();
    transport.onclose?.();
  };

  const take = (line: string): void => {
    if (ended !== null || line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = wire.deserializeMessage(line);
    } catch {
      lastWords = `${lastWords}${line}\n`.slice(-LAST_WORDS);
      return;
    }
    transport.onmessage?.(message);
  };

  const lines = createLines(take, (over) => end(`a message of it ${over}`));

  const transport: SandboxTransport = {
    start: async () => {
      const started = await sandbox.start({
        ...requestOf(name, way),
        stdin: () =>
          new Promise((resolve) => {
            wanted = resolve;
            flow();
          }),
        onOutput: (chunk) => {
          if (ended !== null) return;
          const cut = lines(chunk);
          if (cut === TOO_LONG) end(`one message of it was longer than ${MAX_MESSAGE / 2 ** 20} MiB`);
          else if (!meter.take(chunk.length, cut)) end(FLOODED);
        },
      });
      if ("kind" in started) {
        ended = started.reason;
        throw new Error(started.reason);
      }
      handle = started;
      void started.done.then((result) =>
        end(`${endOf(result)}${lastWords === "" ? "" : `: ${lastWords.trim()}`}`),
      );
    },
    send: (message) => {
      if (ended !== null) return Promise.reject(new Error(ended));
      outgoing.push(Buffer.from(wire.serializeMessage(message)));
      flow();
      return Promise.resolve();
    },
    close: () => {
      end("it was ended");
      return Promise.resolve();
    },
    why: () => ended,
  };
  return transport;
};

/** Marks an unfinished line that exceeds the limit; the caller reports it. */
const TOO_LONG = Number.POSITIVE_INFINITY;

/** Splits output into lines in linear time; returns their number. Each piece is counted when it arrives. */
const createLines = (
  take: (line: string) => void,
  tooMuch: (why: string) => void,
): ((chunk: Buffer) => number) => {
  let pending: Buffer[] = [];
  let held = 0;
  const document = createJsonCount(MESSAGE_BOUNDS);
  const isOver = (piece: Buffer): boolean => {
    for (const code of piece) {
      const over = document.take(code);
      if (over === null) continue;
      tooMuch(over);
      return true;
    }
    return false;
  };
  return (chunk) => {
    let from = 0;
    let count = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      if (isOver(chunk.subarray(from, at))) return count;
      document.reset();
      take(Buffer.concat([...pending, chunk.subarray(from, at)]).toString("utf8"));
      pending = [];
      held = 0;
      from = at + 1;
      count += 1;
    }
    if (isOver(chunk.subarray(from))) return count;
    pending.push(chunk.subarray(from));
    held += chunk.length - from;
    return held > MAX_MESSAGE ? TOO_LONG : count;
  };
};

/** Standard error goes to a separate file and is printed last, so that it cannot split a message. */
const SCRIPT = '"$@" 2>"$TMPDIR/stderr"; code=$?; tail -c 2000 "$TMPDIR/stderr"; exit $code';

const requestOf = (name: string, way: StdioWay): Omit<RunRequest, "stdin"> => ({
  policy: serverPolicyOf(name, way),
  argv: ["/bin/sh", "-c", SCRIPT, "sh", ...way.argv],
  env: {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LANG: "C.UTF-8",
    HOME: "/tmp",
    ...way.env,
  },
  timeoutMs: DAY_MS,
  keep: { head: 0, tail: 0 },
});

/** Same confinement as a Restricted command, unless a declaration needs more. */
export const serverPolicyOf = (name: string, { paths, writePaths, hosts }: StdioWay): SandboxPolicy => ({
  profile: writePaths.length === 0 && hosts.length === 0 ? "restricted" : "unrestricted",
  ...(hosts.length === 0 ? { network: "none" } : { network: "egress", egressTo: hosts }),
  mounts: [
    ...paths.map((path) => ({ source: path, target: path, write: false })),
    ...writePaths.map((path) => ({ source: path, target: path, write: true })),
  ],
  cwd: "/tmp",
  identity: repositorySlot(`mcp ${name}`),
});

const endOf = (result: RunResult): string => {
  if (result.kind !== "failed" && result.overran !== undefined)
    return `the program ended: ${overrunText(result.overran)}`;
  switch (result.kind) {
    case "exited":
      return result.code === 127
        ? "the program was not found in the sandbox"
        : `the program ended with status ${result.code}`;
    case "signalled":
      return `the program was ended by signal ${result.signal}`;
    case "timedOut":
      return "the program ran for a day and was ended";
    case "killed":
      return "the program was ended";
    case "failed":
      return result.reason;
  }
};
