/** A real git server over https on this machine: git's own CGI behind node's server, with its own authority. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { serveGit } from "../fakes/shared/git-backend.ts";

const run = promisify(execFile);

export interface Forge extends AsyncDisposable {
  readonly port: number;
  /** PEM file of the authority that vouches for it. */
  readonly certificates: string;
  /** Requests so far, as `METHOD path`. */
  readonly requests: readonly string[];
  /** After so many more requests: answer with this status, or say nothing at all. */
  behave(how: "serve" | "hang" | number | { readonly moved: string }, after?: number): void;
  /** Settles when a request has come that is left hanging. */
  hung(): Promise<void>;
}

/** Serves the bare repositories below `root`. */
export const startForge = async (root: string): Promise<Forge> => {
  const key = join(root, "forge.key");
  const certificates = join(root, "forge.pem");
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  await run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
    ...subject,
    "-keyout",
    key,
    "-out",
    certificates,
  ]);
  const requests: string[] = [];
  let how: Parameters<Forge["behave"]>[0] = "serve";
  let patience = 0;
  let waiting = Promise.withResolvers<void>();
  const server = createServer(
    { key: await readFile(key), cert: await readFile(certificates) },
    (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      if (how === "serve" || patience-- > 0) {
        const { pathname, search } = new URL(request.url ?? "/", "https://127.0.0.1");
        return serveGit({ root, path: pathname, query: search.slice(1), user: null }, request, response);
      }
      if (how === "hang") return waiting.resolve();
      if (typeof how === "object") return void response.writeHead(302, { Location: how.moved }).end();
      const challenge = how === 401 ? { "WWW-Authenticate": 'Basic realm="forge"' } : {};
      response.writeHead(how, challenge).end();
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server),
    certificates,
    requests,
    behave: (next, after = 0) => {
      how = next;
      patience = after;
      waiting = Promise.withResolvers<void>();
    },
    hung: () => waiting.promise,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the forge has no port");
  return address.port;
};
