/** Objects in a bucket of Amazon S3, or of another store that speaks its protocol. Loaded only where one is set. */

import type { Done } from "../../ports/host.ts";
import type { Objects } from "../../ports/store.ts";
import { failureOf } from "./failure.ts";
import type { S3Settings } from "./bucket.ts";
import { inPieces, putParts, readXml, unexpected } from "./parts.ts";
import { createRequest, type Patience, PATIENCE } from "./requests.ts";

/** Bytes that are sent at once: a part has at least 5 MiB, and an object at most 10,000 parts. */
const PART = 8 * 2 ** 20;

export const createS3 = (settings: S3Settings, patience: Patience = PATIENCE): Objects => {
  const request = createRequest(settings, patience);

  const list = async (prefix: string): ReturnType<Objects["list"]> => {
    const names: string[] = [];
    let more: string | undefined;
    do {
      const query = {
        "list-type": "2",
        prefix: settings.prefix + prefix,
        ...(more === undefined ? {} : { "continuation-token": more }),
      };
      const page = await request({ method: "GET", query }, readXml);
      if (page.kind !== "read") return unexpected(page);
      names.push(...page.elements("Key").map((key) => key.slice(settings.prefix.length)));
      [more] = page.elements("NextContinuationToken");
    } while (more !== undefined);
    return { kind: "names", names };
  };

  const removeOne = async (name: string): Promise<Done> => {
    const gone = await request({ method: "DELETE", name }, readXml);
    return gone.kind === "failed" ? gone : DONE;
  };

  return {
    put: async (name, bytes) => {
      const pieces = inPieces(bytes, PART);
      try {
        const { value: first } = await pieces.next();
        if (first?.byteLength === PART) return await putParts(request, name, from(first, pieces));
        const put = await request({ method: "PUT", name, body: first ?? new Uint8Array() }, readXml);
        return put.kind === "read" ? DONE : unexpected(put);
      } catch (error) {
        return failureOf(error);
      }
    },
    get: (name, take) =>
      request({ method: "GET", name }, async ({ bytes }) => {
        await take(bytes);
        return { kind: "got" } as const;
      }),
    list,
    remove: async (name) => {
      if (!name.endsWith("/")) return removeOne(name);
      const listed = await list(name);
      if (listed.kind === "failed") return listed;
      const gone = await Promise.all(listed.names.map(removeOne));
      return gone.find((one) => one.kind === "failed") ?? DONE;
    },
  };
};

const DONE = { kind: "done" } as const;

async function* from<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}
