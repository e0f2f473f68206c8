/** Answers reads through a door, and pushes, with a deploy key: requests of git's http protocol are answered over ssh. */

import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import type { Address } from "../../ports/address.ts";
import type { DeployKey } from "./api/credentials.ts";
import type { PassOn } from "./door-http.ts";
import type { ForgeRefusal } from "../../ports/forge.ts";
import type { RemoteAccess } from "./api/remote.ts";
import type { ForgeHttp } from "./api/http.ts";

const placeOf = ({ host, owner, name }: Address): Pick<SshAsk, "host" | "path"> => ({
  host: host.replace(/:\d+$/, ""),
  path: `${owner}/${name}.git`,
});

/** Heading that the http protocol puts before a list of refs. */
const heading = (service: SshAsk["service"]): Buffer => {
  const line = `# service=${service}\n`;
  return Buffer.from(`${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`);
};

/** Answers the requests of a door (src/ports/forge.ts). */
export const passOverSsh =
  (address: Address, key: DeployKey): PassOn =>
  async (request, response, refuse) => {
    const ending = new AbortController();
    response.on("close", () => ending.abort());
    const isList = request.method === "GET";
    const service = "git-upload-pack";
    const asked = request.headers["git-protocol"];
    const version = typeof asked === "string" && /^version=[12]$/.test(asked) ? asked : null;
    const body = request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request;
    const input = isList ? null : body;
    const answer = await askOverSsh({
      ...placeOf(address),
      key,
      service,
      version,
      input,
      signal: ending.signal,
    });
    if (answer.kind === "refused") return refuse(answer.refusal);
    const kind = isList ? "advertisement" : "result";
    response.writeHead(200, {
      "content-type": `application/x-${service}-${kind}`,
      "cache-control": "no-cache",
    });
    if (isList) response.write(heading(service));
    answer.output.on("error", () => refuse({ kind: "unreachable" }));
    answer.output.pipe(response);
  };

/** Answers the two requests of a push (api/remote.ts). */
export const sshRemote = (
  address: Address,
  key: DeployKey,
  { userAgent, wire }: { readonly userAgent: string; readonly wire: ForgeHttp },
): RemoteAccess => {
  const service = "git-receive-pack";
  const send: ForgeHttp["fetch"] = async (_, init = {}) => {
    const isList = init.method === undefined;
    const { body } = init;
    const input = isList || !(body instanceof Uint8Array) ? null : Readable.from([Buffer.from(body)]);
    const signal = init.signal ?? new AbortController().signal;
    const answer = await askOverSsh({ ...placeOf(address), key, service, version: null, input, signal });
    if (answer.kind === "refused") {
      const { kind } = answer.refusal;
      if (kind === "expired" || kind === "notGiven") return new Response(null, { status: 403 });
      throw new Error(`the remote is ${kind}`);
    }
    const bytes = await buffer(answer.output);
    return new Response(isList ? Buffer.concat([heading(service), bytes]) : bytes);
  };
  return {
    root: `ssh://${address.host}`,
    credential: () => Promise.resolve(null),
    userAgent,
    wire: { ...wire, fetch: send },
    right: "write access, which the forge grants a deploy key apart",
  };
};

interface SshAsk {
  readonly key: DeployKey;
  /** Host of the repository, unless the key's entry names another. */
  readonly host: string;
  /** Such as `acme/shop.git`. */
  readonly path: string;
  readonly service: "git-upload-pack" | "git-receive-pack";
  /** Protocol version, such as `version=2`; null for the first version. */
  readonly version: string | null;
  /** Null to request only the remote's list of refs. */
  readonly input: Readable | null;
  readonly signal: AbortSignal;
}

type SshAnswer =
  /** `output`: the remote's list of refs, or its answer to the input. */
  | { readonly kind: "open"; readonly output: Readable }
  | { readonly kind: "refused"; readonly refusal: ForgeRefusal };

/** Maximum number of bytes of a list of refs, and of ssh's messages. */
const MAX_LIST = 32 * 2 ** 20;
const MAX_SAID = 64 * 1024;
const HOST = /^[a-z0-9][a-z0-9.-]*$/;
const PATH = /^[A-Za-z0-9_.][A-Za-z0-9_./-]*$/;

/**
 * Speaks git's protocol over ssh with a deploy key: one ssh process per request, outside the sandbox, without
 * any other ssh configuration. The key stays in its file, which an agent's commands cannot read.
 *
 * Never rejects.
 */
const askOverSsh = async (ask: SshAsk): Promise<SshAnswer> => {
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

/** The first part of the remote's output, up to the packet `0000`; null if the output has no such packet. */
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

/** Messages of ssh or the remote are only matched here and not returned. The first match determines the refusal. */
const SIGNS: readonly (readonly [RegExp, ForgeRefusal])[] = [
  [/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i, { kind: "untrusted" }],
  [/Permission denied \(|Load key|invalid format|Too many authentication failures/i, { kind: "expired" }],
  [
    /not found|could not be found|does not exist|does not appear to be a git repository|access denied|denied to|not allowed|permission/i,
    { kind: "notGiven" },
  ],
];

const refusalOf = (said: string): ForgeRefusal =>
  SIGNS.find(([sign]) => sign.test(said))?.[1] ?? { kind: "unreachable" };
