/**
 * Checks a server's messages before the SDK's schemas parse them. A schema creates an issue for each wrong entry and joins all
 * issues: 400 KB of wrong entries block the event loop for seconds and need hundreds of megabytes. This module therefore counts
 * lists, checks the entries of the two long lists one at a time, and reports only the first wrong entry.
 */

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import * as z from "zod";

/** Maximum number of blocks of an answer, and of tools of a list. */
const MAX_ENTRIES = 2_000;
/** Maximum number of entries of all other lists that a schema reads, together. */
const MAX_OTHERS = 2_000;

export const guardMessages = (transport: Transport): void => {
  let handler = transport.onmessage;
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    enumerable: true,
    get: () => handler,
    set: (next: Transport["onmessage"]) => {
      handler =
        next &&
        ((message, extra) => {
          const read = within(message);
          if (read !== null) next(read, extra);
        });
    },
  });
};

/** Returns a message that the SDK may read: an answer beyond the limits becomes an error; any other such message is dropped. */
const within = <M extends JSONRPCMessage>(message: M): M | null => {
  const why = listProblemOf(message);
  if (why === null) return message;
  if (!("id" in message) || "method" in message) return null;
  const { jsonrpc, id } = message;
  // The SDK accepts an error instead of the answer; both types belong to one union.
  return { jsonrpc, id, error: { code: INTERNAL, message: `its answer ${why}` } } as M;
};

const INTERNAL = -32_603;

/** The reason why the message is not accepted; null if it is accepted. */
export const listProblemOf = (message: object): string | null => {
  const result = "result" in message ? message.result : undefined;
  const { content, tools, ...others } = lists.parse(result);
  return (
    wrongIn("content", content, block) ??
    wrongIn("tools", tools, tool) ??
    (countIn({ ...message, result: others }) + inEntries(content) + inEntries(tools) > MAX_OTHERS
      ? `has lists of more than ${MAX_OTHERS} entries`
      : null)
  );
};

const lists = z
  .looseObject({ content: z.unknown().optional(), tools: z.unknown().optional() })
  .catch({ content: null, tools: null });

const wrongIn = (name: string, list: unknown, entry: z.ZodType): string | null => {
  if (!Array.isArray(list)) return null;
  if (list.length > MAX_ENTRIES) return `has more than ${MAX_ENTRIES} entries in ${name}`;
  const at = list.findIndex((one) => !entry.safeParse(one).success);
  return at < 0 ? null : `is wrong: ${name}.${at}`;
};

/** Number of list entries below the value that a schema may read. The depth was limited before parsing. */
const countIn = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  let count = Array.isArray(value) ? value.length : 0;
  for (const [name, below] of Object.entries(value)) {
    if (count > MAX_OTHERS) return count;
    if (!FREE.has(name)) count += countIn(below);
  }
  return count;
};

/** Sum over a list's entries, which are counted separately. */
const inEntries = (list: unknown): number =>
  Array.isArray(list) ? list.reduce<number>((sum, one) => sum + countIn(one), 0) : 0;

/** Fields whose values no schema reads, even if their lists are long. */
const FREE: ReadonlySet<string> = new Set(["structuredContent", "inputSchema", "outputSchema"]);

const block = z.looseObject({ type: z.string(), text: z.string().optional(), data: z.string().optional() });

/** JSON Schema of an object: the SDK reads the names of its required fields one by one. */
const schema = z.looseObject({
  required: z.custom((list) => list === undefined || isNames(list)).optional(),
});
const tool = z.looseObject({ name: z.string(), inputSchema: schema, outputSchema: schema.optional() });

const isNames = (list: unknown): boolean =>
  Array.isArray(list) && list.every((one) => typeof one === "string");
