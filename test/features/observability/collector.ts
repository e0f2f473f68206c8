/** A collector of OTLP over HTTP: keeps the spans that it is sent, as JSON has them. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import * as z from "zod";

const valueSchema = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
});
const attributes = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((all) =>
    Object.fromEntries(
      all.map(({ key, value }) => [
        key,
        value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue,
      ]),
    ),
  );
const spanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: attributes.default({}),
});
const requestSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

export type Sent = z.infer<typeof spanSchema>;

export interface Collector {
  readonly url: string;
  readonly spans: readonly Sent[];
  readonly services: ReadonlySet<unknown>;
  /** Everything that came, headers left out. */
  readonly text: () => string;
  /** Path and one header of each request. */
  readonly requests: readonly { readonly path: string; readonly key: string | undefined }[];
  close(): void;
}

/** `status`: what it answers. */
export const createCollector = async (status = 200): Promise<Collector> => {
  const spans: Sent[] = [];
  const services = new Set<unknown>();
  const texts: string[] = [];
  const requests: { readonly path: string; readonly key: string | undefined }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = (await buffer(request)).toString("utf8");
    texts.push(text);
    const key = request.headers["x-api-key"];
    requests.push({ path: request.url ?? "", key: typeof key === "string" ? key : undefined });
    for (const { resource, scopeSpans } of requestSchema.parse(JSON.parse(text)).resourceSpans) {
      services.add(resource.attributes["service.name"]);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    services,
    text: () => texts.join("\n"),
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
