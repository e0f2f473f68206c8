/**
 * What stands before a forge in a company: a server of its own, perhaps with TLS, that sees each request with its
 * credential and passes it on, or answers in the forge's place and quotes what it was shown.
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { buffer } from "node:stream/consumers";

export interface Knock {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** As latin1. */
  readonly body: string;
  /** Its credential in each form in which it can be read off the request; empty without one. */
  readonly shown: readonly string[];
}

export type Answer =
  /** It goes on to the forge, and what that answers comes back. */
  | { readonly kind: "pass"; readonly change?: (body: string) => string }
  | {
      readonly kind: "say";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** As latin1. */
      readonly body?: string;
    };

export interface Front {
  readonly url: string;
  /** Every credential that it was ever shown, in each form. */
  readonly shown: ReadonlySet<string>;
  /** Paths that were asked for. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

interface Options {
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly answer?: (knock: Knock) => Answer;
}

/** `behind`: the address of the forge that a path belongs to. */
export const createFront = async (
  behind: (path: string) => string,
  { tls, answer = () => ({ kind: "pass" }) }: Options = {},
): Promise<Front> => {
  const shown = new Set<string>();
  const asked: string[] = [];

  const receive = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers } = incoming;
    const body = await buffer(incoming);
    const knock = {
      method,
      path,
      body: body.toString("latin1"),
      shown: formsOf(headers.authorization ?? ""),
    };
    asked.push(path);
    for (const form of knock.shown) shown.add(form);
    const given = answer(knock);
    if (given.kind === "say") {
      return void response.writeHead(given.status, given.headers).end(given.body, "latin1");
    }
    const { "transfer-encoding": _, ...known } = headers;
    const sent = { ...known, "content-length": String(body.length) };
    const onward = request(new URL(path, behind(path)), { method, headers: sent });
    onward.end(body);
    const [got] = await once(onward, "response");
    const said = (await buffer(got)).toString("latin1");
    const { "content-length": __, "transfer-encoding": ___, ...rest } = got.headers;
    response.writeHead(got.statusCode, rest).end(given.change?.(said) ?? said, "latin1");
  };

  const serve = (incoming: IncomingMessage, response: ServerResponse): void =>
    void receive(incoming, response).catch(() => response.destroy());
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    shown,
    asked,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const formsOf = (authorization: string): readonly string[] => {
  const [, scheme = "", rest = ""] = /^(\w+) +(\S+)$/.exec(authorization) ?? [];
  if (rest === "") return [];
  const pair = scheme.toLowerCase() === "basic" ? Buffer.from(rest, "base64").toString() : "";
  return [rest, ...(pair === "" ? [] : [pair, pair.slice(pair.indexOf(":") + 1)])];
};

/** One packet of git's protocol. */
export const packet = (text: string): string => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;
