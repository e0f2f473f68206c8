/** Git's own CGI behind a server of node: what a real forge answers on its git remotes. */

import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Backend {
  /** Directory of the bare repositories. */
  readonly root: string;
  /** Path of the request below `root`. */
  readonly path: string;
  readonly query: string;
  /** Who pushes; null where only fetches are served. */
  readonly user: string | null;
  /** It does what is asked, and the answer never arrives. */
  readonly losesAnswer?: boolean;
}

export const serveGit = (backend: Backend, request: IncomingMessage, response: ServerResponse): void => {
  const settings = { "safe.directory": "*", "http.receivepack": String(backend.user !== null) };
  const config = Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  const length = request.headers["content-length"];
  const env = {
    PATH: process.env["PATH"],
    GIT_PROJECT_ROOT: backend.root,
    GIT_HTTP_EXPORT_ALL: "1",
    GIT_CONFIG_COUNT: String(config.length / 2),
    ...Object.fromEntries(config),
    GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    PATH_INFO: backend.path,
    QUERY_STRING: backend.query,
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers["content-type"] ?? "",
    HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    ...(backend.user === null ? {} : { REMOTE_USER: backend.user }),
    ...(length === undefined ? {} : { CONTENT_LENGTH: length }),
  };
  const cgi = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "ignore"] });
  request.pipe(cgi.stdin);
  cgi.stdin.on("error", () => undefined);
  let head = Buffer.alloc(0);
  let headed = false;
  cgi.stdout.on("data", (chunk: Buffer) => {
    if (backend.losesAnswer === true) return;
    if (headed) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    headed = true;
    const fields = head
      .subarray(0, end)
      .toString("latin1")
      .split("\r\n")
      .map((line) => line.split(/: (.*)/s));
    const status = fields.find(([name]) => name === "Status")?.[1] ?? "200";
    response.statusCode = Number.parseInt(status, 10);
    for (const [name, value] of fields)
      if (name !== undefined && name !== "Status") response.setHeader(name, value ?? "");
    response.write(head.subarray(end + 4));
  });
  cgi.on("close", () => (backend.losesAnswer === true ? response.destroy() : response.end()));
};
