import * as z from "zod";
import { jsonOf } from "../../../adapters/http/body.ts";
import { accepted } from "../../../adapters/http/problem.ts";
import type { Server } from "../../ports/servers.ts";
import type { McpContext } from "./open.ts";

export const listServers = async ({ servers }: McpContext): Promise<Response> => {
  const rows: readonly Server[] = await Promise.all(
    servers.names.map(async (name) => ({ name, ...(await servers.look(name)) })),
  );
  return Response.json({ servers: rows });
};

export const acceptServer = async (
  { servers, operator }: McpContext,
  request: Request,
): Promise<Response> => {
  const { server, code } = await jsonOf(request, acceptBody);
  return Response.json({ result: accepted(await servers.accept(server, code, operator.id)).kind });
};

const acceptBody = z.strictObject({ server: z.string().max(60), code: z.string().max(20) });
