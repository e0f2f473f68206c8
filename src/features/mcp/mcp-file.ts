/**
 * The operator's file of MCP servers (PARLEY_MCP): `mcpServers` as in other programs, with additional fields for the sandbox
 * and approvals. Comments are allowed, every problem names its line, and secrets come from the environment.
 */

import { z } from "zod";
import { plainUrl } from "../../settings/kinds.ts";
import { readJsonFile } from "../../model/json-file.ts";
import type { McpEntry } from "./entry.ts";

const text = z.string().min(1).max(10_000);
const texts = z.array(text).max(100);
const values = z.record(
  z.string().regex(/^[A-Za-z_][\w-]*$/, "must be a name of letters, digits, _ and -"),
  z.string(),
);
const path = z
  .string()
  .regex(/^\/(?!.*(?:\/\/|\/\.{1,2}(?:\/|$)))[^\0]*[^/\0]$/, "must be a plain absolute path");
const host = z
  .string()
  .regex(/^[a-z0-9.-]+(:\d{1,5})?$/, "must be a host in lower case, with or without :port")
  .transform((one) => (one.includes(":") ? one : `${one}:443`));

const oauth = z
  .strictObject({
    issuer: plainUrl,
    clientId: text,
    clientSecret: text.optional(),
    privateKey: text.optional(),
    algorithm: z.enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384"]).optional(),
    refreshToken: text.optional(),
    scope: text.optional(),
  })
  .superRefine(({ clientSecret, privateKey, refreshToken }, context) => {
    if (clientSecret !== undefined && privateKey !== undefined)
      context.addIssue({
        code: "custom",
        path: ["privateKey"],
        message: "and clientSecret exclude each other",
      });
    if ((clientSecret ?? privateKey ?? refreshToken) === undefined)
      context.addIssue({
        code: "custom",
        path: ["clientSecret"],
        message: "is required, or privateKey, or refreshToken",
      });
  });

const server = z
  .strictObject({
    type: z.enum(["stdio", "http", "streamable-http"]).optional(),
    command: text.optional(),
    args: texts.optional(),
    env: values.optional(),
    url: plainUrl.optional(),
    headers: values.optional(),
    oauth: oauth.optional(),
    /** Tools that only read; every other tool needs approval. */
    read: texts.default([]),
    paths: z.array(path).max(20).optional(),
    writePaths: z.array(path).max(10).optional(),
    hosts: z.array(host).max(50).optional(),
    timeoutSeconds: z.int().min(1).max(600).default(60),
  })
  .superRefine((one, context) => {
    const isHttp = one.url !== undefined;
    const fault = (field: string, message: string): void =>
      context.addIssue({ code: "custom", path: [field], message });
    if (isHttp === (one.command !== undefined)) fault("command", "or url is required, but not both");
    for (const field of isHttp ? STDIO : HTTP)
      if (one[field] !== undefined)
        fault(field, `does not belong to a server with ${isHttp ? "url" : "command"}`);
    if (one.type !== undefined && (one.type === "stdio") === isHttp)
      fault("type", "conflicts with the other fields");
    if (isHttp && URL.parse(one.url ?? "")?.protocol === "http:" && !LOCAL.test(one.url ?? ""))
      fault("url", "must begin with https:// unless the address is on this machine");
  });

const STDIO = ["command", "args", "env", "paths", "writePaths", "hosts"] as const;
const HTTP = ["url", "headers", "oauth"] as const;
const LOCAL = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$)/;

const file = z.strictObject({
  mcpServers: z.record(
    z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9_-]{0,39}$/,
        "must be a name of at most 40 lower-case letters, digits, _ and -",
      ),
    server,
  ),
});

export type McpFile =
  | { readonly kind: "servers"; readonly servers: readonly McpEntry[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** `variable`: returns an environment variable, which may be a secret. */
export const readMcpFile = (name: string, variable: (name: string) => string | null): McpFile => {
  const read = readJsonFile(name, file, {
    setting: "PARLEY_MCP",
    noun: "a server",
    outer: 2,
    fieldsAt: (place) => (place.length === 0 ? ["mcpServers"] : place.includes("oauth") ? OAUTH : FIELDS),
  });
  if (read.kind === "invalid") return read;
  const problems: string[] = [];
  const servers = Object.entries(read.value.mcpServers).map(([called, one]): McpEntry => {
    const secrets: string[] = [];
    const filled = (value: string, ...place: readonly string[]): string =>
      value.replaceAll(/\$\{([^}]*)\}/g, (_, wanted: string) => {
        const found = variable(wanted);
        if (found === null)
          problems.push(`${read.at(["mcpServers", called, ...place])}: \${${wanted.slice(0, 60)}} ${UNSET}`);
        else secrets.push(found);
        return found ?? "";
      });
    const all = (field: "env" | "headers"): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(one[field] ?? {}).map(([key, value]) => [key, filled(value, field, key)]),
      );
    const { url, command = "" } = one;
    const headers = all("headers");
    const env = all("env");
    const credentials = Object.fromEntries(
      CREDENTIALS.flatMap((field) => {
        const value = one.oauth?.[field];
        return value === undefined ? [] : [[field, filled(value, "oauth", field)]];
      }),
    );
    const known = [...secrets, ...Object.values(headers), ...Object.values(credentials)];
    const named = Object.entries(env).flatMap(([key, value]) => (SECRET_NAME.test(key) ? [value] : []));
    return {
      name: called,
      reads: one.read,
      timeout: one.timeoutSeconds * 1000,
      secrets: [...known, ...known.map(withoutScheme), ...named].filter(({ length }) => length >= LEAST),
      way:
        url === undefined
          ? {
              kind: "stdio",
              argv: [command, ...(one.args ?? [])],
              env,
              paths: one.paths ?? [],
              writePaths: one.writePaths ?? [],
              hosts: one.hosts ?? [],
            }
          : {
              kind: "http",
              url,
              headers,
              oauth: one.oauth === undefined ? null : { ...one.oauth, ...credentials },
            },
    };
  });
  return problems.length === 0 ? { kind: "servers", servers } : { kind: "invalid", problems };
};

/** `Bearer abc` also hides `abc`. */
const withoutScheme = (value: string): string => value.replace(/^\w+ +/, "");

const FIELDS = Object.keys(server.shape);
const OAUTH = Object.keys(oauth.shape);
const CREDENTIALS = ["clientSecret", "privateKey", "refreshToken"] as const;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL/i;
const LEAST = 8;
const UNSET =
  "is not set; variables in this file must end in _KEY or _TOKEN and must not be settings of Parley";
