import type { ReplyHandler, LauncherConnection } from "./connection.ts";
import type { GetResult, RunRequest, RunResult } from "./types.ts";
import { type ProcessEnd, encodeInput } from "./protocol.ts";

const PIECE = 64 * 1024;

interface RunHooks {
  /** Null if the output has no reader or goes to a file. */
  readonly onOutput: ((chunk: Buffer) => void) | null;
  /** Called when a background command has started. */
  readonly onStarted?: () => void;
  readonly settle: (result: RunResult) => void;
}

/** Output as it arrives, one result at the end. */
export const createRunCall = (
  id: number,
  connection: LauncherConnection,
  request: RunRequest,
  { onOutput, onStarted, settle }: RunHooks,
): ReplyHandler => {
  const feed = createFeed(id, connection, request.stdin);
  return (reply) => {
    if (reply.kind === "want") feed();
    if (reply.kind === "output") onOutput?.(reply.bytes);
    if (reply.kind === "started") onStarted?.();
    if (reply.kind !== "done") return false;
    settle(resultOf(reply, request.keep.head));
    return true;
  };
};

/** A file is read without `content`, otherwise written. */
export const createFileCall = (
  id: number,
  connection: LauncherConnection,
  content: Uint8Array | undefined,
  settle: (result: GetResult) => void,
): ReplyHandler => {
  const feed = createFeed(id, connection, content);
  const pieces: Buffer[] = [];
  return (reply) => {
    if (reply.kind === "want") feed();
    if (reply.kind === "output") pieces.push(reply.bytes);
    if (reply.kind === "done")
      settle({ kind: "error", code: "failed", message: reply.body.toString("utf8") });
    if (reply.kind === "file") {
      if (reply.error === null) settle({ kind: "file", bytes: Buffer.concat(pieces), mode: reply.mode });
      else settle({ kind: "error", code: reply.error, message: reply.text });
    }
    return reply.kind === "done" || reply.kind === "file";
  };
};

/** Returns a function that sends the next piece. The server asks for each piece when it has room; an empty piece is the end. */
const createFeed = (
  id: number,
  connection: LauncherConnection,
  content: RunRequest["stdin"],
): (() => void) => {
  if (typeof content === "function")
    return () => void content().then((piece) => connection.send(encodeInput(id, piece)));
  let sent = 0;
  return () => {
    const piece = content?.subarray(sent, sent + PIECE) ?? new Uint8Array();
    sent += piece.length;
    connection.send(encodeInput(id, piece));
  };
};

const resultOf = (done: ProcessEnd, headRoom: number): RunResult => {
  const output = {
    head: done.body.subarray(0, headRoom),
    tail: done.body.subarray(headRoom),
    total: done.total,
    durationMs: done.durationMs,
    ...(done.overran === null ? {} : { overran: done.overran }),
  };
  switch (done.how) {
    case "exited":
      return { kind: "exited", code: done.code, ...output };
    case "signalled":
      return { kind: "signalled", signal: done.code, ...output };
    case "timedOut":
      return { kind: "timedOut", ...output };
    case "killed":
      return { kind: "killed", ...output };
    case "failed":
      return { kind: "failed", reason: done.body.toString("utf8") };
  }
};
