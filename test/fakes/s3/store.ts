/** A store that speaks S3's protocol, as far as a host uses it: one bucket, in path style, with signatures checked. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { listenOnLoopback, readBody } from "../shared/server.ts";
import { type Keys, refusalOf } from "./signature.ts";

/**
 * What goes wrong: an answer; or, when what was asked is done, an answer that breaks off, a socket that ends, or silence.
 */
export type Fault =
  | { readonly kind: "answer"; readonly status: number; readonly code: string }
  | { readonly kind: "redirect"; readonly status: number; readonly region: string | null }
  | { readonly kind: "truncate" | "reset" | "silence" };

export interface FakeS3 {
  readonly url: string;
  readonly keys: Required<Keys>;
  /** Whole ones, by key. */
  readonly objects: Map<string, Buffer>;
  /** Method and address of each request that arrived, in order. */
  readonly asked: readonly string[];
  /** All that was sent in headers. */
  readonly sent: () => string;
  /** The next so many requests that begin with `method` and hold `text` go wrong. */
  fail(
    fault: Fault,
    match?: { readonly method?: string; readonly text?: string; readonly times?: number },
  ): void;
  /** Milliseconds by which its clock is ahead. */
  shift(by: number): void;
  close(): Promise<void>;
}

export const REGION = "eu-central-1";
const BUCKET = "team";
/** Names on a page of a list; Amazon's is 1,000. */
const PAGE = 3;
const MOST = 64 * 2 ** 20;

export const startS3 = async (): Promise<FakeS3> => {
  const keys = {
    accessKeyId: "AKIDCANARY",
    secretAccessKey: "canary/secret+key",
    sessionToken: "canary-token",
  };
  const objects = new Map<string, Buffer>();
  const asked: string[] = [];
  const headers: string[] = [];
  const faults: { readonly fault: Fault; readonly method: string; readonly text: string; left: number }[] =
    [];
  let ahead = 0;

  const nextFault = (request: IncomingMessage): Fault | null => {
    const line = `${request.method} ${request.url}`;
    const found = faults.find(
      ({ method, text, left }) => left > 0 && line.startsWith(method) && line.includes(text),
    );
    if (found === undefined) return null;
    found.left -= 1;
    return found.fault;
  };

  const carryOut = (method: string, key: string, query: URLSearchParams, body: Buffer): Answer => {
    switch (`${method} ${key === "" ? "list" : ""}`) {
      case "GET list": {
        const [from, prefix] = [query.get("continuation-token") ?? "", query.get("prefix") ?? ""];
        const all = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > from).toSorted();
        const page = all.slice(0, PAGE);
        const token =
          all.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
        const names = page.map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`).join("");
        return {
          status: 200,
          body: `<ListBucketResult><Name>${BUCKET}</Name>${token}${names}</ListBucketResult>`,
        };
      }
      case "GET ": {
        const bytes = objects.get(key);
        return bytes === undefined ? problem(404, "NoSuchKey") : { status: 200, body: bytes };
      }
      case "PUT ":
        objects.set(key, body);
        return { status: 200, body: "" };
      case "DELETE ":
        objects.delete(key);
        return { status: 204, body: "" };
      default:
        return problem(405, "MethodNotAllowed");
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push(`${request.method} ${request.url}`);
    headers.push(JSON.stringify(request.rawHeaders));
    const fault = nextFault(request);
    const read = await readBody(request, MOST);
    if (read.kind !== "read") return void response.destroy();
    const url = new URL(request.url ?? "/", "http://store");
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/");
    const now = Date.now() + ahead;
    const refusal = refusalOf(request, read.bytes, { keys, region: REGION, now });
    const isRefused = fault?.kind === "answer" || fault?.kind === "redirect";
    const answer = isRefused
      ? problem(500, "")
      : refusal !== null
        ? problem(
            refusal === "AuthorizationHeaderMalformed" ? 400 : 403,
            refusal,
            `<Region>${REGION}</Region>`,
          )
        : bucket === BUCKET
          ? carryOut(request.method ?? "", rest.join("/"), url.searchParams, read.bytes)
          : problem(404, "NoSuchBucket");
    const date = new Date(now).toUTCString();
    const reply = (given: Answer, more: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(given.status, { date, ...more }).end(given.body);
    };
    switch (fault?.kind) {
      case undefined:
        return reply(answer);
      case "answer":
        return reply(problem(fault.status, fault.code));
      case "redirect":
        return reply(
          problem(fault.status, "PermanentRedirect"),
          fault.region === null
            ? { location: "http://127.0.0.1:1/" }
            : { "x-amz-bucket-region": fault.region },
        );
      case "truncate": {
        const bytes = Buffer.from(answer.body);
        response.writeHead(answer.status, { date, "content-length": bytes.byteLength });
        response.write(bytes.subarray(0, bytes.byteLength / 2), () => response.destroy());
        return;
      }
      case "reset":
        return void request.socket.resetAndDestroy();
      case "silence":
        return;
    }
  };
  const server = await listenOnLoopback(handle);

  return {
    url: server.url,
    keys,
    objects,
    asked,
    sent: () => headers.join("\n"),
    fail: (fault, { method = "", text = "", times = 1 } = {}) =>
      void faults.push({ fault, method, text, left: times }),
    shift: (by) => {
      ahead = by;
    },
    close: server.close,
  };
};

interface Answer {
  readonly status: number;
  readonly body: string | Buffer;
}

const problem = (status: number, code: string, more = ""): Answer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No &amp; never</Message>${more}</Error>`,
});
