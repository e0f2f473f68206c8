/**
 * A door over http (src/ports/forge.ts): a server on the host's loopback for one fetch of one repository. The
 * server forwards only the two requests of git's smart protocol that a read needs, and adds the credential.
 * Pushes, other paths and redirects are refused. Each request must contain a secret word that only this fetch
 * received.
 */

import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { GitProxy, ForgeRefusal } from "../../ports/forge.ts";
import type { Address } from "../../ports/address.ts";
import { authorization, type RemoteAccess } from "./api/remote.ts";
import { mayLack } from "./api/eraser.ts";
import { isUntrustedHost } from "./api/ask.ts";

const WORD = "x-parley-door";
const PATH = "/repository.git";
/** Request headers that are sent to the forge in addition to the credential, and answer headers that are returned to git. */
const ASKED = ["accept", "content-encoding", "content-type", "git-protocol", "user-agent"];
const ANSWERED = ["cache-control", "content-type"];

type Refuse = (why: ForgeRefusal) => void;

/** Forwards one request for the repository; calls `refuse` if that is impossible. */
export type PassOn = (request: IncomingMessage, response: ServerResponse, refuse: Refuse) => Promise<void>;

export const openHttpDoor = async (passOn: PassOn): Promise<GitProxy> => {
  const word = randomBytes(32).toString("hex");
  let refusal: ForgeRefusal | null = null;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isKnown(request.headers[WORD], word) || readingOf(request) === null) {
      return void response.writeHead(404, { connection: "close" }).end();
    }
    const refuse: Refuse = (why) => {
      refusal = why;
      if (response.headersSent) response.destroy();
      else response.writeHead(403, { connection: "close" }).end();
    };
    await passOn(request, response, refuse).catch(() => refuse({ kind: "unreachable" }));
  };

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const listening = server.address();
  const port = listening !== null && typeof listening === "object" ? listening.port : 0;
  const root = `http://127.0.0.1:${port}`;
  return {
    port,
    address: `${root}${PATH}`,
    config: {
      "protocol.http.allow": "always",
      "http.followRedirects": "false",
      [`http.${root}/.extraHeader`]: `${WORD}: ${word}`,
    },
    refusal: () => refusal,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const isKnown = (shown: string | readonly string[] | undefined, word: string): boolean =>
  typeof shown === "string" &&
  shown.length === word.length &&
  timingSafeEqual(Buffer.from(shown), Buffer.from(word));

/** Path of a read request; null for any other request. */
const readingOf = ({ method, url }: IncomingMessage): string | null => {
  if (method === "GET" && url === `${PATH}/info/refs?service=git-upload-pack`) return url.slice(PATH.length);
  return method === "POST" && url === `${PATH}/git-upload-pack` ? url.slice(PATH.length) : null;
};

/**
 * Forwards a request to the forge over https, with the credential in a header. An echo of the credential in
 * the answer is erased (api/credential-echo.ts), and fetch gives up after five minutes without data.
 */
export const passOverHttps = (address: Address, access: RemoteAccess): PassOn => {
  const base = `${access.root}/${address.owner}/${address.name}.git`;
  return async (request, response, refuse) => {
    const shown = await access.credential().catch(whyNone);
    if (shown !== null && "kind" in shown) return refuse(shown);
    const url = new URL(`${base}${readingOf(request) ?? ""}`);
    const ending = new AbortController();
    response.on("close", () => ending.abort());
    try {
      const body = request.method === "POST" ? await bodyOf(request) : null;
      const answer = await access.wire.fetch(url, {
        method: request.method ?? "GET",
        headers: { ...pick(ASKED, (name) => request.headers[name]), ...authorization(shown) },
        body,
        redirect: "manual",
        signal: ending.signal,
      });
      const why = refusalOf(answer, url);
      if (why !== null) {
        await answer.body?.cancel();
        return refuse(why);
      }
      response.writeHead(
        200,
        pick(ANSWERED, (name) => answer.headers.get(name)),
      );
      await pipeline(answer.body ?? [], response);
    } catch (error) {
      if (!response.destroyed) refuse(troubleOf(error));
    }
  };
};

/** Maximum size of a request: a list of commits, which may be long. */
const MAX_ASKED = 64 * 2 ** 20;

const bodyOf = async (request: IncomingMessage): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += Buffer.byteLength(chunk);
    if (size > MAX_ASKED) throw new Error("more is asked for than a fetch asks");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const pick = (names: readonly string[], read: (name: string) => unknown): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = read(name);
      return typeof value === "string" ? [[name, value] as const] : [];
    }),
  );

/**
 * Reason why no credential could be obtained: an unusable key, an app that is not installed in the project, or an unreachable
 * forge.
 */
const whyNone = (error: unknown): ForgeRefusal => {
  if (!(error instanceof Error && "status" in error)) return { kind: "expired" };
  if (!("response" in error) || error.response === undefined) return troubleOf(error);
  if (error.status === 404) return { kind: "notGiven" };
  return Number(error.status) >= 500 ? { kind: "unreachable" } : { kind: "expired" };
};

const refusalOf = ({ status, headers }: Response, asked: URL): ForgeRefusal | null => {
  if (status === 200) return null;
  if (status === 401) return { kind: "expired" };
  if (status === 403 || status === 404 || status === 410) return { kind: "notGiven" };
  if (status >= 300 && status < 400) return { kind: "moved", to: newName(headers.get("location"), asked) };
  return { kind: "unreachable" };
};

/** New name of a moved repository, if it is a plain name on the same forge without traces of a credential. */
const newName = (location: string | null, asked: URL): string | null => {
  const to = location === null ? null : URL.parse(location, asked.href);
  if (to === null || to.host !== asked.host) return null;
  const [, path = ""] = /^\/([^%]+)\/info\/refs$/.exec(to.pathname) ?? [];
  const name = path.replace(/\.git$/, "");
  return /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+){1,20}$/.test(name) && !mayLack(name) ? name : null;
};

const troubleOf = (error: unknown): ForgeRefusal =>
  isUntrustedHost(error) ? { kind: "untrusted" } : { kind: "unreachable" };
