/** The operator's MCP servers: what each offers now, and that somebody has looked at it. */

import * as z from "zod";
import { readJson } from "./body.ts";
import type { Handler } from "../handler.ts";
import type { Server } from "../render/api-types.ts";
import { accepted } from "./problem.ts";

/** Every MCP server with its tools as they are now; begins those that do not run, and answers when all have answered. */
export const listServers: Handler = async ({ servers }, c) => {
  const rows: readonly Server[] = await Promise.all(
    servers.names.map(async (name) => ({ name, ...(await servers.look(name)) })),
  );
  return c.json({ servers: rows });
};

/** Accepts the tools of a server as they are: `server`, and the `code` of the list that was shown. */
export const acceptServer: Handler = async ({ servers, operator }, c) => {
  const { server, code } = await readJson(c, acceptBody);
  return c.json({ result: accepted(await servers.accept(server, code, operator.id)).kind });
};

const acceptBody = z.strictObject({ server: z.string().max(60), code: z.string().max(20) });
