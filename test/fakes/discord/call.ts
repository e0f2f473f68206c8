/** One REST call, as tests see it and as routes read it. */

import type { IncomingHttpHeaders } from "node:http";
import type { Exchange } from "../shared/exchange.ts";

export interface Upload {
  /** `files[0]` and so on. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Call {
  /** 1 for the first request of this fake. */
  readonly seq: number;
  /** `POST /channels/{channel}/messages`; `unknown` for what is no route. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body, or what stood in `payload_json`. */
  readonly body: unknown;
  readonly files: readonly Upload[];
  readonly exchange: Exchange;
}

export type Body =
  | { readonly kind: "body"; readonly body: unknown; readonly files: readonly Upload[] }
  | { readonly kind: "unreadable" };

export const bodyIn = async (headers: IncomingHttpHeaders, bytes: Buffer): Promise<Body> => {
  const type = headers["content-type"] ?? "";
  if (bytes.length === 0) return { kind: "body", body: undefined, files: [] };
  if (type.startsWith("multipart/form-data")) return multipart(type, bytes);
  return jsonOf(bytes.toString("utf8"), []);
};

const multipart = async (type: string, bytes: Buffer): Promise<Body> => {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
    const files: Upload[] = [];
    for (const [field, value] of form) {
      if (typeof value !== "string") {
        files.push({
          field,
          name: value.name,
          type: value.type,
          bytes: Buffer.from(await value.arrayBuffer()),
        });
      }
    }
    const json = form.get("payload_json");
    return typeof json === "string" ? jsonOf(json, files) : { kind: "body", body: {}, files };
  } catch {
    return { kind: "unreadable" };
  }
};

const jsonOf = (text: string, files: readonly Upload[]): Body => {
  try {
    const body: unknown = JSON.parse(text);
    return { kind: "body", body, files };
  } catch {
    return { kind: "unreadable" };
  }
};
