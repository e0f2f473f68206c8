/**
 * The bytes between the host and the spawn server (launcher/server/server.h, launcher/server/spec.c). A frame is the length of
 * the rest (4 bytes), a type (1), the id of the launch (4) and a body. Integers are little-endian. A string is its length with
 * the final zero byte, its bytes and a zero byte.
 */

import type { FileError, ExceededLimit, SandboxPolicy, ProfileName } from "./types.ts";

/** The server refuses longer frames and stops. */
export const MAX_FRAME = 1024 * 1024;
const HEADER = 9;

const VERBS = { run: 1, start: 2, get: 3, put: 4 } as const satisfies Record<string, number>;
const KILL = 5;
const INPUT = 6;
const PROFILES: Readonly<Record<ProfileName, number>> = {
  restricted: 0,
  unrestricted: 1,
  setup: 2,
  fetch: 3,
  draft: 4,
};

/** Paths for `start`, `get` and `put` are relative to mount number `pathMount`. */
export interface Launch {
  readonly verb: keyof typeof VERBS;
  readonly policy: SandboxPolicy;
  readonly stdin: boolean;
  readonly live: boolean;
  readonly timeoutMs: number;
  readonly keep: { readonly head: number; readonly tail: number };
  /** `get`: maximum number of bytes to read. `put`: exact number of bytes that follow. */
  readonly bytes: number;
  readonly argv: readonly string[];
  readonly env: readonly string[];
  readonly pathMount: number;
  readonly path: string;
}

export type LauncherReply =
  | { readonly kind: "hello"; readonly id: number; readonly facts: string }
  | { readonly kind: "output"; readonly id: number; readonly bytes: Buffer }
  | { readonly kind: "started"; readonly id: number; readonly pid: number }
  | ({ readonly kind: "done"; readonly id: number } & ProcessEnd)
  | { readonly kind: "want"; readonly id: number }
  | {
      readonly kind: "file";
      readonly id: number;
      readonly error: FileError | null;
      readonly mode: number;
      readonly text: string;
    };

export interface ProcessEnd {
  readonly how: "exited" | "signalled" | "timedOut" | "killed" | "failed";
  readonly code: number;
  readonly total: number;
  readonly durationMs: number;
  readonly overran: ExceededLimit | null;
  /** Head and tail of the output, joined; the reason if `how` is `failed`. */
  readonly body: Buffer;
}

const HOW = [
  "exited",
  "signalled",
  "timedOut",
  "killed",
  "failed",
] as const satisfies readonly ProcessEnd["how"][];
const OVERRUNS = [
  null,
  "memory",
  "processes",
  "disk",
  "files",
] as const satisfies readonly (ExceededLimit | null)[];
const FILE_ERRORS = [
  "not_found",
  "not_a_file",
  "outside",
  "too_large",
  "denied",
  "no_space",
  "failed",
] as const satisfies readonly FileError[];

/** Null if the request exceeds a frame, or contains a string or number that no system call accepts. */
export const encodeLaunch = (id: number, launch: Launch): Buffer | null => {
  const { policy } = launch;
  const strings = [
    ...policy.mounts.flatMap((m) => [m.source, m.target, ...(m.under ?? [])]),
    policy.cwd,
    ...launch.argv,
    ...launch.env,
    launch.path,
  ];
  if (strings.some((text) => text.includes("\0"))) return null;
  const numbers = [policy.identity, launch.timeoutMs, launch.keep.head, launch.keep.tail, launch.pathMount];
  if (!numbers.every((value) => Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff)) return null;
  if (!Number.isInteger(launch.bytes) || launch.bytes < 0 || launch.bytes >= 2 ** 48) return null;
  if (launch.pathMount > 0xffff) return null;
  if (launch.argv.length > 0xffff || launch.env.length > 0xffff) return null;
  const body = Buffer.concat([
    byte(PROFILES[policy.profile]),
    byte(policy.network === "egress" ? 1 : 0),
    byte((launch.stdin ? 1 : 0) | (launch.live ? 2 : 0)),
    u32(policy.identity),
    u32(launch.timeoutMs),
    u32(launch.keep.head),
    u32(launch.keep.tail),
    u64(launch.bytes),
    u16(policy.mounts.length),
    ...policy.mounts.flatMap(({ write, source, target, under = [] }) => [
      byte(write ? 1 : 0),
      text(source),
      text(target),
      byte(under.length),
      ...under.map(text),
    ]),
    text(policy.cwd),
    u16(launch.argv.length),
    ...launch.argv.map(text),
    u16(launch.env.length),
    ...launch.env.map(text),
    u16(launch.pathMount),
    text(launch.path),
  ]);
  return body.length + HEADER > MAX_FRAME ? null : frame(VERBS[launch.verb], id, body);
};

export const encodeKill = (id: number): Buffer => frame(KILL, id, Buffer.alloc(0));

/** An empty piece ends the input. */
export const encodeInput = (id: number, piece: Uint8Array): Buffer => frame(INPUT, id, piece);

/** Cuts a byte stream into frames and keeps an incomplete rest. `push` returns the complete frames in order. */
export const createFrameReader = (): { push(chunk: Buffer): readonly Buffer[] } => {
  let pending: Buffer[] = [];
  let held = 0;
  return {
    push: (chunk) => {
      pending.push(chunk);
      held += chunk.length;
      const frames: Buffer[] = [];
      for (;;) {
        const length = held < 4 ? null : 4 + peekLength(pending);
        if (length === null || held < length) return frames;
        const whole = Buffer.concat(pending, held);
        frames.push(whole.subarray(0, length));
        pending = [whole.subarray(length)];
        held -= length;
      }
    },
  };
};

/** Null if this version of the launcher sends no such frame. */
export const decodeReply = (bytes: Buffer): LauncherReply | null => {
  if (bytes.length < HEADER) return null;
  const id = bytes.readUInt32LE(5);
  const body = bytes.subarray(HEADER);
  switch (bytes.readUInt8(4)) {
    case 1:
      return { kind: "hello", id, facts: body.toString("utf8") };
    case 2:
      return { kind: "output", id, bytes: body };
    case 3:
      return body.length === 4 ? { kind: "started", id, pid: body.readUInt32LE(0) } : null;
    case 4:
      return decodeDone(id, body);
    case 5:
      return { kind: "want", id };
    case 6:
      return decodeFile(id, body);
  }
  return null;
};

const decodeDone = (id: number, body: Buffer): LauncherReply | null => {
  if (body.length < 18) return null;
  const how = HOW[body.readUInt8(0) - 1];
  const overran = OVERRUNS[body.readUInt8(17)];
  if (how === undefined || overran === undefined) return null;
  return {
    kind: "done",
    id,
    how,
    code: body.readInt32LE(1),
    total: Number(body.readBigUInt64LE(5)),
    durationMs: body.readUInt32LE(13),
    overran,
    body: body.subarray(18),
  };
};

const decodeFile = (id: number, body: Buffer): LauncherReply | null => {
  if (body.length < 8) return null;
  const code = body.readInt32LE(0);
  const error = code === 0 ? null : FILE_ERRORS[code - 1];
  if (error === undefined) return null;
  return { kind: "file", id, error, mode: body.readUInt32LE(4), text: body.toString("utf8", 8) };
};

/** Reads the first four bytes, which may be spread over several chunks. */
const peekLength = (chunks: readonly Buffer[]): number => {
  const first = chunks[0];
  return first !== undefined && first.length >= 4
    ? first.readUInt32LE(0)
    : Buffer.concat([...chunks]).readUInt32LE(0);
};

const frame = (type: number, id: number, body: Uint8Array): Buffer =>
  Buffer.concat([u32(body.length + HEADER - 4), byte(type), u32(id), body]);

/** Little-endian. Node writes at most six bytes; higher bytes are zero. */
const unsigned =
  (width: number) =>
  (value: number): Buffer => {
    const bytes = Buffer.alloc(width);
    bytes.writeUIntLE(value, 0, Math.min(width, 6));
    return bytes;
  };

const byte = unsigned(1);
const u16 = unsigned(2);
const u32 = unsigned(4);
const u64 = unsigned(8);

const text = (value: string): Buffer => {
  const bytes = Buffer.from(`${value}\0`, "utf8");
  return Buffer.concat([u32(bytes.length), bytes]);
};
