/** The frames between host and server: laws of the codec, and what the launcher says to bytes that are none. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateLauncher } from "../../sandbox/locate.ts";
import type { SandboxPolicy } from "../../sandbox/types.ts";
import {
  createFrameReader,
  decodeReply,
  encodeInput,
  encodeKill,
  encodeLaunch,
  type Launch,
  MAX_FRAME,
} from "../../sandbox/protocol.ts";

const word = fc
  .string({ unit: "binary", maxLength: 20 })
  .filter((text) => !text.includes("\0") && text.isWellFormed());
const policy: fc.Arbitrary<SandboxPolicy> = fc.record({
  profile: fc.constantFrom("restricted", "unrestricted", "setup", "fetch"),
  network: fc.constantFrom("none", "egress"),
  mounts: fc.array(
    fc.record({
      source: word,
      target: word,
      write: fc.boolean(),
      under: fc.array(word, { maxLength: 2 }),
    }),
    { maxLength: 5 },
  ),
  cwd: word,
  identity: fc.nat(9999),
});
const launch: fc.Arbitrary<Launch> = fc.record({
  verb: fc.constantFrom("run", "start", "get", "put"),
  policy,
  stdin: fc.boolean(),
  live: fc.boolean(),
  timeoutMs: fc.nat(),
  keep: fc.record({ head: fc.nat(), tail: fc.nat() }),
  bytes: fc.nat(),
  argv: fc.array(word, { maxLength: 5 }),
  env: fc.array(word, { maxLength: 5 }),
  pathMount: fc.nat(31),
  path: word,
});

/** Reads a request as launcher/server/spec.c does. */
const readLaunch = (frame: Buffer): { readonly id: number; readonly launch: Launch } => {
  let at = 9;
  const number = (width: number): number => {
    at += width;
    return frame.readUIntLE(at - width, width);
  };
  const string = (): string => {
    const length = number(4);
    at += length;
    expect(frame[at - 1]).toBe(0);
    return frame.toString("utf8", at - length, at - 1);
  };
  const list = <T>(item: () => T): readonly T[] => Array.from({ length: number(2) }, item);
  const profile = (["restricted", "unrestricted", "setup", "fetch"] as const)[number(1)] ?? "restricted";
  const network = number(1) === 1 ? "egress" : "none";
  const flags = number(1);
  const identity = number(4);
  const timeoutMs = number(4);
  const keep = { head: number(4), tail: number(4) };
  const bytes = number(4) + number(4) * 2 ** 32;
  const mounts = list(() => {
    const write = number(1) === 1;
    const [source, target] = [string(), string()];
    return { source, target, write, under: Array.from({ length: number(1) }, string) };
  });
  const cwd = string();
  const argv = list(string);
  const env = list(string);
  const pathMount = number(2);
  const path = string();
  expect(at).toBe(frame.length);
  const verb = (["run", "start", "get", "put"] as const)[(frame[4] ?? 0) - 1] ?? "run";
  return {
    id: frame.readUInt32LE(5),
    launch: {
      verb,
      policy: { profile, network, mounts, cwd, identity },
      stdin: (flags & 1) > 0,
      live: (flags & 2) > 0,
      timeoutMs,
      keep,
      bytes,
      argv,
      env,
      pathMount,
      path,
    },
  };
};

describe("the codec", () => {
  it("a request read back is the request that was written", () => {
    fc.assert(
      fc.property(fc.nat(), launch, (id, sent) => {
        const frame = encodeLaunch(id, sent);
        expect(frame === null ? null : readLaunch(frame)).toEqual({ id, launch: sent });
      }),
      { numRuns: 300 },
    );
  });

  it("frames come out whole and in order, however the bytes are cut", () => {
    const frames = fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 40 })), { maxLength: 8 });
    fc.assert(
      fc.property(frames, fc.array(fc.nat(400), { maxLength: 10 }), (sent, cuts) => {
        const whole = Buffer.concat(sent.map(([id, bytes]) => encodeInput(id, bytes)));
        const borders = [
          0,
          ...cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b),
          whole.length,
        ];
        const reader = createFrameReader();
        const received = borders.slice(1).flatMap((end, i) => reader.push(whole.subarray(borders[i], end)));
        expect(received.map((frame) => frame.toString("hex"))).toEqual(
          sent.map(([id, bytes]) => encodeInput(id, bytes).toString("hex")),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("no bytes make the reply reader throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const reply = decodeReply(Buffer.from(bytes));
        expect(reply === null || typeof reply.kind === "string").toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("a request with a zero byte, an odd number or above the frame's size is none", () => {
    const base = fc.sample(launch, 1)[0];
    if (base === undefined) throw new Error("no sample");
    expect(encodeLaunch(1, { ...base, argv: ["a\0b"] })).toBeNull();
    expect(encodeLaunch(1, { ...base, argv: ["x".repeat(MAX_FRAME)] })).toBeNull();
    expect(encodeLaunch(1, { ...base, argv: ["x".repeat(1000)] })).not.toBeNull();
    for (const value of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(encodeLaunch(1, { ...base, bytes: value })).toBeNull();
      expect(encodeLaunch(1, { ...base, timeoutMs: value })).toBeNull();
      expect(encodeLaunch(1, { ...base, keep: { head: value, tail: 0 } })).toBeNull();
    }
  });
});

describe("the server", () => {
  it("answers every request that is malformed, one by one, and runs none", async () => {
    const good = encodeLaunch(1, {
      verb: "run",
      policy: { profile: "restricted", network: "none", mounts: [], cwd: "/tmp", identity: 0 },
      stdin: false,
      live: false,
      timeoutMs: 1000,
      keep: { head: 10, tail: 10 },
      bytes: 0,
      argv: ["/bin/true"],
      env: [],
      pathMount: 0,
      path: "",
    });
    if (good === null) throw new Error("not encoded");
    const body = good.subarray(9);
    const unknownProfile = Buffer.from(body);
    unknownProfile.writeUInt8(9, 0);
    const cutShort = [0, 1, 10, body.length - 1].map((length) => frameOf(1, body.subarray(0, length)));
    const sent = [
      ...cutShort,
      frameOf(1, Buffer.concat([body, Buffer.from([0])])),
      frameOf(1, unknownProfile),
      frameOf(99, body),
      encodeKill(5),
      encodeInput(6, Buffer.from("x")),
    ];
    const { replies, code } = await answersTo(Buffer.concat(sent));
    expect(replies).toEqual([
      ...Array.from({ length: 5 }, () => "malformed request"),
      "unknown profile",
      "unknown request",
    ]);
    expect(code).toBe(0);
  });

  it("ends at a frame that is too long, and at random bytes, without running anything", async () => {
    const long = Buffer.alloc(9);
    long.writeUInt32LE(0xffff_ffff);
    expect(await answersTo(long)).toEqual({ replies: [], code: 0 });
    for (const bytes of fc.sample(fc.uint8Array({ minLength: 9, maxLength: 200 }), {
      numRuns: 10,
      seed: 1,
    })) {
      expect((await answersTo(Buffer.from(bytes))).code).toBe(0);
    }
  });
});

/** What the server answers to raw bytes, after its greeting, until it ends. */
const answersTo = async (
  bytes: Buffer,
): Promise<{ readonly replies: readonly string[]; readonly code: number | null }> => {
  const located = await locateLauncher("/nonexistent");
  if (located.kind === "failed") throw new Error(located.reason);
  const server = spawn(located.path, ["serve", "60000", "on", "2048", "512", "8192"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const reader = createFrameReader();
  const replies: string[] = [];
  server.stdout.on("data", (chunk: Buffer) => {
    for (const frame of reader.push(chunk)) {
      const reply = decodeReply(frame);
      if (reply?.kind === "done") replies.push(reply.body.toString());
      else if (reply?.kind !== "hello") replies.push(reply?.kind ?? "unreadable");
    }
  });
  server.stdin.on("error", () => undefined);
  server.stdin.end(bytes);
  await once(server, "close");
  return { replies, code: server.exitCode };
};

/** A frame of any type with any body. */
const frameOf = (type: number, bytes: Buffer): Buffer => {
  const header = Buffer.alloc(9);
  header.writeUInt32LE(bytes.length + 5);
  header.writeUInt8(type, 4);
  header.writeUInt32LE(77, 5);
  return Buffer.concat([header, bytes]);
};
