/** A server of the operator's file (PARLEY_MCP), as it was read. */

import type { Millis } from "../../machine/id.ts";

export interface McpEntry {
  /** As people and the model call it. */
  readonly name: string;
  readonly way: StdioWay | HttpWay;
  /** Tools that only read, by the operator's word; every other one writes. */
  readonly reads: readonly string[];
  /** Of one call, between two signs of progress. */
  readonly timeout: Millis;
  /** What must show up nowhere. */
  readonly secrets: readonly string[];
}

/** A program that runs in the sandbox and sees what is declared here, and nothing else of the host. */
export interface StdioWay {
  readonly kind: "stdio";
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Directories and files that it reads, and those that it writes. */
  readonly paths: readonly string[];
  readonly writePaths: readonly string[];
  /** `host:port` of everything that it reaches. */
  readonly hosts: readonly string[];
}

export interface HttpWay {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth: OAuth | null;
}

/** How the host gets a token: by credentials of its own, or by a refresh token of the operator's. */
export interface OAuth {
  readonly issuer: string;
  readonly clientId: string;
  /** Without it and `privateKey` the client is a public one. */
  readonly clientSecret?: string | undefined;
  /** In PEM (PKCS 8). */
  readonly privateKey?: string | undefined;
  readonly algorithm?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
}
