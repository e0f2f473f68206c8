/**
 * A door over http (src/ports/forge.ts): a server on the host's loopback, for one fetch of one repository. It passes on what
 * reading takes, two requests of git's smart protocol, to the forge with the credential, and nothing else: no push, no
 * other path, no redirect. Whoever knocks must show a word that only this fetch was given.
 */

import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request as overHttp, type ServerResponse } from "node:http";
import { request as overHttps } from "node:https";
import { PassThrough, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createUnzip } from "node:zlib";
import type { Door, Refusal } from "../ports/forge.ts";
import type { Address } from "./address.ts";
import { erased, eraseStream, shownIn } from "./credential-echo.ts";
import { authorization, type RemoteAccess } from "./remote.ts";
import { isUntrustedHost } from "./ask.ts";

/** Milliseconds in which nothing moves, after which a request is given up. */
const IDLE = 5 * 60_000;
const WORD = "x-parley-door";
const PATH = "/repository.git";
/** What of a request the forge is shown beside the credential, and what of its answer git is. */
const ASKED = [
  "accept",
  "content-encoding",
  "content-length",
  "content-type",
  "git-protocol",
  "user-agent",
] as const;
const ANSWERED = ["cache-control", "content-type"] as const;

type Refuse = (why: Refusal) => void;

/** Passes one request for the repository on; `refuse` answers it where that cannot be done. */
export type PassOn = (request: IncomingMessage, response: ServerResponse, refuse: Refuse) => Promise<void>;

export const openHttpDoor = async (passOn: PassOn): Promise<Door> => {
  const word = randomBytes(32).toString("hex");
  let refusal: Refusal | null = null;

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

/** What a fetch asks of the repository; null for anything else. */
const readingOf = ({ method, url }: IncomingMessage): string | null => {
  if (method === "GET" && url === `${PATH}/info/refs?service=git-upload-pack`) return url.slice(PATH.length);
  return method === "POST" && url === `${PATH}/git-upload-pack` ? url.slice(PATH.length) : null;
};

/** To the forge over https, with the credential in a header. What of it comes back does not get through (echo.ts). */
export const passOverHttps = (address: Address, access: RemoteAccess): PassOn => {
  const base = `${access.root}/${address.owner}/${address.name}.git`;
  return async (request, response, refuse) => {
    const shown = await headersFor(access);
    if (shown.kind === "none") return refuse(shown.refusal);
    const url = new URL(`${base}${readingOf(request) ?? ""}`);
    const send = url.protocol === "https:" ? overHttps : overHttp;
    const outgoing = send(url, {
      method: request.method ?? "GET",
      // Packed, an answer would hide what it holds.
      headers: { ...headersOf(request, ASKED), "accept-encoding": "identity", ...shown.headers },
      timeout: IDLE,
    });
    outgoing.on("timeout", () => outgoing.destroy());
    outgoing.on("error", (error) => {
      if (!response.destroyed) refuse(troubleOf(error));
    });
    outgoing.on("response", (answer) => {
      const forms = shownIn(shown.headers);
      const why = refusalOf(answer, url, forms);
      if (why !== null) {
        answer.resume();
        return refuse(why);
      }
      const headers = Object.entries(headersOf(answer, ANSWERED));
      response.writeHead(
        200,
        Object.fromEntries(headers.map(([name, value]) => [name, erased(value, forms)])),
      );
      pipeline(answer, unpacked(answer), eraseStream(forms), response).catch(() =>
        refuse({ kind: "unreachable" }),
      );
    });
    response.on("close", () => outgoing.destroy());
    request.on("error", () => outgoing.destroy());
    request.pipe(outgoing);
  };
};

type Shown =
  | { readonly kind: "headers"; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "none"; readonly refusal: Refusal };

const headersFor = async (access: RemoteAccess): Promise<Shown> => {
  try {
    return { kind: "headers", headers: authorization(await access.credential()) };
  } catch (error) {
    return { kind: "none", refusal: whyNone(error) };
  }
};

/** Why no credential could be had: a key that is none, an app that is not installed there, a forge that is away. */
const whyNone = (error: unknown): Refusal => {
  if (!(error instanceof Error && "status" in error)) return { kind: "expired" };
  if (!("response" in error) || error.response === undefined) return troubleOf(error);
  if (error.status === 404) return { kind: "notGiven" };
  return Number(error.status) >= 500 ? { kind: "unreachable" } : { kind: "expired" };
};

const headersOf = (message: IncomingMessage, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = message.headers[name];
      return typeof value === "string" ? [[name, value] as const] : [];
    }),
  );

/** For a forge that packs its answer all the same. */
const unpacked = ({ headers }: IncomingMessage): Transform =>
  /^(x-)?(gzip|deflate)$/i.test(headers["content-encoding"] ?? "") ? createUnzip() : new PassThrough();

const refusalOf = (
  { statusCode = 0, headers }: IncomingMessage,
  asked: URL,
  forms: readonly string[],
): Refusal | null => {
  if (statusCode === 200) return null;
  if (statusCode === 401) return { kind: "expired" };
  if (statusCode === 403 || statusCode === 404 || statusCode === 410) return { kind: "notGiven" };
  if (statusCode >= 300 && statusCode < 400) {
    const to = newName(headers.location, asked);
    return { kind: "moved", to: to === null || erased(to, forms) !== to ? null : to };
  }
  return { kind: "unreachable" };
};

/** Where a forge says that a repository now is, as far as it is a plain name on the same forge. */
const newName = (location: string | undefined, asked: URL): string | null => {
  const to = location === undefined ? null : URL.parse(location, asked.href);
  if (to === null || to.host !== asked.host) return null;
  const [, path = ""] = /^\/([^%]+)\/info\/refs$/.exec(to.pathname) ?? [];
  const name = path.replace(/\.git$/, "");
  return /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+){1,20}$/.test(name) ? name : null;
};

const troubleOf = (error: unknown): Refusal =>
  isUntrustedHost(error) ? { kind: "untrusted" } : { kind: "unreachable" };
