/** Tools for docs/reference.md, over no servers. */

import { createMcpCalls } from "../../../src/features/mcp/calls.ts";

const nothing = (): Promise<never> => Promise.reject(new Error("nothing is asked here"));

export const TOOLS = createMcpCalls({
  servers: { names: [], look: nothing, accept: nothing, tools: nothing, call: nothing, close: nothing },
  enabled: () => [],
  mask: (text) => text,
  takePicture: nothing,
});
