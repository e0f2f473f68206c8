/** A server's own issuer: its tokens end when it is told so, and it takes each refresh token once and gives another. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { Door } from "./web.ts";

export interface Issuer {
  readonly door: Door;
  /** What it gave, and was shown, so far. */
  readonly given: readonly string[];
  /** The token with which calls are let in now. */
  access(): string;
  /** No token lets anybody in, until one is renewed. */
  expire(): void;
  /** Bytes that the server has answered so far. */
  answered(): number;
}

export const createIssuer = (first: string): Issuer => {
  const given: string[] = [first];
  const sockets = new Set<Socket>();
  let refresh = first;
  let access = "";

  const renew = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const shown = new URLSearchParams(await text(asked)).get("refresh_token") ?? "";
    if (shown !== refresh) {
      // As careless as issuers are.
      json(answer, 400, { error: "invalid_grant", error_description: `${shown} was used before` });
      return;
    }
    refresh = `refresh-token-${given.length}`;
    access = `access-token-${given.length}`;
    given.push(refresh, access);
    json(answer, 200, { access_token: access, token_type: "Bearer", expires_in: 60, refresh_token: refresh });
  };

  return {
    given,
    access: () => access,
    expire: () => {
      access = "";
    },
    answered: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    door: (asked, answer) => {
      const at = `http://${asked.headers.host}`;
      sockets.add(asked.socket);
      switch (asked.url ?? "") {
        case "/.well-known/oauth-protected-resource/mcp":
          json(answer, 200, { resource: `${at}/mcp`, authorization_servers: [at] });
          return true;
        case "/.well-known/oauth-authorization-server":
          json(answer, 200, {
            issuer: at,
            authorization_endpoint: `${at}/authorize`,
            token_endpoint: `${at}/token`,
            response_types_supported: ["code"],
            token_endpoint_auth_methods_supported: ["none"],
          });
          return true;
        case "/token":
          void renew(asked, answer);
          return true;
        default:
          if (access !== "" && asked.headers.authorization === `Bearer ${access}`) return false;
          answer.writeHead(401).end();
          return true;
      }
    },
  };
};

const json = (answer: ServerResponse, status: number, body: object): void => {
  answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};
