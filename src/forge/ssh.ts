/**
 * Git's protocol over ssh with a deploy key, as the host itself speaks it: one run of ssh for each request, outside the
 * sandbox, deaf to every configuration but this. The key stays in its file, which no command of an agent can read.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Refusal } from "../ports/forge.ts";
import type { DeployKey } from "./credentials.ts";

export interface SshAsk {
  readonly key: DeployKey;
  /** Where the entry names no other. */
  readonly host: string;
  /** As in `acme/shop.git`. */
  readonly path: string;
  readonly service: "git-upload-pack" | "git-receive-pack";
  /** Of the protocol, as in `version=2`; null for the first. */
  readonly version: string | null;
  /** Null: only what the remote has is asked for. */
  readonly input: Readable | null;
  readonly signal: AbortSignal;
}

type SshAnswer =
  /** What the remote has, or its answer to the input. */
  | { readonly kind: "open"; readonly output: Readable }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Bytes of a list of refs, and of what ssh says. */
const MAX_LIST = 32 * 2 ** 20;
const MAX_SAID = 64 * 1024;
const HOST = /^[a-z0-9][a-z0-9.-]*$/;
const PATH = /^[A-Za-z0-9_.][A-Za-z0-9_./-]*$/;

/** Never rejects. */
export const askOverSsh = async (ask: SshAsk): Promise<SshAnswer> => {
  const host = ask.key.host ?? ask.host;
  if (!HOST.test(host) || !PATH.test(ask.path)) return { kind: "refused", refusal: { kind: "notGiven" } };
  const child = spawn("ssh", [...argumentsOf(ask.key), "--", host, `${ask.service} '${ask.path}'`], {
    env: {
      PATH: process.env["PATH"],
      LC_ALL: "C",
      ...(ask.version === null ? {} : { GIT_PROTOCOL: ask.version }),
    },
    stdio: ["pipe", "pipe", "pipe"],
    signal: ask.signal,
    killSignal: "SIGKILL",
  });
  child.on("error", () => undefined);
  const closed = once(child, "close").catch(() => undefined);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-MAX_SAID);
  });
  child.stdin.on("error", () => undefined);
  const output: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  const list = await readList(output).catch(() => null);
  if (list === null) {
    child.kill("SIGKILL");
    await closed;
    return { kind: "refused", refusal: refusalOf(said) };
  }
  if (ask.input === null) {
    child.stdin.end("0000");
    child.stdout.resume();
    return { kind: "open", output: Readable.from([list.head]) };
  }
  pipeline(ask.input, child.stdin).catch(() => undefined);
  const rest = async function* () {
    try {
      if (list.rest.length > 0) yield list.rest;
      for (let next = await output.next(); next.done !== true; next = await output.next()) yield next.value;
    } finally {
      child.kill("SIGKILL");
    }
  };
  return { kind: "open", output: Readable.from(rest(), { objectMode: false }) };
};

const argumentsOf = ({ keyFile, knownHostsFile, user, port }: DeployKey): readonly string[] => {
  const options = {
    BatchMode: "yes",
    ClearAllForwardings: "yes",
    ConnectTimeout: "15",
    GlobalKnownHostsFile: "none",
    IdentitiesOnly: "yes",
    IdentityAgent: "none",
    LogLevel: "ERROR",
    PreferredAuthentications: "publickey",
    SendEnv: "GIT_PROTOCOL",
    ServerAliveInterval: "30",
    StrictHostKeyChecking: "yes",
    UpdateHostKeys: "no",
    UserKnownHostsFile: `"${knownHostsFile}"`,
  };
  const given = Object.entries(options).map(([name, value]) => `-o${name}=${value}`);
  return [..."-F none -T -i".split(" "), keyFile, "-l", user, "-p", String(port), ...given];
};

/** The first part of the remote's words, up to the packet `0000` that ends it; null where there is none. */
const readList = async (
  output: AsyncIterator<Buffer>,
): Promise<{ readonly head: Buffer; readonly rest: Buffer } | null> => {
  let bytes = Buffer.alloc(0);
  let at = 0;
  while (bytes.length < MAX_LIST) {
    while (bytes.length >= at + 4) {
      const digits = bytes.toString("latin1", at, at + 4);
      if (!/^[0-9a-f]{4}$/i.test(digits)) return null;
      const length = Number.parseInt(digits, 16);
      at += Math.max(4, length);
      if (length === 0) return { head: bytes.subarray(0, at), rest: bytes.subarray(at) };
    }
    const next = await output.next();
    if (next.done === true) return null;
    bytes = Buffer.concat([bytes, next.value]);
  }
  return null;
};

/** What ssh or the remote has said is read here and goes no further. First match wins. */
const SIGNS: readonly (readonly [RegExp, Refusal])[] = [
  [/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i, { kind: "untrusted" }],
  [/Permission denied \(|Load key|invalid format|Too many authentication failures/i, { kind: "expired" }],
  [
    /not found|could not be found|does not exist|does not appear to be a git repository|access denied|denied to|not allowed|permission/i,
    { kind: "notGiven" },
  ],
];

const refusalOf = (said: string): Refusal =>
  SIGNS.find(([sign]) => sign.test(said))?.[1] ?? { kind: "unreachable" };
