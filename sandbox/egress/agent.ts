/** An HTTP agent of Node whose connections are opened by `reach`, so that the checked address is the connected one. */

import { Agent, type ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import { connect as startTls } from "node:tls";
import type { Reach } from "./reach.ts";
import { readAuthority } from "./target.ts";
import { createVisit } from "./visit.ts";

const AT_ONCE = 4;

/** Keeps idle connections open for the next request. `timeout`: milliseconds without traffic. */
export const agentOver = (reach: Reach, isTls: boolean, timeout: number): Agent => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, maxFreeSockets: AT_ONCE, timeout });
  const connect = async (
    options: ClientRequestArgs,
    done: (error: Error | null, socket?: Duplex) => void,
  ) => {
    const host = options.host ?? "";
    const target = readAuthority(`${host.includes(":") ? `[${host}]` : host}:${options.port}`, null);
    const opened = await open(reach, target, isTls, host).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    if (opened instanceof Error) done(opened);
    else done(null, opened);
  };
  agent.createConnection = (options: ClientRequestArgs, done) => {
    // Node also accepts an error as the only argument, unlike its types.
    const called: unknown = done;
    if (typeof called === "function") void connect(options, (...given) => called(...given));
    return undefined;
  };
  return agent;
};

const open = async (
  reach: Reach,
  target: ReturnType<typeof readAuthority>,
  isTls: boolean,
  host: string,
): Promise<Duplex> => {
  if (target === null) throw new Error("its host is none that can be reached");
  const visit = createVisit(null, null, () => undefined);
  const reached = await reach(visit, target);
  if (reached.kind !== "connected") throw new Error(reached.message);
  if (!isTls) return reached.socket;
  // A certificate for an address is checked against the host, and TLS sends no server name for an address.
  return startTls({
    socket: reached.socket,
    host,
    ...(target.host.kind === "name" ? { servername: host } : {}),
  });
};
