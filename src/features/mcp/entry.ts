import type { Millis } from "../../machine/id.ts";

export interface McpEntry {
  readonly name: string;
  readonly way: StdioWay | HttpWay;
  /** Tools that only read, according to the operator; every other tool writes. */
  readonly reads: readonly string[];
  /** Time limit of a call between two progress reports. */
  readonly timeout: Millis;
  /** Values that must not appear anywhere. */
  readonly secrets: readonly string[];
}

/** A program in the sandbox that sees only the declared parts of the host. */
export interface StdioWay {
  readonly kind: "stdio";
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Directories and files that the program may read; `writePaths`: also write. */
  readonly paths: readonly string[];
  readonly writePaths: readonly string[];
  /** `host:port` of every address that the program may reach. */
  readonly hosts: readonly string[];
}

export interface HttpWay {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth: OAuth | null;
}

/** How the host gets a token: with client credentials, or with the operator's refresh token. */
export interface OAuth {
  readonly issuer: string;
  readonly clientId: string;
  /** If both this secret and `privateKey` are absent, the client is public. */
  readonly clientSecret?: string | undefined;
  /** In PEM (PKCS 8). */
  readonly privateKey?: string | undefined;
  readonly algorithm?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
}
