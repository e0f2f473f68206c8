/** A server behind an address: asked by the host, with the operator's own token, at that origin and nowhere else. */

import type * as Sdk from "@modelcontextprotocol/client";
import type { FetchLike, Transport } from "@modelcontextprotocol/client";
import { createJsonCount } from "../../text/outside-json.ts";
import { type AuthSdk, createAuthorization } from "./authorization.ts";
import type { HttpWay } from "./entry.ts";
import { FLOODED, type Meter } from "./meter.ts";
import type { Tokens } from "./tokens.ts";

export const createHttpTransport = (
  sdk: AuthSdk & Pick<typeof Sdk, "StreamableHTTPClientTransport">,
  server: string,
  { url, headers, oauth }: HttpWay,
  { meter, tokens }: { readonly meter: Meter; readonly tokens: Tokens },
): Transport => {
  const fetch = measured(meter);
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    redirectPolicy: "same-origin",
    fetch,
    ...(oauth === null ? {} : { authProvider: createAuthorization(sdk, { server, oauth, tokens, fetch }) }),
  });
};

const RETURN = 0x0d;
const LINE_END = 0x0a;

/** Answers count as they come, so that none has to end before it is too much. */
const measured =
  (meter: Meter): FetchLike =>
  async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const document = createJsonCount();
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    let before = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        let events = 0;
        for (const code of chunk) {
          if (code === RETURN) continue;
          const over = document.take(code);
          if (over !== null) return controller.error(new Error(`a message of it ${over}`));
          if (isStream && code === LINE_END && before === LINE_END) {
            events += 1;
            document.reset();
          }
          before = code;
        }
        if (meter.take(chunk.length, events)) controller.enqueue(chunk);
        else controller.error(new Error(FLOODED));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  };
