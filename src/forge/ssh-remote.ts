/** Reading through a door, and pushing, with a deploy key: requests of git's protocol over http, answered over ssh. */

import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Address } from "./address.ts";
import type { DeployKey } from "./credentials.ts";
import type { PassOn } from "./door-http.ts";
import type { RemoteAccess } from "./remote.ts";
import { askOverSsh, type SshAsk } from "./ssh.ts";
import type { ForgeHttp } from "./http.ts";

const placeOf = ({ host, owner, name }: Address): Pick<SshAsk, "host" | "path"> => ({
  host: host.replace(/:\d+$/, ""),
  path: `${owner}/${name}.git`,
});

/** What stands before a list that came over http. */
const heading = (service: SshAsk["service"]): Buffer => {
  const line = `# service=${service}\n`;
  return Buffer.from(`${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`);
};

/** For a door (src/ports/forge.ts). */
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

/** For pushes (remote.ts): the two requests that a push takes. */
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
