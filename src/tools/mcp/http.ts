/** A server behind an address: asked by the host, with the operator's own token, at that origin and nowhere else. */

import type * as Sdk from "@modelcontextprotocol/client";
import type { FetchLike, Transport } from "@modelcontextprotocol/client";
import type { HttpWay } from "./entry.ts";
import { FLOODED, type Meter } from "./meter.ts";

export const createHttpTransport = (
  {
    ClientCredentialsProvider,
    StreamableHTTPClientTransport,
  }: Pick<typeof Sdk, "ClientCredentialsProvider" | "StreamableHTTPClientTransport">,
  { url, headers, oauth }: HttpWay,
  meter: Meter,
): Transport =>
  new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    redirectPolicy: "same-origin",
    fetch: measured(meter),
    ...(oauth === null
      ? {}
      : {
          authProvider: new ClientCredentialsProvider({
            clientId: oauth.clientId,
            clientSecret: oauth.clientSecret,
            expectedIssuer: oauth.issuer,
            ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
          }),
        }),
  });

/** Answers count as they come, so that none has to end before it is too much. */
const measured =
  (meter: Meter): FetchLike =>
  async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (meter.take(chunk.length, 0)) controller.enqueue(chunk);
        else controller.error(new Error(FLOODED));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  };
